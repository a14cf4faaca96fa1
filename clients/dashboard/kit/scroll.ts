/** Ends the way back that is under way. */
let end = (): void => {};

/**
 * Scrolls to where the reader left the page, as soon as it is as long again. What the reader does meanwhile ends that, and
 * so does the next page, of which nothing is known.
 */
export function returnTo(top: number | undefined): void {
  end();
  if (top === undefined) return;
  const done = new AbortController();
  const observer = new ResizeObserver(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    if (document.querySelector('.loading') || scrollHeight - clientHeight < top) return;
    scrollTo(0, top);
    end();
  });
  end = () => {
    observer.disconnect();
    done.abort();
  };
  for (const event of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    addEventListener(event, end, { signal: done.signal, passive: true });
  observer.observe(document.body);
}

/** A case that a link names: above or far below what is seen it is nowhere. The focus stays. */
export function bringIntoSight(element: Element | null): void {
  const { top = 0 } = element?.getBoundingClientRect() ?? {};
  if (top < 0 || top > innerHeight / 2) element?.scrollIntoView({ block: 'start' });
}

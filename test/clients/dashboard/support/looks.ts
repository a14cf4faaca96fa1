import type { Page } from 'playwright-core';

/** In CSS pixels. A page of 1280 at 200 % of its size is one of 640, at 400 % one of 320. */
export const WIDTHS = { phone: 360, tablet: 768, desktop: 1280, 'desktop at 200 %': 640, 'at 400 %': 320 };

/** What reaches over the right edge of the screen, and has the page scroll sideways. */
const WIDER = `(() => {
  const edge = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= edge) return [];
  const wide = [...document.body.querySelectorAll('*')].filter((element) => {
    const { right } = element.getBoundingClientRect();
    return right > edge + 1 && ![...element.children].some((child) => child.getBoundingClientRect().right > edge + 1);
  });
  return [document.documentElement.scrollWidth + ' > ' + edge, ...wide.slice(0, 3).map((element) => element.outerHTML.slice(0, 200))];
})()`;

export async function widerThan(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 });
  return page.evaluate(WIDER);
}

interface Box {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly className: string;
}

/** Parts of an element, such as a dialog, whose content is wider than they are. */
export const cutIn = (element: { querySelectorAll(selector: string): Iterable<Box> }): string[] =>
  [...element.querySelectorAll('fieldset, label, form')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ className }) => className);

const HEADS = `({ title: document.title, headings: document.querySelectorAll('h1').length })`;

export const headsOf = (page: Page): Promise<{ title: string; headings: number }> => page.evaluate(HEADS);

/** Loads what comes on demand; menus close by themselves. */
export const unfold = (page: Page): Promise<void> =>
  page.evaluate(
    `document.querySelectorAll('main details:not(.menu)').forEach((part) => { part.open = true; })`,
  );

const WATCH_FOCUS = `(() => {
  const controls = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]';
  globalThis.unreached = new Set([...document.querySelectorAll(controls)].filter((control) =>
    control.checkVisibility({ visibilityProperty: true }) && control.type !== 'hidden'));
  globalThis.unseen = [];
  document.addEventListener('focusin', ({ target }) => {
    unreached.delete(target);
    const { outlineStyle, boxShadow } = getComputedStyle(target);
    if (outlineStyle === 'none' && boxShadow === 'none') unseen.push(target.outerHTML.slice(0, 200));
  });
  document.activeElement?.blur();
  return unreached.size;
})()`;
const LEFT = `({ unreached: [...unreached].map((control) => control.outerHTML.slice(0, 200)), unseen })`;

/** Controls that the Tab key does not lead to, and those that do not show that they have the focus. */
export async function byKeyboard(page: Page): Promise<{ unreached: string[]; unseen: string[] }> {
  const count: number = await page.evaluate(WATCH_FOCUS);
  for (let presses = 0; presses < count + 2; presses++) await page.keyboard.press('Tab');
  return page.evaluate(LEFT);
}

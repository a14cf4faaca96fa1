import { type ComponentChildren, type JSX, toChildArray } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';

interface Props {
  /** What it is about, such as "More about this project". It is heard. */
  readonly label: string;
  /** Buttons and links. */
  readonly children: ComponentChildren;
}

/** What is done seldom, behind three dots: one thing alone needs no menu. A choice, Escape and a click elsewhere close it. */
export function Menu({ label, children }: Props): JSX.Element {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event) => {
      if (element.current && !(target instanceof Node && element.current.contains(target)))
        element.current.open = false;
    };
    document.addEventListener('click', close);
    document.addEventListener('focusin', close);
    return () => {
      document.removeEventListener('click', close);
      document.removeEventListener('focusin', close);
    };
  }, []);
  const items = toChildArray(children);
  if (items.length < 2) return <>{items}</>;
  const closeByKey = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !element.current) return;
    element.current.open = false;
    element.current.querySelector('summary')?.focus();
  };
  return (
    <details class="menu" ref={element} onKeyDown={closeByKey}>
      <summary class="button" title={label}>
        <Icon name="more" />
        <span class="hidden">{label}</span>
      </summary>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a button's key is its click */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it act */}
      <div
        class="menu-items"
        onClick={() => {
          if (element.current) element.current.open = false;
        }}
      >
        {items}
      </div>
    </details>
  );
}

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { visits } from '../kit/router.ts';
import { shown } from '../kit/text.ts';
import { useTitle } from '../kit/title.ts';
import { Foreign } from './Words.tsx';

export interface Link {
  readonly href: string;
  readonly text: string;
  readonly isCurrent?: boolean;
}

interface Props {
  readonly home: string;
  readonly links: readonly Link[];
  /** Who is signed in, and the way out. */
  readonly account: ComponentChildren;
  readonly children: ComponentChildren;
}

/** What stands around each page. */
export function Shell({ home, links, account, children }: Props): JSX.Element {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href={home}>
          evalgate
        </a>
        <nav aria-label="Pages">
          {links.map(({ href, text, isCurrent }) => (
            <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <div class="account">{account}</div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

interface HeadingProps {
  /** Foreign. */
  readonly title: string;
  /** What the tab says in its place. Foreign. */
  readonly tab?: string;
  /** What stands beside the title. */
  readonly beside?: ComponentChildren;
  /** The way up, from the general to the particular. */
  readonly crumbs?: readonly Link[];
  readonly actions?: ComponentChildren;
}

/** A heading takes the focus once a visit. */
let focused = 0;

/** The page's one heading, and the tab's title. It takes the focus when the reader comes from another page. */
export function Heading({ title, tab = title, beside, crumbs = [], actions }: HeadingProps): JSX.Element {
  const element = useRef<HTMLHeadingElement>(null);
  const above = crumbs.toReversed().map(({ text }) => text);
  useTitle(tab, ...above.filter((text) => text !== title));
  useEffect(() => {
    if (visits.peek() === focused) return;
    focused = visits.peek();
    element.current?.focus({ preventScroll: true });
  }, [visits.value]);
  return (
    <div class="heading">
      {crumbs.length > 0 && (
        <nav class="crumbs" aria-label="Where this page is">
          {crumbs.map(({ href, text }) => (
            <a key={href} href={href}>
              <Foreign text={text} />
            </a>
          ))}
        </nav>
      )}
      <div class="heading-row">
        <h1 ref={element} tabIndex={-1}>
          <bdi>{shown(title)}</bdi>
        </h1>
        {beside}
        {actions && <div class="actions">{actions}</div>}
      </div>
    </div>
  );
}

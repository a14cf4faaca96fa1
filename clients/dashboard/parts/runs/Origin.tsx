import type { JSX } from 'preact';
import { originAside } from '../../../gate/report/review/origin.ts';
import type { Suite } from '../../../sdk/index.ts';
import { Foreign } from '../Words.tsx';
import { commitOf, type Fact, type Source } from './links.ts';

type LatestRun = NonNullable<Suite['latest_run']>;

/** Whose run stands for the suite, where it is not the default branch's. */
export function OriginAside({ run }: { readonly run: LatestRun }): JSX.Element | null {
  const words = originAside(run);
  if (words === '') return null;
  return (
    <span class="muted">
      <Foreign text={words} />
    </span>
  );
}

/** What a fact says, with the way to it where its parts prove one. */
export function FactText({ fact: { text, href } }: { readonly fact: Fact }): JSX.Element {
  if (href === undefined) return <Foreign text={text} />;
  return (
    <a href={href} rel="noreferrer">
      <Foreign text={text} />
    </a>
  );
}

/** What was judged, where the run names it. */
export function Commit({ run }: { readonly run: Source }): JSX.Element | null {
  const commit = commitOf(run);
  return commit ? <FactText fact={commit} /> : null;
}

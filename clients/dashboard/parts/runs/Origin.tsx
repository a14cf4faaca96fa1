import type { JSX } from 'preact';
import { originAside } from '../../../gate/report/review/origin.ts';
import type { Suite } from '../../../sdk/index.ts';
import { Foreign } from '../Words.tsx';

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

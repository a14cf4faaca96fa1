import type { JSX } from 'preact';
import type { Suite } from '../../../sdk/index.ts';
import { Notice } from '../Notice.tsx';
import { Time } from '../Time.tsx';
import { Foreign } from '../Words.tsx';

/** Before edits of a suite that lives in files. */
export function Pushed({ suite }: { readonly suite: Suite }): JSX.Element | null {
  const { last_push: push } = suite;
  if (!push) return null;
  const { repository, path } = push.source;
  return (
    <Notice tone="info">
      Pushed
      {(repository ?? path) && (
        <>
          {' '}
          from <Foreign text={[repository, path].filter(Boolean).join(', ')} />
        </>
      )}{' '}
      <Time at={push.at} isAgo />: the next push takes back a change made here.
    </Notice>
  );
}

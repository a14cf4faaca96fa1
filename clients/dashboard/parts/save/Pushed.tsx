import type { JSX } from 'preact';
import { shellWord } from '../../../gate/report/escape.ts';
import type { Suite } from '../../../sdk/index.ts';
import { Snippet } from '../Copy.tsx';
import { Notice } from '../Notice.tsx';
import { Time } from '../Time.tsx';
import { Foreign } from '../Words.tsx';

interface Props {
  readonly suite: Pick<Suite, 'slug' | 'last_push'>;
  /** After a change; else before one. */
  readonly isChanged?: boolean;
}

/** Of a suite that lives in files: what the next push takes back, and the command that keeps it. */
export function Pushed({ suite: { slug, last_push: push }, isChanged = false }: Props): JSX.Element | null {
  if (!push) return null;
  const { repository, path } = push.source;
  return (
    <Notice tone={isChanged ? 'warning' : 'info'} title={isChanged ? 'Changed here.' : undefined}>
      Pushed
      {(repository ?? path) && (
        <>
          {' '}
          from <Foreign text={[repository, path].filter(Boolean).join(', ')} />
        </>
      )}{' '}
      <Time at={push.at} isAgo />. Your next push overwrites what you change here. To keep it, run:
      <Snippet text={`evalgate pull ${shellWord(slug)}`} label="Copy command" />
    </Notice>
  );
}

import type { ComponentChildren, JSX } from 'preact';
import type { RunState } from '../../gate/report/types.ts';
import type { Standing } from './runs/standing.ts';
import { Foreign } from './Words.tsx';

type Shown = RunState | Standing | 'waived';

/** By which a state is drawn. */
export const TONES: Readonly<Record<Shown, string>> = {
  cleared: 'is-good',
  passed: 'is-good',
  aborted: 'is-bad',
  failed: 'is-bad',
  'newly failing': 'is-bad',
  'failed before': 'is-calm',
  waived: 'is-doubt',
  missing: 'is-bad',
  inconclusive: 'is-doubt',
  errored: 'is-doubt',
  unknown: 'is-doubt',
  advisory: 'is-calm',
  pending: 'is-calm',
};

export const WORDS: Partial<Readonly<Record<Shown, string>>> = { errored: 'unjudged' };

/** A state as a word; its colour only supports it. */
export function State({ state }: { readonly state: Shown }): JSX.Element {
  return <span class={`state has-sign ${TONES[state]}`}>{WORDS[state] ?? state}</span>;
}

interface ChipProps {
  readonly tone: 'good' | 'bad' | 'doubt' | 'calm' | 'info';
  readonly children: ComponentChildren;
}

/** A word or two beside a state, in a colour that supports them. */
export function Chip({ tone, children }: ChipProps): JSX.Element {
  return <span class={`state is-${tone}`}>{children}</span>;
}

/** Beside a run: how many cases fail that passed in its baseline. */
export function NewlyFailing({ count }: { readonly count: number }): JSX.Element | null {
  return count > 0 ? <Chip tone="bad">{count} newly failing</Chip> : null;
}

/** Tags of a case, each of its own. */
export function Tags({ tags }: { readonly tags: readonly string[] }): JSX.Element {
  return (
    <>
      {tags.map((tag) => (
        <span key={tag} class="chip">
          <Foreign text={tag} />
        </span>
      ))}
    </>
  );
}

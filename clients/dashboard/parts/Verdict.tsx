import type { JSX } from 'preact';
import type { RunState } from '../../gate/report/types.ts';
import type { Standing } from './runs/standing.ts';

type Shown = RunState | Standing | 'waived';

const TONES: Readonly<Record<Shown, string>> = {
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

const WORDS: Partial<Readonly<Record<Shown, string>>> = { errored: 'unjudged' };

/** A state as a word; its colour only supports it. */
export function State({ state }: { readonly state: Shown }): JSX.Element {
  return <span class={`state has-sign ${TONES[state]}`}>{WORDS[state] ?? state}</span>;
}

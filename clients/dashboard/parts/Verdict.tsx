import type { JSX } from 'preact';
import type { ResultState } from '../../gate/report/results.ts';
import type { RunState } from '../../gate/report/types.ts';

const TONES: Readonly<Record<RunState | ResultState, string>> = {
  cleared: 'is-good',
  passed: 'is-good',
  aborted: 'is-bad',
  failed: 'is-bad',
  missing: 'is-bad',
  inconclusive: 'is-doubt',
  errored: 'is-doubt',
  unknown: 'is-doubt',
  advisory: 'is-calm',
  pending: 'is-calm',
};

const WORDS: Partial<Readonly<Record<RunState | ResultState, string>>> = { errored: 'unjudged' };

/** A state as a word; its colour only supports it. */
export function State({ state }: { readonly state: RunState | ResultState }): JSX.Element {
  return <span class={`state has-sign ${TONES[state]}`}>{WORDS[state] ?? state}</span>;
}

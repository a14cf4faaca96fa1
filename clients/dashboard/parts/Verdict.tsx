import type { JSX } from 'preact';
import type { ResultState } from '../../report/results.ts';
import type { RunState } from '../../report/types.ts';
import { Icon, type IconName } from './icons.tsx';

const LOOKS: Readonly<Record<RunState | ResultState, readonly [tone: string, icon: IconName]>> = {
  cleared: ['good', 'passed'],
  passed: ['good', 'passed'],
  aborted: ['bad', 'failed'],
  failed: ['bad', 'failed'],
  missing: ['bad', 'failed'],
  inconclusive: ['doubt', 'unjudged'],
  errored: ['doubt', 'unjudged'],
  advisory: ['calm', 'failed'],
  pending: ['calm', 'pending'],
  unknown: ['doubt', 'unjudged'],
};

const WORDS: Partial<Readonly<Record<RunState | ResultState, string>>> = { errored: 'unjudged' };

/** A state as a word; its colour only supports it. */
export function State({ state }: { readonly state: RunState | ResultState }): JSX.Element {
  const [tone, icon] = LOOKS[state];
  return (
    <span class={`state is-${tone}`}>
      <Icon name={icon} />
      {WORDS[state] ?? state}
    </span>
  );
}

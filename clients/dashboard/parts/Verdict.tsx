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
  waived: 'is-doubt is-waived',
  missing: 'is-bad',
  inconclusive: 'is-doubt',
  errored: 'is-unjudged',
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
  readonly tone: 'good' | 'bad' | 'doubt' | 'unjudged' | 'calm';
  readonly children: ComponentChildren;
}

/** A word or two beside a state, in a colour that supports them. */
export function Chip({ tone, children }: ChipProps): JSX.Element {
  return <span class={`state is-${tone}`}>{children}</span>;
}

/** What a change does to the bar. */
export const EffectChip = ({ effect }: { readonly effect: string }): JSX.Element => (
  <Chip tone={effect === 'stricter' ? 'good' : 'doubt'}>{effect}</Chip>
);

interface TagsProps {
  readonly tags: readonly string[];
  /** Where a tag leads to. */
  readonly hrefOf?: (tag: string) => string;
}

/** Tags, each a chip of its own. */
export function Tags({ tags, hrefOf }: TagsProps): JSX.Element {
  return (
    <>
      {tags.map((tag) => {
        const text = <Foreign text={tag} />;
        return hrefOf ? (
          <a key={tag} class="chip tag" href={hrefOf(tag)}>
            {text}
          </a>
        ) : (
          <span key={tag} class="chip tag">
            {text}
          </span>
        );
      })}
    </>
  );
}

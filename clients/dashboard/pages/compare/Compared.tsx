import type { JSX } from 'preact';
import { counted, share } from '../../../gate/report/numbers.ts';
import { chanceWords } from '../../../gate/report/review/baseline.ts';
import { originWords } from '../../../gate/report/review/origin.ts';
import { stateOf } from '../../../gate/report/types.ts';
import type { ComparisonsGetAnswer, Run } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { capitalized } from '../../kit/text.ts';
import { Notice } from '../../parts/Notice.tsx';
import { commitOf } from '../../parts/runs/links.ts';
import { momentWords } from '../../parts/Time.tsx';
import { Chip, State } from '../../parts/Verdict.tsx';
import { Foreign, shortRun } from '../../parts/Words.tsx';
import { type GroupName, useTexts } from './data.ts';
import { Group } from './Group.tsx';

interface Props {
  readonly compared: ComparisonsGetAnswer;
  readonly run: Run;
  /** The run before. */
  readonly older: string;
}

const GROUPS: readonly (readonly [name: GroupName, title: string, hint: string])[] = [
  ['newly_failing', 'Newly failing', 'They fail now, and passed before.'],
  ['newly_passing', 'Newly passing', 'They pass now, and failed before.'],
  ['unstable', 'unstable', 'One output came to several outcomes: the judge differs, not the candidate.'],
  ['changed', 'changed', 'They were not judged alike, and are not compared.'],
  ['unjudged', 'could not be judged', 'They ended in an error in one of the runs, and are not compared.'],
  ['added', 'added', 'Only the run after has them.'],
  ['missing', 'missing', 'Only the run before has them.'],
];

export function Compared({ compared, run, older }: Props): JSX.Element {
  const { counts, cases } = compared;
  const hasCases = GROUPS.some(([name]) => cases[name].length > 0);
  const before = useTexts(older, hasCases);
  const after = useTexts(run.id, hasCases);
  return (
    <>
      <Figures compared={compared} run={run} older={older} />
      {!hasCases && <p class="muted">No case came out otherwise.</p>}
      {GROUPS.map(
        ([name, title, hint], index) =>
          cases[name].length > 0 && (
            <Group
              key={name}
              title={name.startsWith('newly') ? title : `${counts[name]} ${title}`}
              hint={hint}
              cases={cases[name]}
              total={counts[name]}
              isOpen={index === 0}
              isUnjudged={name === 'unjudged'}
              sides={{ older, newer: run.id, before: before.data, after: after.data }}
            />
          ),
      )}
    </>
  );
}

const points = (difference: number): string =>
  `${difference < 0 ? '−' : '+'}${Math.abs(difference * 100).toFixed(1)}`;

/** How many cases got worse; below it, how sure that is. */
function Figures({ compared, run, older }: Props): JSX.Element {
  const { pass_rate: rate, comparable, coverage, counts, detectable_drop: drop, test, baseline } = compared;
  const { newly_failing: worse, newly_passing: better } = counts;
  return (
    <section class="verdict" aria-label="Comparison">
      <p class="verdict-headline">
        <Chip tone={worse > 0 ? 'bad' : 'calm'}>{worse} newly failing</Chip>
        {better > 0 && <Chip tone="good">{better} newly passing</Chip>}
        <span>of {counted(counts.compared, 'compared case')}</span>
      </p>
      {!comparable && (
        <Notice tone="warning" title="These runs cannot be compared.">
          Only {share(coverage)} of the weight is in both and was judged alike: what follows proves little.
        </Notice>
      )}
      <p class="muted">
        {worse > 0 && `${capitalized(chanceWords(test.p_value, test.p_value_exact === null))}. `}
        {counts.compared > 0 && (
          <>
            {share(rate.baseline)} → {share(rate.run)} of the compared cases pass, by weight:{' '}
            {points(rate.difference)} points (95 % interval {points(rate.lower)} to {points(rate.upper)}). The
            smallest drop that would show is {(drop * 100).toFixed(1)} points.{' '}
          </>
        )}
        {compared.notices.map(({ message }) => (
          <Foreign key={message} text={`${message} `} />
        ))}
      </p>
      <p>
        From <Named id={older} run={baseline.run} at={baseline.created_at} /> to{' '}
        <Named id={run.id} run={run} at={run.created_at} />
      </p>
    </section>
  );
}

interface NamedProps {
  readonly id: string;
  /** Null: it is a baseline of several runs. */
  readonly run: ComparisonsGetAnswer['baseline']['run'];
  readonly at: string;
}

/** A run as people speak of it: by branch or pull request and commit; its id comes last. */
function Named({ id, run, at }: NamedProps): JSX.Element {
  const words = run && [originWords(run), commitOf(run)?.text].filter(Boolean).join(' ');
  return (
    <span class="named-run">
      <a href={to.run(id)}>{words ? <Foreign text={words} /> : `the run of ${momentWords(at)}`}</a>{' '}
      {run && <State state={stateOf(run)} />}{' '}
      <span class="muted">
        {words && `${momentWords(at)}, `}
        <code title={id}>{shortRun(id)}</code>
      </span>
    </span>
  );
}

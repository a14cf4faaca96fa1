import type { JSX } from 'preact';
import { share } from '../../../gate/report/numbers.ts';
import { comparedWords } from '../../../gate/report/review/baseline.ts';
import type { ComparisonsGetAnswer, Run } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { Notice } from '../../parts/Notice.tsx';
import { Sentence, shortRun } from '../../parts/Words.tsx';
import type { GroupName } from './data.ts';
import { useTexts } from './data.ts';
import { Group } from './Group.tsx';

interface Props {
  readonly compared: ComparisonsGetAnswer;
  readonly run: Run;
  /** The run before. */
  readonly older: string;
}

const GROUPS: readonly (readonly [name: GroupName, title: string, hint: string])[] = [
  ['newly_failing', 'newly failing', 'They fail now, and passed before.'],
  ['newly_passing', 'newly passing', 'They pass now, and failed before.'],
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
              title={`${counts[name]} ${title}`}
              hint={hint}
              cases={cases[name]}
              total={counts[name]}
              isOpen={index === 0}
              sides={{ older, newer: run.id, before: before.data, after: after.data }}
            />
          ),
      )}
    </>
  );
}

const points = (difference: number): string =>
  `${difference < 0 ? '−' : '+'}${Math.abs(difference * 100).toFixed(1)}`;

function Figures({ compared, run, older }: Props): JSX.Element {
  const { pass_rate: rate, comparable, coverage, counts, detectable_drop: drop } = compared;
  const [worse, ...others] = comparedWords(compared, Date.now()).filter(
    ({ own }) => !own[0]?.startsWith('not comparable'),
  );
  return (
    <>
      {worse && (
        <p class="verdict-headline">
          <Sentence words={worse} />
        </p>
      )}
      {!comparable && (
        <Notice tone="warning" title="These runs cannot be compared.">
          Only {share(coverage)} of the weight is in both and was judged alike: what follows proves little.
        </Notice>
      )}
      <dl class="strip strip-facts">
        <div>
          <dt>Before</dt>
          <dd>
            <a class="id" href={to.run(older)} title={older}>
              {shortRun(older)}
            </a>
          </dd>
        </div>
        <div>
          <dt>After</dt>
          <dd>
            <a class="id" href={to.run(run.id)} title={run.id}>
              {shortRun(run.id)}
            </a>
          </dd>
        </div>
        {counts.compared > 0 && (
          <>
            <div>
              <dt>Pass rate of {counts.compared} compared cases</dt>
              <dd>
                {share(rate.baseline)} → {share(rate.run)}
              </dd>
            </div>
            <div>
              <dt>Difference, 95 % interval</dt>
              <dd>
                {points(rate.difference)} points, {points(rate.lower)} to {points(rate.upper)}
              </dd>
            </div>
            <div>
              <dt>Smallest drop that would show</dt>
              <dd>{(drop * 100).toFixed(1)} points</dd>
            </div>
          </>
        )}
      </dl>
      {others.slice(1).map((words, index) => (
        <p key={`${index}`} class="muted">
          <Sentence words={words} />
        </p>
      ))}
    </>
  );
}

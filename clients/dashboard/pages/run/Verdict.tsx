import type { JSX } from 'preact';
import { counted, share } from '../../../gate/report/numbers.ts';
import { chanceWords } from '../../../gate/report/review/baseline.ts';
import { credentialWords } from '../../../gate/report/review/credential.ts';
import { type Uncompared, uncomparedOf } from '../../../gate/report/review/uncompared.ts';
import { waiverOf } from '../../../gate/report/review/waiver.ts';
import { asidesOf, figureOf, flipsOf } from '../../../gate/report/summary.ts';
import { type Report, type ReportedRun, type RunState, stateOf } from '../../../gate/report/types.ts';
import type { ComparisonsGetAnswer } from '../../../sdk/index.ts';
import { withQuery } from '../../kit/router.ts';
import { capitalized } from '../../kit/text.ts';
import { Notice } from '../../parts/Notice.tsx';
import { Time } from '../../parts/Time.tsx';
import { Chip, State } from '../../parts/Verdict.tsx';
import { Foreign, Sentence } from '../../parts/Words.tsx';
import { Gates } from './Gates.tsx';

/** Names only cases that this page has read. */
function withKnownCases({ run, ...report }: Report): Report {
  const { verdict } = run;
  if (!verdict?.flips) return { run, ...report };
  const known = new Set(report.results.map(({ case_id }) => case_id));
  const case_ids = verdict.flips.case_ids.filter((id) => known.has(id));
  return { ...report, run: { ...run, verdict: { ...verdict, flips: { ...verdict.flips, case_ids } } } };
}

interface Props {
  readonly report: Report;
  /** Undefined before it is there, and without a baseline. */
  readonly comparisonAnswer?: ComparisonsGetAnswer | undefined;
}

/** The state with its figure, which cases newly fail, what holds the run up, and what would flip it. */
export function Verdict({ report, comparisonAnswer }: Props): JSX.Element {
  const { run } = report;
  const state = stateOf(run);
  const waiver = waiverOf(run);
  const facts = [...flipsOf(withKnownCases(report)), ...asidesOf(run)];
  return (
    <section class="verdict" aria-label="Verdict">
      <p class="verdict-headline">
        <State state={state} />
        {waiver && <State state="waived" />}
        <span>
          <Sentence words={figureOf(run, state)} />
        </span>
        {run.verdict && <Rate run={run} state={state} />}
      </p>
      {run.comparison && (
        <Newly report={report} compared={run.comparison} comparisonAnswer={comparisonAnswer} />
      )}
      <Gates report={report} />
      {facts.length > 0 && (
        <ul class="facts">
          {facts.map((words, index) => (
            <li key={`${index}`}>
              <Sentence words={words} />
            </li>
          ))}
        </ul>
      )}
      {waiver && (
        <Notice tone="warning">
          <strong>Waived</strong> until <Time at={waiver.expires_at} /> by{' '}
          <Sentence words={credentialWords(waiver.waived_by)} />: <Foreign text={waiver.reason} />
        </Notice>
      )}
      {run.notices?.map(({ message }) => (
        <Notice key={message} tone="warning">
          <Foreign text={message} />
        </Notice>
      ))}
    </section>
  );
}

const RATE_TONES: Partial<Readonly<Record<RunState, string>>> = { cleared: 'is-good', aborted: 'is-bad' };

/** The pass rate as a bar, with a mark where the threshold is. The words beside it give both. */
function Rate({ run, state }: { readonly run: ReportedRun; readonly state: RunState }): JSX.Element {
  const { pass_rate: rate, pass_threshold: threshold } = run;
  const percent = (threshold ?? 0) * 100;
  return (
    <svg
      class={`rate ${RATE_TONES[state] ?? 'is-doubt'}`}
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="rate-all" d="M0 5H100" />
      <path d={`M0 5H${rate * 100}`} />
      {threshold != null && <path class="rate-mark" d={`M${percent} 0V10`} />}
    </svg>
  );
}

const NAMED = 3;

/** As the gate on newly failing cases counts them, and not the comparison. */
const UNCOMPARED: Readonly<Record<Uncompared['what'], string>> = {
  unjudged: 'newly unjudged',
  'not comparable': 'failing, not comparable',
  'unjudged or not comparable': 'unjudged or not comparable',
};

interface KeysProps {
  readonly keys: readonly string[];
  readonly count: number;
}

/** The first few cases, each with the way to it. */
function Named({ keys, count }: KeysProps): JSX.Element {
  const named = keys.slice(0, NAMED);
  return (
    <>
      {named.map((key) => (
        <a key={key} href={withQuery({ case: key, outcome: '', q: '', tag: '', page: '' })}>
          <Foreign text={key} />
        </a>
      ))}
      {named.length > 0 && count > named.length && <span class="muted">and {count - named.length} more</span>}
    </>
  );
}

interface NewlyProps {
  readonly report: Report;
  readonly compared: NonNullable<ReportedRun['comparison']>;
  readonly comparisonAnswer: ComparisonsGetAnswer | undefined;
}

/** Which cases fail that passed in the baseline, and how often chance does that. */
function Newly({ report, compared, comparisonAnswer }: NewlyProps): JSX.Element {
  const { newly_failing: keys, newly_failing_count: count, p_value, comparable } = compared;
  const uncompared = uncomparedOf(report);
  const better = comparisonAnswer?.counts.newly_passing ?? 0;
  return (
    <>
      {(count > 0 || uncompared) && (
        <p class="newly">
          {count > 0 && <Chip tone="bad">{count} newly failing</Chip>}
          <Named keys={keys} count={count} />
          {uncompared && (
            <>
              <Chip tone="unjudged">
                {uncompared.count} {UNCOMPARED[uncompared.what]}
              </Chip>
              <Named {...uncompared} />
            </>
          )}
        </p>
      )}
      <p class="muted">
        {count === 0 && 'No case is newly failing. '}
        {better > 0 && `${counted(better, 'case')} newly passing. `}
        {count > 0 && `${capitalized(chanceWords(p_value, comparisonAnswer?.test.p_value_exact === null))}. `}
        {!comparable &&
          `Not comparable${comparisonAnswer ? `: ${share(comparisonAnswer.coverage)} of the weight is compared` : ''}. `}
        {comparisonAnswer?.notices.map(({ message }) => (
          <Foreign key={message} text={`${message} `} />
        ))}
        {comparisonAnswer && (
          <>
            The baseline was accepted <Time at={comparisonAnswer.baseline.created_at} isAgo />.
          </>
        )}
      </p>
    </>
  );
}

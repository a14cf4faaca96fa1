import type { ComponentChildren, JSX } from 'preact';
import { credentialWords } from '../../../gate/report/review/credential.ts';
import { waiverOf } from '../../../gate/report/review/waiver.ts';
import { asidesOf, flipsOf, headlineOf } from '../../../gate/report/summary.ts';
import { type Report, stateOf } from '../../../gate/report/types.ts';
import { Notice } from '../../parts/Notice.tsx';
import { Time } from '../../parts/Time.tsx';
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

/** What decided, what would flip it, since when, and every gate. */
export function Verdict({
  report,
  children,
}: {
  readonly report: Report;
  /** Below the facts. */
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { run, comparison } = report;
  const waiver = waiverOf(run);
  const facts = [...flipsOf(withKnownCases(report)), ...(comparison?.sentences ?? []), ...asidesOf(run)];
  return (
    <section class="verdict" aria-label="Verdict">
      <p class="verdict-headline">
        <Sentence words={headlineOf(run, stateOf(run))} />
      </p>
      {facts.length > 0 && (
        <ul class="facts">
          {facts.map((words, index) => (
            <li key={`${index}`}>
              <Sentence words={words} />
            </li>
          ))}
        </ul>
      )}
      {children}
      {waiver && (
        <Notice tone="warning">
          <strong>Waived</strong> until <Time at={waiver.expires_at} /> by{' '}
          <Sentence words={credentialWords(waiver.waived_by)} />: <Foreign text={waiver.reason} />
        </Notice>
      )}
      {run.notices?.map(({ message }) => (
        <Notice key={message} tone="warning">
          <Sentence words={{ own: ['', ''], foreign: [message] }} />
        </Notice>
      ))}
      <Gates report={report} />
    </section>
  );
}

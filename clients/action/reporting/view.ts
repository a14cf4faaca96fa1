import { labelOf } from '../../gate/report/results.ts';
import { comparedWithBaseline } from '../../gate/report/review/baseline.ts';
import type { Report, ReportedResult } from '../../gate/report/types.ts';
import type { Evalgate, Failure, Outcome } from '../../sdk/index.ts';
import type { Job } from '../job/event.ts';
import type { Inputs } from '../job/inputs.ts';
import type { Settings } from '../job/settings.ts';
import type { Ending } from '../outcome.ts';
import { compareWithBase } from './baseRun.ts';

/** The gate's end as it is reported. */
export interface View {
  readonly job: Job;
  readonly suite: string;
  readonly ending: Ending;
  /** The address of the run's page. */
  readonly page: string | undefined;
  /** Where there is a verdict. */
  readonly report: Report | undefined;
  /** Reasons and outputs are left out of it, since strangers can read it. */
  readonly isKeysOnly: boolean;
}

/** The service's details come at once, or the rest of the report has no time left. */
const DETAILS_MS = 20_000;

/** The part of a result that the run's answer contains. */
const resultOf = ({ case: name, ...failure }: Failure): ReportedResult => ({
  ...failure,
  case_name: name,
  passed: false,
});

/** The verdict's report; with less in it where the service does not show its details. */
export async function readReport(
  client: Evalgate,
  outcome: Outcome,
  { suite, project, job, signal }: Reading,
): Promise<Report> {
  const {
    failures,
    failures_complete: _complete,
    assertCleared: _assert,
    passed: _passed,
    ...figures
  } = outcome;
  const run = { ...figures, suite: { slug: suite, name: suite, project_slug: project } };
  const options = { signal, deadlineMs: DETAILS_MS };
  const found = outcome.comparison
    ? client.comparisons.get(outcome.id, {}, options).catch(() => undefined)
    : undefined;
  const listed = client.runs.results(outcome.id, {}, options).page();
  const [results, isComplete] = await listed.then(
    ({ data }) => [data, true] as const,
    () => [failures.map(resultOf), false] as const,
  );
  const comparison =
    comparedWithBaseline(run, results, await found) ??
    (await compareWithBase(client, { ...run, results }, { job, signal }));
  return { run, results, isComplete, comparison };
}

interface Reading {
  readonly suite: string;
  readonly project: Settings['project'];
  readonly job: Job;
  readonly signal: AbortSignal;
}

export const isKeysOnly = ({ details }: Inputs, { isPrivate }: Job): boolean =>
  details === 'keys' || (details === 'auto' && !isPrivate);

/** Keys, scores, gates, and the codes of errors. */
export const withoutReasons = (report: Report): Report => ({
  ...report,
  run: { ...report.run, waiver: report.run.waiver ? { ...report.run.waiver, reason: '' } : null },
  results: report.results.map((result) => ({
    case_id: result.case_id,
    case_name: labelOf(result),
    key: result.key,
    passed: result.passed,
    score: result.score,
    threshold: result.threshold,
    missing: result.missing,
    advisory: result.advisory,
    // They are not shown: they say which cases would flip the run.
    weight: result.weight ?? null,
    tags: result.tags ?? [],
    ...(result.errored !== undefined && { errored: result.errored }),
    ...(result.must_pass !== undefined && { must_pass: result.must_pass }),
    ...(result.samples && { samples: result.samples.map(({ passed }) => ({ passed })) }),
    reason: codeOf(result),
  })),
});

/** What stands in place of the reason. The service's codes are capital letters; a model may write anything. */
function codeOf({ missing, errored, scorer_output }: ReportedResult): string {
  if (missing) return 'none was sent';
  if (errored !== true) return '';
  const code = scorer_output?.error;
  return typeof code === 'string' && /^[A-Z_]{1,64}$/.test(code) ? code : 'see the run';
}

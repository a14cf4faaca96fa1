import type { Evalgate, Failure, Outcome, Run, RunResult } from '../sdk/index.ts';
import { comparedWithBaseline } from './report/review/baseline.ts';
import type { Report, ReportedResult, ReportedRun } from './report/types.ts';

type CallOptions = NonNullable<Parameters<Evalgate['runs']['results']>[2]>;

export interface Reading extends CallOptions {
  /** Where it is known: otherwise the run is read again, which names it. */
  readonly suite?: ReportedRun['suite'];
  /** Whether the results of a run in which every case passed are read to the last one. */
  readonly needsAll: boolean;
  /** The age of the baseline counts up to here. */
  readonly nowMs: number;
}

interface ReadReport {
  readonly report: Report;
  /** Where it was read again. */
  readonly run?: Run | undefined;
  /** Why the details could not be read. */
  readonly unread?: Error | undefined;
}

/** The run as a report needs it. The verdict holds, whether its details can be read or not. */
export async function readReport(client: Evalgate, outcome: Outcome, reading: Reading): Promise<ReadReport> {
  const { suite, needsAll, nowMs, ...options } = reading;
  const {
    failures,
    failures_complete: _complete,
    assertCleared: _assert,
    passed: _passed,
    ...figures
  } = outcome;
  const known: ReportedRun = { ...figures, ...(suite !== undefined && { suite }) };
  const areHidden = await areResultsHidden(client, outcome, options);
  const some = { run: known, results: failures.map(resultOf), isComplete: false, areHidden };
  const compared = (results: readonly ReportedResult[], answer?: Awaited<typeof comparison>) =>
    comparedWithBaseline(outcome, results, answer, nowMs);
  if (outcome.status === 'pending') return { report: { ...some, comparison: compared(some.results) } };
  const comparison = areHidden
    ? Promise.resolve('hidden' as const)
    : outcome.comparison
      ? client.comparisons.get(outcome.id, {}, options).catch(() => undefined)
      : Promise.resolve(undefined);
  const readsAll = needsAll || outcome.failed_cases + outcome.advisory_failed_cases > 0;
  try {
    const [run, results] = await Promise.all([
      suite === undefined ? client.runs.get(outcome.id, options) : undefined,
      areHidden ? [] : (readsAll ? allResults : someResults)(client, outcome.id, options),
    ]);
    const isComplete = results.length >= outcome.total_cases + outcome.advisory_cases;
    // The verdict is the one that was answered.
    const { status, inconclusive, waiver } = outcome;
    const merged = run === undefined ? known : { ...run, status, inconclusive, waiver };
    return {
      report: { ...some, run: merged, results, isComplete, comparison: compared(results, await comparison) },
      run,
    };
  } catch (error) {
    const report = { ...some, comparison: compared(some.results, await comparison) };
    return { report, unread: error as Error };
  }
}

/** The answer to a run that was scored at once says it, else what the credential may do. Where neither does, the results are requested. */
async function areResultsHidden(client: Evalgate, outcome: Outcome, options: CallOptions): Promise<boolean> {
  if (!outcome.results_hidden || outcome.status === 'pending') return false;
  const { scores } = outcome as { readonly scores?: readonly unknown[] };
  if (scores !== undefined) return scores.length === 0;
  return client.auth.whoami(options).then(
    ({ scope }) => scope === 'run',
    () => false,
  );
}

/** The part of a result that the run's own answer contains. */
const resultOf = ({ case: name, ...failure }: Failure): ReportedResult => ({
  ...failure,
  case_name: name,
  passed: false,
});

const allResults = async (
  client: Evalgate,
  id: string,
  options: CallOptions,
): Promise<readonly RunResult[]> => (await client.runs.results(id, {}, options).page()).data;

/** They name what would abort a cleared run of no more cases. None is missed. */
const someResults = (client: Evalgate, id: string, options: CallOptions): Promise<readonly RunResult[]> =>
  client.runs
    .results(id, { page: 1, pageSize: 100 }, options)
    .page()
    .then(
      ({ data }) => (Array.isArray(data) ? data : []),
      () => [],
    );

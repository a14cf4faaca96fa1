import { comparedWithBaseline } from '../../gate/report/review/baseline.ts';
import type { Report, ReportedResult, ReportedRun } from '../../gate/report/types.ts';
import type { Evalgate, Failure, Outcome, Run, RunResult } from '../../sdk/index.ts';
import type { Context } from '../context.ts';
import { nowMs } from '../io.ts';

/** The part of a result that the run's own answer contains. */
const resultOf = ({ case: name, ...failure }: Failure): ReportedResult => ({
  ...failure,
  case_name: name,
  passed: false,
});

type Options = Parameters<Evalgate['runs']['results']>[2];

const allResults = async (gate: Evalgate, id: string, options: Options): Promise<readonly RunResult[]> =>
  (await gate.runs.results(id, {}, options).page()).data;

/** They name what would abort a cleared run of no more cases. None is missed. */
const someResults = (gate: Evalgate, id: string, options: Options): Promise<readonly RunResult[]> =>
  gate.runs
    .results(id, { page: 1, pageSize: 100 }, options)
    .page()
    .then(
      ({ data }) => (Array.isArray(data) ? data : []),
      () => [],
    );

/** The run as a report needs it. The verdict stands, whether its details can be read or not. */
export async function readReport(
  { terminal, io }: Context,
  gate: Evalgate,
  outcome: Outcome,
  needsAll: boolean,
): Promise<{ report: Report; run: Run | undefined }> {
  const { signal } = io;
  const { failures, failures_complete, assertCleared: _assert, passed: _passed, ...figures } = outcome;
  const known: ReportedRun = figures;
  const some = failures.map(resultOf);
  const comparison = comparedWithBaseline(outcome, some, undefined);
  const fallback = { run: known, results: some, isComplete: false, comparison };
  if (outcome.status === 'pending') return { report: fallback, run: undefined };
  const needsNames = !needsAll && outcome.failed_cases + outcome.advisory_failed_cases === 0;
  try {
    const options = { signal, deadlineMs: 120_000 };
    const [run, found, results] = await Promise.all([
      gate.runs.get(outcome.id, options),
      outcome.comparison ? gate.comparisons.get(outcome.id, {}, options).catch(() => undefined) : undefined,
      needsNames ? someResults(gate, outcome.id, options) : allResults(gate, outcome.id, options),
    ]);
    const isComplete = results.length >= outcome.total_cases + outcome.advisory_cases;
    // The verdict is the one that was answered.
    const { status, inconclusive, waiver } = outcome;
    const merged = { ...run, status, inconclusive, waiver };
    const comparison = comparedWithBaseline(outcome, results, found, nowMs(io));
    return { report: { run: merged, results, isComplete, comparison }, run };
  } catch (error) {
    if (signal.aborted) throw error;
    const isMore = failures_complete ? '' : ' Not all failures are shown.';
    terminal.warn(`the details of the run could not be read: ${(error as Error).message}${isMore}`);
    return { report: fallback, run: undefined };
  }
}

import { NO_FIGURES } from '../../scoring/engine/engine.ts';
import { AppError } from '../errors.ts';
import type { WorkQueue } from '../messages.ts';
import type { LoadedRun } from './load.ts';
import { fitting } from './outputs/fitting.ts';
import { withResultsReadIn } from './outputs/readResults.ts';
import { hasResults } from './outputs/traces.ts';
import type { RunStore, StoredRun } from './ports.ts';
import type { QuotaGuard } from './refusals/quota.ts';
import { storedOrThrow } from './refusals/storing.ts';
import { NO_RECORD } from './results/verdictRecord.ts';

const LACKS_SCOPE = {
  run: 'This credential runs nothing: send one of scope "run", "suites" or "full".',
  // A job can't have an output judged again until a judge lets it pass.
  suites: 'judge_again needs scope "suites" or "full": leave it out.',
};

/** Few requests need the words: they are in no start of a function. */
export const lacksScope = (needed: keyof typeof LACKS_SCOPE): AppError =>
  new AppError('SCOPE_REQUIRED', LACKS_SCOPE[needed]);

export interface AdmitDeps {
  readonly runs: Pick<RunStore, 'admit'>;
  readonly quotaGuard: QuotaGuard;
  readonly queue: WorkQueue;
  /** Called with a message that could not be sent. The sweeper sends it later. */
  readonly onUnsent: (error: unknown, runId: string) => void;
}

/** Stores a run that will be evaluated later, and counts it. */
export async function admitRun(
  deps: AdmitDeps,
  { terms, suiteRevision, request: sent }: LoadedRun,
): Promise<StoredRun> {
  const request = hasResults(sent) ? await withResultsReadIn(suiteRevision, sent) : sent;
  const { output, trace, input, judge_again, trigger, trigger_meta } = request;
  const { outputs, judgedCases } = await fitting(suiteRevision, request, Date.parse(terms.createdAt));
  const outcome = await deps.runs.admit({
    ...terms,
    run: {
      ...NO_FIGURES,
      ...NO_RECORD,
      status: 'pending',
      total_cases: suiteRevision.sums.active,
      duration_ms: 0,
      trigger,
      trigger_meta,
      created_by: terms.createdBy,
    },
    submission: { output, ...(trace && { trace }), input, outputs, ...(judge_again && { judge_again }) },
    judgedCases,
  });
  const run = await storedOrThrow(deps, terms, outcome);
  // The pending run is stored. If this message is lost, the sweeper sends it.
  await deps.queue
    .send([{ kind: 'plan', org_id: terms.orgId, run_id: run.id }])
    .catch((error: unknown) => deps.onUnsent(error, run.id));
  return run;
}

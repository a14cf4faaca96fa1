import type { Run } from '../../contracts/runs.ts';
import { invalid } from '../errors.ts';
import { EVENTS_OF_REF } from '../jobEvents.ts';
import { isJob, isSameSource, type Job, sourceOf } from '../principal.ts';
import type { StoredRun } from '../runs/ports.ts';
import { kindOf } from './runOutcomes.ts';

/** The gates that compare with a baseline: whether they hold says nothing of a run as a point of comparison. */
const RELATIVE = new Set(['max_newly_failing', 'regression']);

/** Of the gates that judge a run by itself, none failed, and one is inconclusive. */
function isInconclusive({ verdict }: Pick<Run, 'verdict'>): boolean {
  const ownGates = (verdict?.gates ?? []).filter(({ gate }) => !RELATIVE.has(gate));
  const has = (status: string) => ownGates.some((gate) => gate.status === status);
  return has('inconclusive') && !has('failed');
}

/** Why a run is no point of comparison. Undefined: it may be one. */
function faultOf(run: StoredRun, suiteId: string): string | undefined {
  if (run.suite_id !== suiteId) return 'is of another suite';
  if (run.status === 'pending') return 'is pending: wait until it has ended';
  if (run.verdict === null) return 'could not be evaluated, and was not counted: run the suite again';
  if (isInconclusive(run)) return 'is inconclusive: run the suite again';
  return undefined;
}

/** Why a run is none that a job may accept. */
function faultForJob({ status, errored_cases, created_by }: StoredRun, job: Job): string | undefined {
  if (status !== 'cleared') return 'was not cleared: only a credential of scope "full" may accept it';
  if (errored_cases > 0) return 'has cases that ended in an error: run the suite again';
  const source = sourceOf(job);
  if (!isJob(created_by) || !isSameSource(sourceOf(created_by), source))
    return `was not made by a job of this job's ${source.provider === 'github' ? 'repository' : 'project'}`;
  if (created_by.ref === undefined || created_by.ref !== job.ref)
    return `was made on ${created_by.ref ?? 'a ref that is not known'}, not on ${job.ref ?? 'a known ref'}`;
  const events = EVENTS_OF_REF[source.provider] ?? [];
  if (!events.some((event) => event === created_by.event_name))
    return `was made by a job of the event ${created_by.event_name ?? 'that is not known'}: only those of ${events.join(', ')} count`;
  return undefined;
}

/** `job`: undefined for a credential of scope `full`. */
interface Accepting {
  readonly suiteId: string;
  readonly job: Job | undefined;
}

/** 400 that names each run that may not be accepted, and why. */
export function refuseRuns(runs: readonly StoredRun[], { suiteId, job }: Accepting): void {
  const [first] = runs;
  const issues = runs.flatMap((run, index) => {
    const fault =
      faultOf(run, suiteId) ?? (job && faultForJob(run, job)) ?? (first && faultBeside(first, run));
    return fault === undefined ? [] : [{ path: `run_ids.${index}`, message: `${run.id} ${fault}` }];
  });
  if (issues.length > 0) throw invalid(issues);
}

function faultBeside(first: StoredRun, run: StoredRun): string | undefined {
  if (run.suite_digest !== first.suite_digest) return `was judged by another bar than ${first.id}`;
  if (kindOf(run) !== kindOf(first))
    return `has ${run.isSingle ? 'one output for all cases' : 'outputs of its own for the cases'}, unlike ${first.id}`;
  return undefined;
}

import type { Comparison } from '../../gate/report/review/changes.ts';
import { changesBetween, comparedWithBranch } from '../../gate/report/review/comparison.ts';
import type { ReportedResult } from '../../gate/report/types.ts';
import type { Evalgate, Run } from '../../sdk/index.ts';
import { type Job, legName } from '../job/event.ts';

/** So many of the suite's newest runs are looked at. */
const RUNS_MAX = 50;
/** Each of three requests: a slow service holds no report back. */
const READ_MS = 6_000;
/** Jobs of other events may have the base branch as their ref, too, and judge something else. */
const OF_BRANCH: readonly unknown[] = ['push', 'schedule', 'workflow_dispatch'];

interface Judged {
  readonly id: string;
  readonly suite_digest: string | null;
  readonly results: readonly ReportedResult[];
}

/** With the latest run of the base branch that has a verdict. Undefined where the base branch is not known. */
export async function compareWithBase(
  client: Evalgate,
  { id, suite_digest, results }: Judged,
  { job, signal }: { readonly job: Job; readonly signal: AbortSignal },
): Promise<Comparison | undefined> {
  const { baseBranch: branch } = job;
  if (branch === undefined) return undefined;
  const options = { signal, deadlineMs: READ_MS };
  const none = (why: string): Comparison => comparedWithBranch(branch, why);
  try {
    const { suite_id } = await client.runs.get(id, options);
    const { data } = await client.runs.list(suite_id, { pageSize: RUNS_MAX }, options).page();
    const ofBase = data.filter((run) => run.id !== id && run.verdict !== null && isOfBase(run, job));
    const base = ofBase.find((run) => isOfSameGate(run, job)) ?? ofBase[0];
    if (base === undefined) return none(`it has none of the suite's newest ${RUNS_MAX} runs`);
    const before = (await client.runs.results(base.id, {}, options).page()).data;
    const sha = shaOf(base);
    const run = { id: base.id, isSameBar: base.suite_digest === suite_digest, sha };
    return comparedWithBranch(branch, run, changesBetween(before, results));
  } catch {
    return none('its runs could not be read');
  }
}

/** By what GitHub says of the job. With an API key only the run itself says whose it is. */
function isOfBase({ created_by: by, trigger, trigger_meta: meta }: Run, job: Job): boolean {
  const ref = `refs/heads/${job.baseBranch}`;
  if (by.type === 'github_actions') {
    const isOwn =
      job.repositoryId === undefined
        ? by.repository === job.repository
        : by.repository_id === job.repositoryId;
    return isOwn && by.ref === ref && OF_BRANCH.includes(by.event_name);
  }
  const isOwn = trigger === 'github_action' && meta.repository === job.repository;
  return isOwn && meta.ref === ref && OF_BRANCH.includes(meta.event);
}

/** Several jobs, and legs of a matrix, may run one suite. */
const isOfSameGate = ({ trigger_meta: meta }: Run, job: Job): boolean =>
  meta.workflow === job.workflow && meta.job === job.id && meta.leg === legName(job);

function shaOf({ created_by: by, trigger_meta: { sha } }: Run): string | undefined {
  if (by.type === 'github_actions' && by.sha !== undefined) return by.sha;
  return typeof sha === 'string' ? sha : undefined;
}

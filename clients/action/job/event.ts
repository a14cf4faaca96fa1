import { readFileSync } from 'node:fs';
import { workflowFileOf } from '../../files/config/jobToken.ts';
import { isOwnEvent } from '../../files/config/ownEvents.ts';
import { Problem } from '../problem.ts';
import type { Runner } from './runner.ts';

interface Repository {
  readonly id?: number;
  readonly full_name?: string;
  readonly private?: boolean;
  readonly default_branch?: string;
}

/** As much of an event's payload as is read. */
interface Payload {
  readonly repository?: Repository;
  readonly pull_request?: {
    readonly number: number;
    readonly head: { readonly sha: string; readonly repo: Repository | null };
    readonly base?: { readonly ref?: string };
  };
  readonly merge_group?: { readonly base_ref?: string };
  readonly issue?: { readonly number: number; readonly pull_request?: object };
  readonly workflow_run?: { readonly head_sha: string };
}

/** Which job this is, and what it judges. */
export interface Job {
  readonly event: string;
  /** `owner/name`. */
  readonly repository: string;
  /** As GitHub's tokens name it. */
  readonly repositoryId: string | undefined;
  /** False where nothing says so. */
  readonly isPrivate: boolean;
  /** What the job's commit is to become part of: of no pull request the default branch. */
  readonly baseBranch: string | undefined;
  /** The commit that is judged: of a pull request its head, which is not the merge commit that is checked out. */
  readonly sha: string;
  readonly ref: string;
  /** The pull request that the event names. */
  readonly pullRequest: number | undefined;
  /** The pull request comes from another repository, or from one that is gone. */
  readonly isFork: boolean;
  /** The workspace holds the repository's own files: nothing of a fork can have come into it. */
  readonly hasOwnFiles: boolean;
  /** The head of the workflow run that this job follows. */
  readonly followedSha: string | undefined;
  /** The name of the workflow. */
  readonly workflow: string;
  /** Its file; empty where the runner does not say it. */
  readonly workflowFile: string;
  /** The job's id in the workflow. */
  readonly id: string;
  readonly step: string;
  /** Of a matrix. The total is known where the runner says it. */
  readonly leg: { readonly index: number; readonly total: number | undefined };
  readonly actor: string;
  readonly runId: string;
  readonly runNumber: number;
  readonly attempt: number;
  /** Of the workflow run. */
  readonly url: string;
}

export function readJob(runner: Runner): Job {
  const variable = (name: string): string => runner.variable(`GITHUB_${name}`) ?? '';
  const event = variable('EVENT_NAME');
  const payload = readPayload(runner);
  const { repository, pull_request, issue, workflow_run } = payload;
  if (event.startsWith('pull_request') && pull_request === undefined) {
    throw new Problem(`The payload of the event ${event} has no pull request.`);
  }
  const name = variable('REPOSITORY');
  const runId = variable('RUN_ID');
  const isFork = pull_request !== undefined && !isSame(pull_request.head.repo, repository, name);
  return {
    event,
    repository: name,
    repositoryId: repository?.id === undefined ? undefined : String(repository.id),
    isPrivate: repository?.private === true,
    baseBranch: baseBranchOf(payload),
    sha: pull_request?.head.sha ?? workflow_run?.head_sha ?? variable('SHA'),
    ref: variable('REF'),
    pullRequest: pull_request?.number ?? (issue?.pull_request && issue.number),
    isFork,
    hasOwnFiles: isOwnEvent(event) && !isFork,
    followedSha: workflow_run?.head_sha,
    workflow: variable('WORKFLOW'),
    workflowFile: workflowFileOf(variable('WORKFLOW_REF'), name),
    id: variable('JOB'),
    step: variable('ACTION'),
    leg: legOf(runner.input('leg')),
    actor: variable('ACTOR'),
    runId,
    runNumber: Number(variable('RUN_NUMBER')) || 0,
    attempt: Number(variable('RUN_ATTEMPT')) || 1,
    url: `${variable('SERVER_URL') || 'https://github.com'}/${name}/actions/runs/${runId}`,
  };
}

const baseBranchOf = ({ pull_request, merge_group, repository }: Payload): string | undefined =>
  pull_request?.base?.ref ??
  merge_group?.base_ref?.replace(/^refs\/heads\//, '') ??
  repository?.default_branch;

/** Undefined where the job is of no matrix. */
export const legName = ({ leg: { index, total } }: Pick<Job, 'leg'>): string | undefined =>
  total === undefined || total === 1 ? undefined : `${index}/${total}`;

function legOf(given = ''): Job['leg'] {
  const [, index, total] = /^(\d{1,4})\/(\d{1,4})$/.exec(given) ?? [];
  return { index: Number(index ?? 0), total: total === undefined ? undefined : Number(total) };
}

function readPayload(runner: Runner): Payload {
  const file = runner.variable('GITHUB_EVENT_PATH');
  if (file === undefined) return {};
  try {
    return JSON.parse(readFileSync(runner.pathOf(file), 'utf8')) as Payload;
  } catch {
    throw new Problem('The payload of the event (GITHUB_EVENT_PATH) cannot be read.');
  }
}

/** Ids do not change with a new name. */
function isSame(head: Repository | null, base: Repository | undefined, name: string): boolean {
  if (head?.id !== undefined && base?.id !== undefined) return head.id === base.id;
  return head?.full_name?.toLowerCase() === name.toLowerCase();
}

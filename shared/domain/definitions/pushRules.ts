import { covers } from '../../contracts/base/scopes.ts';
import type { PushedDefinition } from '../../contracts/definitionPushes.ts';
import type { LastPush, PushSource } from '../../contracts/definitions.ts';
import { AppError, notFound } from '../errors.ts';
import type { Principal } from '../principal.ts';
import type { ProjectStore, StoredScorer, StoredSuite, SuiteReader } from '../suites/ports.ts';
import { timestamp } from '../time.ts';
import type { Present } from './appliedPush.ts';
import { numbersOnly } from './plan/shortPlans.ts';
import type { Plan } from './plan/types.ts';

type Job = Extract<Principal['credential'], { type: 'github_actions' }>;

export const jobOf = ({ credential }: Principal): Job | undefined =>
  credential.type === 'github_actions' ? credential : undefined;

/** What is known of a push. Of a job: by its token, whatever the request says. */
export function lastPushOf(principal: Principal, sent: PushSource, nowMs: number): LastPush {
  const job = jobOf(principal);
  const { path } = sent;
  const { repository, ref, sha } = job ?? sent;
  const known = { repository, ref, sha, path };
  const source = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  return { at: timestamp(nowMs), by: principal.credential, source };
}

interface Owned {
  readonly owner?: string | undefined;
}

/** Whether the credential is of a job of another repository than the one that something belongs to. */
export const isElsewhere = (principal: Principal, { owner }: Owned): boolean =>
  owner !== undefined && owner !== (jobOf(principal)?.repository ?? owner);

/** A suite and a scorer belong to the repository whose job pushed them first. API keys may push all. */
export function requireOwner(
  principal: Principal,
  suite: StoredSuite,
  scorers: readonly StoredScorer[],
): void {
  const what = isElsewhere(principal, suite) ? `The suite "${suite.slug}"` : undefined;
  const scorer = scorers.find((one) => isElsewhere(principal, one));
  if (what === undefined && scorer === undefined) return;
  const owner = what === undefined ? scorer?.owner : suite.owner;
  throw new AppError(
    'OWNED_ELSEWHERE',
    `${what ?? `The scorer "${scorer?.key}"`} is pushed by jobs of ${owner}: push it from there, or with an API key.`,
    { repository: owner },
  );
}

/** A job moves no suite of another repository by a scorer that has no owner. */
export async function requireOwnerOfMoved(
  { suites }: { readonly suites: Pick<SuiteReader, 'head' | 'find'> },
  principal: Principal,
  { affects }: Plan,
  { suite, byKey }: Present,
): Promise<void> {
  const repository = jobOf(principal)?.repository;
  if (repository === undefined) return;
  for (const moved of affects) {
    const scorer = moved.scorers.find((key) => byKey.get(key)?.owner === undefined);
    if (scorer === undefined) continue;
    const head = await suites.head(principal.orgId, moved.suite, suite.project_id);
    const owner = head && (await suites.find(principal.orgId, head.suiteId))?.owner;
    if (owner === undefined || owner === repository) continue;
    throw new AppError(
      'OWNED_ELSEWHERE',
      `The scorer "${scorer}" is used by the suite "${moved.suite}", which is pushed by jobs of ${owner}: push it from there, or with an API key.`,
      { repository: owner },
    );
  }
}

/** An old job that is run again has its old bar. */
export function requireNewest(principal: Principal, suite: StoredSuite): void {
  const job = jobOf(principal);
  if (job === undefined || !isOlder(job.run_id, runIdOf(suite))) return;
  const run_id = runIdOf(suite);
  throw new AppError(
    'STALE_PUSH',
    `The job ${run_id}, which is newer than this one, has pushed the suite "${suite.slug}" already: run the newest job again.`,
    { run_id },
  );
}

/** Of the newest job. Suites from before that was kept say it only where the last push was a job's. */
function runIdOf({ newest_job, last_push }: StoredSuite): string | undefined {
  return newest_job ?? (last_push?.by.type === 'github_actions' ? last_push.by.run_id : undefined);
}

const DIGITS = /^\d{1,20}$/;

const isOlder = (one: string, other: string | undefined): boolean =>
  other !== undefined && DIGITS.test(one) && DIGITS.test(other) && BigInt(one) < BigInt(other);

/** Whether a push that changes nothing comes from a newer job: an older one must not undo it. */
export const isNewerJob = (principal: Principal, suite: StoredSuite): boolean => {
  const job = jobOf(principal);
  return job !== undefined && job.run_id !== runIdOf(suite) && !isOlder(job.run_id, runIdOf(suite));
};

/** After a push: an API key leaves open no way for older jobs. */
export const newestJobOf = (principal: Principal, suite: StoredSuite): string | undefined =>
  isNewerJob(principal, suite) ? jobOf(principal)?.run_id : runIdOf(suite);

export function requireAsStrict({ weaker }: Pick<PushedDefinition, 'weaker'>, version: number): void {
  if (weaker.length === 0) return;
  throw new AppError(
    'WEAKER_BAR',
    `The push makes the bar weaker, or may, in ${weaker.length} ${weaker.length === 1 ? 'way' : 'ways'}: nothing was changed. Send allow_weaker if it is meant.`,
    { version, weaker: weaker.slice(0, TOLD_MAX).map(numbersOnly) },
  );
}

/** A project may keep weaker pushes to credentials of scope `full`. */
export async function requireMayWeaken(
  { projects }: { readonly projects: ProjectStore },
  principal: Principal,
  { weaker }: Plan,
  { project_id }: StoredSuite,
): Promise<void> {
  if (weaker.length === 0) return;
  const project = await projects.find(principal.orgId, project_id);
  if (project === undefined) throw notFound('project');
  if (covers(principal.scope, project.weaker_pushes)) return;
  throw new AppError(
    'SCOPE_REQUIRED',
    `The push makes the bar weaker, or may, and the project takes such pushes from credentials of scope "${project.weaker_pushes}" only: push what is not weaker, or send a key of that scope.`,
  );
}

const TOLD_MAX = 50;

export function requireVersion(expected: number | undefined, version: number): void {
  if (expected === undefined || expected === version) return;
  throw new AppError(
    'VERSION_CONFLICT',
    `The suite has changed since the plan was made: it is version ${version} now, not ${expected}. Look at the plan again.`,
    { version },
  );
}

/**
 * Every endpoint that writes to a suite, its cases or a scorer calls this first, after `live.ts`, so that all apply the
 * same rule. A new resource has no owner yet, and makes no bar weaker.
 */
import { covers } from '../../../contracts/base/scopes.ts';
import { AppError, notFound } from '../../errors.ts';
import { isSameSource, type Job, type JobSource, jobOf, type Principal, sourceOf } from '../../principal.ts';
import type { ProjectReader } from '../ports.ts';
import type { StoredScorer, StoredSuite } from '../stored.ts';

interface Deps {
  readonly projects: Pick<ProjectReader, 'find'>;
}

interface Written {
  readonly project_id: string;
  /** The one that is changed or deleted, or whose cases are. */
  readonly suite?: StoredSuite | undefined;
  /** Whether outputs may be cleared afterwards that were not before. Single writes are not checked for this. */
  readonly mayWeaken?: boolean;
}

interface WrittenScorers {
  /** Those that are changed or deleted. */
  readonly changed: readonly StoredScorer[];
  /** Those of its project whose cases use it, inactive ones included. */
  readonly suitesUsing: (orgId: string, scorer: StoredScorer) => Promise<readonly StoredSuite[]>;
}

const NO_SCORERS: WrittenScorers = { changed: [], suitesUsing: async () => [] };

/**
 * Jobs write to what belongs to their repository or project or to none, and not after a newer job has pushed it. API keys may write
 * to all. A project may keep what makes a bar weaker to credentials of scope `full`.
 */
export async function requireMayWrite(
  deps: Deps,
  principal: Principal,
  written: Written,
  { changed, suitesUsing }: WrittenScorers = NO_SCORERS,
): Promise<void> {
  const job = jobOf(principal);
  if (job !== undefined) {
    const used = await Promise.all(changed.map((scorer) => suitesUsing(principal.orgId, scorer)));
    const scorers = changed.map((scorer, index) => ({ scorer, suites: used[index] ?? [] }));
    requireOwner(principal, written.suite, scorers);
    const moved = scorers
      .flatMap(({ suites }) => suites)
      .filter(({ owner }) => owner !== undefined && isSameSource(owner, sourceOf(job)));
    for (const suite of [written.suite ?? [], moved].flat()) requireNewest(job, suite);
  }
  if (written.mayWeaken ?? true) await requireMayWeaken(deps, principal, written);
}

/**
 * What may make a bar weaker is no session's that gave its key long ago. It is compared where it is written, with what is
 * in force then; the code for that is loaded with the first session.
 */
export async function requireKeyIfWeaker(
  { session }: Pick<Principal, 'session'>,
  before: object,
  after: object,
): Promise<void> {
  if (session === undefined || after === before) return;
  const { isAsStrict } = await import('./asStrict.ts');
  if (!isAsStrict(before, after)) session.requireReauthentication();
}

interface Owned {
  readonly owner?: JobSource | undefined;
}

/** Whom something belongs to after a push: of a job's repository or project under the name that it has now. */
export function ownerAfter(principal: Principal, { owner }: Owned): JobSource | undefined {
  const job = jobOf(principal);
  return job === undefined || isElsewhere(principal, { owner }) ? owner : sourceOf(job);
}

/** After a push: a registration of the scope `suites` names one branch, which is its job's ref. */
export const defaultRefAfter = (principal: Principal, suite: StoredSuite): string | undefined =>
  jobOf(principal)?.ref ?? suite.default_ref;

/** Whether the credential is of a job of another repository or project than the one that something belongs to. */
export function isElsewhere(principal: Principal, { owner }: Owned): boolean {
  const job = jobOf(principal);
  return job !== undefined && owner !== undefined && !isSameSource(owner, sourceOf(job));
}

interface UsedScorer {
  readonly scorer: StoredScorer;
  readonly suites: readonly StoredSuite[];
}

/** A suite and a scorer belong to those whose job pushed them first; a scorer without owner, to its suites. */
function requireOwner(
  principal: Principal,
  suite: StoredSuite | undefined,
  scorers: readonly UsedScorer[],
): void {
  const refuse = (what: string, { owner }: Owned): never => {
    throw new AppError(
      'OWNED_ELSEWHERE',
      `${what} is pushed by jobs of ${owner && ownerWords(principal, owner)}: push it from there, or use an API key.`,
      owner && ownerFields(owner),
    );
  };
  if (suite !== undefined && isElsewhere(principal, suite)) refuse(`The suite "${suite.slug}"`, suite);
  for (const { scorer } of scorers) {
    if (isElsewhere(principal, scorer)) refuse(`The scorer "${scorer.key}"`, scorer);
  }
  for (const { scorer, suites } of scorers.filter(({ scorer }) => scorer.owner === undefined)) {
    const other = suites.find((one) => isElsewhere(principal, one));
    if (other === undefined) continue;
    refuse(`The scorer "${scorer.key}" is used by the suite "${other.slug}", which`, other);
  }
}

const ownerFields = ({ provider, issuer, id, name }: JobSource) =>
  provider === 'github' ? { repository_id: id, repository: name } : { provider, issuer, id, name };

/** A new repository may have an old one's name, and one of another system an equal name. */
function ownerWords(principal: Principal, owner: JobSource): string {
  const job = jobOf(principal);
  const source = job && sourceOf(job);
  if (source?.name !== owner.name) return owner.name;
  if (source.provider !== owner.provider || source.issuer !== owner.issuer)
    return `${owner.name} at ${owner.issuer ?? 'GitHub'}`;
  const kind = owner.provider === 'github' ? 'repository' : 'project';
  return `the ${kind} ${owner.id}, which had the name ${owner.name} before this one, ${source.id},`;
}

/** An old job that is run again has its old bar. */
function requireNewest({ run_id: runId }: Job, suite: StoredSuite): void {
  const run_id = suite.newest_job;
  if (runId === undefined || !isOlderRun(runId, run_id)) return;
  throw new AppError(
    'STALE_PUSH',
    `The job ${run_id}, which is newer than this one, has pushed the suite "${suite.slug}" already: run the newest job again.`,
    { run_id },
  );
}

const DIGITS = /^\d{1,20}$/;

export const isOlderRun = (one: string, other: string | undefined): boolean =>
  other !== undefined && DIGITS.test(one) && DIGITS.test(other) && BigInt(one) < BigInt(other);

async function requireMayWeaken({ projects }: Deps, principal: Principal, written: Written): Promise<void> {
  if (covers(principal.scope, 'full')) return;
  const project = await projects.find(principal.orgId, written.project_id);
  if (project === undefined) throw notFound('project');
  if (covers(principal.scope, project.weaker_pushes)) return;
  throw new AppError(
    'SCOPE_REQUIRED',
    `The project takes what may make a bar weaker from credentials of scope "${project.weaker_pushes}" only: push a definition that is not weaker, or send a key of that scope.`,
  );
}

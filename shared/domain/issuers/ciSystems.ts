import type { CiProvider } from '../../contracts/base/credentials.ts';
import { isBranch, type NewRegistration } from '../../contracts/credentials/trustedIssuers.ts';
import { invalidField } from '../errors.ts';
import { EVENTS_OF_REF } from '../jobEvents.ts';
import { type Claims, claimAt } from './claimConditions.ts';

const GITHUB = 'https://token.actions.githubusercontent.com';
const CIRCLE = 'oidc.circleci.com/';

interface CiSystem {
  /** What messages call it. */
  readonly title: string;
  /** The host whose issuers are known to be its. */
  readonly host?: string;
  /** Claims that hold an id, of which a registration names one: every customer of a shared issuer gets tokens. */
  readonly bind: readonly string[];
  /** The claim that says whose job it is. */
  readonly identity: string;
  readonly name?: string;
  readonly ref?: string;
  readonly sha?: string;
  readonly event?: string;
  readonly actor?: string;
  readonly runId?: string;
}

export const CI_SYSTEMS: Readonly<Record<CiProvider, CiSystem>> = {
  gitlab: {
    title: 'GitLab',
    host: 'gitlab.com',
    bind: ['project_id', 'namespace_id'],
    identity: 'project_id',
    name: 'project_path',
    ref: 'ref_path',
    sha: 'sha',
    event: 'pipeline_source',
    actor: 'user_login',
    runId: 'pipeline_id',
  },
  buildkite: {
    title: 'Buildkite',
    host: 'agent.buildkite.com',
    bind: ['pipeline_id'],
    identity: 'pipeline_id',
    name: 'pipeline_slug',
    ref: 'build_branch',
    sha: 'build_commit',
    event: 'build_source',
    runId: 'job_id',
  },
  circleci: {
    title: 'CircleCI',
    host: 'oidc.circleci.com',
    bind: [`${CIRCLE}project-id`],
    identity: `${CIRCLE}project-id`,
    ref: `${CIRCLE}vcs-ref`,
    runId: `${CIRCLE}job-id`,
  },
  other: { title: 'This issuer', bind: ['sub'], identity: 'sub', name: 'sub' },
};

const SYSTEMS = Object.entries(CI_SYSTEMS) as [CiProvider, CiSystem][];

/** The system that an issuer is known for. */
const providerOf = (issuer: string): CiProvider =>
  SYSTEMS.find(([, { host }]) => host === new URL(issuer).hostname)?.[0] ?? 'other';

export interface CiJob {
  readonly subject: string;
  readonly name: string | undefined;
  readonly ref: string | undefined;
  readonly sha: string | undefined;
  readonly eventName: string | undefined;
  readonly actor: string | undefined;
  readonly runId: string | undefined;
  /** Why it gets no scope `suites`. */
  readonly unsafe: string | undefined;
}

const SUBJECT_CHARACTERS_MAX = 255;
const NAME_CHARACTERS_MAX = 100;
const REF_CHARACTERS_MAX = 1_024;
const SHA = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** Foreign text that is shown: without control and invisible characters. */
function shown(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.replace(/\p{C}/gu, '') : '';
  return text === '' ? undefined : [...text].slice(0, NAME_CHARACTERS_MAX).join('');
}

/** Foreign text that is compared: as it is, or undefined. */
function exact(value: unknown, charactersMax: number): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  const isPlain = typeof text === 'string' && text.length <= charactersMax && /^\P{C}+$/u.test(text);
  return isPlain ? text : undefined;
}

/** Undefined for a job that gets no token: of a fork, begun again over SSH, or without a claim that says whose it is. */
export function ciJobIn(provider: CiProvider, claims: Claims): CiJob | undefined {
  const system = CI_SYSTEMS[provider];
  const read = (name: string | undefined): unknown =>
    name === undefined ? undefined : claimAt(claims, name);
  const subject = exact(read(system.identity), SUBJECT_CHARACTERS_MAX);
  if (subject === undefined || isOfFork(provider, claims) || isByHand(provider, claims)) return undefined;
  const sha = exact(read(system.sha), NAME_CHARACTERS_MAX);
  return {
    subject,
    name: shown(read(system.name)),
    ref: exact(read(system.ref), REF_CHARACTERS_MAX),
    sha: sha !== undefined && SHA.test(sha) ? sha : undefined,
    eventName: exact(read(system.event), NAME_CHARACTERS_MAX),
    actor: shown(read(system.actor)),
    runId: exact(read(system.runId), NAME_CHARACTERS_MAX),
    unsafe: unsafeFor(provider, claims),
  };
}

/** Since GitLab 18.2 a merge request from a fork names both projects. Older servers name the target twice. */
function isOfFork(provider: CiProvider, { project_id, job_project_id }: Claims): boolean {
  return (
    provider === 'gitlab' && job_project_id !== undefined && String(job_project_id) !== String(project_id)
  );
}

/** A job of CircleCI that was begun again with SSH: a person may have changed what it runs. */
function isByHand(provider: CiProvider, { [`${CIRCLE}ssh-rerun`]: isRerun = false }: Claims): boolean {
  return provider === 'circleci' && isRerun !== false && isRerun !== 'false';
}

/** Only GitLab's tokens say that the ref is protected, and why the job runs. */
function unsafeFor(provider: CiProvider, claims: Claims): string | undefined {
  const ofRef = EVENTS_OF_REF[provider];
  if (ofRef === undefined) return withoutSuites(provider);
  const { ref_type, ref_protected, pipeline_source, pipeline_id } = claims;
  if (!/^\d{1,20}$/.test(String(pipeline_id)))
    return 'The token does not name its pipeline by number (pipeline_id), so that an older pipeline could undo a newer push: push with an API key of the scope "suites", or ask for the scope "run".';
  if (ref_type !== 'branch' || !ofRef.some((source) => source === pipeline_source))
    return `Only jobs of a branch, of the pipeline sources ${ofRef.join(', ')}, get the scope "suites", since others may run code without a review: send it from one of these, or ask for the scope "run".`;
  if (ref_protected !== true && ref_protected !== 'true')
    return 'Only jobs of a protected branch get the scope "suites": protect the branch at GitLab, or ask for the scope "run".';
  return undefined;
}

const withoutSuites = (provider: CiProvider): string =>
  `${CI_SYSTEMS[provider].title} does not say of a job that its branch is protected, so its jobs get no scope "suites": push with an API key of that scope in a restricted context.`;

interface CiRegistration {
  readonly issuer: string;
  readonly provider: CiProvider;
  readonly claims: NonNullable<NewRegistration['claims']>;
}

/** What a registration of jobs of another system must bind. Throws where it would trust jobs of strangers. */
export function checkedRegistration(
  body: NewRegistration & Pick<CiRegistration, 'issuer' | 'claims'>,
  githubIssuer: string,
): CiRegistration {
  const { issuer, claims, scope } = body;
  if (issuer === githubIssuer || issuer === GITHUB)
    throw invalidField(
      'issuer',
      'is the one of GitHub Actions: send "repository" in place of issuer and claims',
    );
  const known = providerOf(issuer);
  const provider = body.provider ?? known;
  if (known !== 'other' && provider !== known)
    throw invalidField('provider', `must be "${known}" for this issuer`);
  const { title, bind } = CI_SYSTEMS[provider];
  const isNamed = (name: string): boolean => Object.hasOwn(claims, name);
  if (!bind.some(isNamed)) {
    const hinted = Object.entries(CI_SYSTEMS).find(([, system]) => system.bind.some(isNamed));
    if (hinted !== undefined && provider === 'other')
      throw invalidField(
        'provider',
        `must be "${hinted[0]}" where a claim is ${hinted[1].bind.find(isNamed)}`,
      );
    throw invalidField(
      'claims',
      `must name ${bind.join(' or ')}: ${title} gives tokens to jobs of others, too, and names can be taken again`,
    );
  }
  if (scope === 'suites') checkSuites(provider, body);
  return { issuer, provider, claims };
}

function checkSuites(provider: CiProvider, { claims = {}, project }: NewRegistration): void {
  if (EVENTS_OF_REF[provider] === undefined) throw invalidField('scope', withoutSuites(provider));
  const needs = (name: string, what: string): Error =>
    invalidField('claims', `must name ${what} as "${name}" for the scope "suites"`);
  if (typeof claims.project_id !== 'string') throw needs('project_id', 'one project of GitLab');
  if (!isBranch(claims.ref_path)) throw needs('ref_path', 'one branch in full, such as "refs/heads/main",');
  if (typeof claims.ci_config_ref_uri !== 'string')
    throw needs('ci_config_ref_uri', 'one file of the pipeline, with its ref,');
  if (project === undefined) throw invalidField('project', 'must name one project for the scope "suites"');
}

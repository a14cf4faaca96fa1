import { type Io, isInActions, variable } from './io.ts';

type Read = (name: string) => string | undefined;

/** What a CI system says of a job in its variables. */
interface CiSystem {
  /** Only its jobs have this variable. */
  readonly sign: string;
  readonly sha: string;
  /** By name, or in full. */
  readonly branch: (read: Read) => string | undefined;
  readonly tag?: string;
  /** Its number, or its address, which ends with the number. */
  readonly pullRequests: readonly string[];
  /** Of the pipeline or build, so that a job that runs again sends the same run. */
  readonly url: (read: Read) => string | undefined;
}

const named =
  (name: string) =>
  (read: Read): string | undefined =>
    read(name);

/** Of parts of which none is missing. */
const urlOf = (...parts: readonly (string | undefined)[]): string | undefined =>
  parts.includes(undefined) ? undefined : parts.join('');

const SYSTEMS: readonly CiSystem[] = [
  {
    sign: 'GITLAB_CI',
    sha: 'CI_COMMIT_SHA',
    branch: named('CI_COMMIT_REF_NAME'),
    tag: 'CI_COMMIT_TAG',
    pullRequests: ['CI_MERGE_REQUEST_IID'],
    url: named('CI_PIPELINE_URL'),
  },
  {
    sign: 'BUILDKITE',
    sha: 'BUILDKITE_COMMIT',
    branch: named('BUILDKITE_BRANCH'),
    tag: 'BUILDKITE_TAG',
    pullRequests: ['BUILDKITE_PULL_REQUEST'],
    url: named('BUILDKITE_BUILD_URL'),
  },
  {
    sign: 'CIRCLECI',
    sha: 'CIRCLE_SHA1',
    branch: named('CIRCLE_BRANCH'),
    tag: 'CIRCLE_TAG',
    pullRequests: ['CIRCLE_PR_NUMBER', 'CIRCLE_PULL_REQUEST'],
    url: named('CIRCLE_BUILD_URL'),
  },
  {
    sign: 'TF_BUILD',
    sha: 'BUILD_SOURCEVERSION',
    branch: named('BUILD_SOURCEBRANCH'),
    pullRequests: ['SYSTEM_PULLREQUEST_PULLREQUESTNUMBER', 'SYSTEM_PULLREQUEST_PULLREQUESTID'],
    url: (read) =>
      urlOf(
        read('SYSTEM_COLLECTIONURI')?.replace(/\/?$/, '/'),
        read('SYSTEM_TEAMPROJECTID'),
        '/_build/results?buildId=',
        read('BUILD_BUILDID'),
      ),
  },
  {
    sign: 'BITBUCKET_BUILD_NUMBER',
    sha: 'BITBUCKET_COMMIT',
    branch: named('BITBUCKET_BRANCH'),
    tag: 'BITBUCKET_TAG',
    pullRequests: ['BITBUCKET_PR_ID'],
    url: (read) =>
      urlOf(
        'https://bitbucket.org/',
        read('BITBUCKET_REPO_FULL_NAME'),
        '/pipelines/results/',
        read('BITBUCKET_BUILD_NUMBER'),
      ),
  },
  {
    sign: 'JENKINS_URL',
    sha: 'GIT_COMMIT',
    // The Git plugin has the name of the remote before that of the branch.
    branch: (read) => read('BRANCH_NAME') ?? read('GIT_BRANCH')?.replace(/^origin\//, ''),
    tag: 'TAG_NAME',
    pullRequests: ['CHANGE_ID'],
    url: named('BUILD_URL'),
  },
];

const SHA = /^[0-9a-f]{40}([0-9a-f]{24})?$/;
const NUMBER = /(?:^|\/)(\d{1,20})$/;
const REF_CHARACTERS_MAX = 1_024;
const URL_CHARACTERS_MAX = 2_048;

/** Jobs of GitHub have the Action for it. */
const systemOf = (io: Pick<Io, 'env'>): CiSystem | undefined =>
  isInActions(io) ? undefined : SYSTEMS.find(({ sign }) => variable(io, sign) !== undefined);

export const isInCi = (io: Pick<Io, 'env'>): boolean => isInActions(io) || systemOf(io) !== undefined;

/** What a user names instead of it: one of these, and nothing of the same kind is added. */
const OF_COMMIT = ['sha', 'commit'];
const OF_STATE = ['ref', 'branch', 'head_ref', 'pull_request', 'pr'];

/** Where a run comes from, of a job of a CI system: for its `trigger_meta`, beside what the user gave. */
export function metaOfJob(
  io: Pick<Io, 'env'>,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const system = systemOf(io);
  if (system === undefined) return {};
  const read = (name: string) => variable(io, name);
  const isFree = (names: readonly string[]): boolean => names.every((name) => !Object.hasOwn(given, name));
  const sha = read(system.sha) ?? '';
  const [pull] = system.pullRequests.flatMap((name) => NUMBER.exec(read(name) ?? '')?.[1] ?? []);
  const ref = refOf(system, read);
  const url = system.url(read);
  return {
    ...(SHA.test(sha) && isFree(OF_COMMIT) && { sha }),
    ...(ref !== undefined && isFree(OF_STATE) && { ref }),
    ...(pull !== undefined && isFree(OF_STATE) && { pull_request: pull }),
    ...(url !== undefined && url.length <= URL_CHARACTERS_MAX && isFree(['run_url']) && { run_url: url }),
  };
}

/** In full: a tag may have the name of a branch. Undefined for one that is too long, which cut short would be another. */
function refOf({ branch, tag }: CiSystem, read: Read): string | undefined {
  const tagName = tag && read(tag);
  const name = branch(read);
  const ref = tagName ? `refs/tags/${tagName}` : name?.replace(/^(?!refs\/)/, 'refs/heads/');
  return ref !== undefined && ref.length <= REF_CHARACTERS_MAX ? ref : undefined;
}

import type { Run } from '../../../sdk/index.ts';

/** A fact about where a run comes from; a link only where its parts are what they should be. */
export interface Fact {
  readonly name: string;
  /** Foreign. */
  readonly text: string;
  readonly href?: string | undefined;
  /** What the request said of itself: it is not checked. */
  readonly isUnverified: boolean;
}

/** Where repositories of a host have their pages. */
interface Host {
  /** Without a slash at its end. */
  readonly url: string;
  /** Of a repository's name: whether its page has that address. */
  readonly isName: (name: string) => boolean;
  readonly commits: string;
  readonly pulls: string;
  readonly jobs: string;
}

/** No name is made of dots only: it would lead to another place. */
const SEGMENT = /^(?!\.+$)[\w.-]{1,100}$/;
const segmentsOf = (name: string): number =>
  name.split('/').every((segment) => SEGMENT.test(segment)) ? name.split('/').length : 0;
/** The service cuts longer names of projects. */
const PROJECT_CHARACTERS_MAX = 99;

const GITHUB: Host = {
  url: 'https://github.com',
  isName: (name) => segmentsOf(name) === 2,
  commits: 'commit',
  pulls: 'pull',
  jobs: 'actions/runs',
};
/** `url`: its issuer, which the organisation trusts. Projects may be in groups of groups. */
const gitlabAt = (url: string): Host => ({
  url,
  isName: (name) => segmentsOf(name) >= 2 && name.length <= PROJECT_CHARACTERS_MAX,
  commits: '-/commit',
  pulls: '-/merge_requests',
  jobs: '-/pipelines',
});

const SHA = /^[0-9a-f]{7,64}$/;
const DIGITS = /^\d{1,20}$/;
const PULL = /^refs\/pull\/(\d{1,20})\/(?:merge|head)$/;

type Part = 'repository' | 'sha' | 'pull' | 'ref' | 'workflow' | 'job' | 'runUrl';

export type Source = Pick<Run, 'created_by' | 'trigger_meta'>;

interface Origin {
  /** Undefined where no address is known. */
  readonly host: Host | undefined;
  /** By the claims of the job's token. */
  readonly proved: Readonly<Partial<Record<Part, string | undefined>>>;
  /** By what the request said of itself. */
  readonly unproved: Readonly<Partial<Record<Part, string | undefined>>>;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** Of a job the claims of its token; of other requests what they say of themselves. */
function originOf({ created_by: by, trigger_meta: meta }: Source): Origin {
  const first = (...names: readonly string[]): string | undefined =>
    names.map((name) => textOf(meta[name])).find((text) => text !== undefined);
  if (by.type === 'github_actions') {
    const { repository, sha, ref, head_ref, workflow, run_id: job } = by;
    const pull = PULL.exec(ref)?.[1];
    return {
      host: GITHUB,
      proved: { repository, sha, pull, ref: head_ref ?? ref, workflow, job },
      unproved: {},
    };
  }
  const pull = first('pull_request', 'pr') ?? PULL.exec(first('ref') ?? '')?.[1];
  const runUrl = first('run_url');
  if (by.type === 'ci_job') {
    const { name: repository, sha, ref, run_id: job, provider, issuer } = by;
    const isGitlab = provider === 'gitlab' && /^https:\/\/[\w.-]+$/.test(issuer);
    // Tokens of other systems do not say it all.
    const unproved = { sha: first('sha', 'commit'), pull, ref: first('ref'), runUrl };
    return {
      host: isGitlab ? gitlabAt(issuer) : undefined,
      proved: { repository, sha, ref, job },
      unproved,
    };
  }
  const unproved = {
    repository: first('repository'),
    sha: first('sha', 'commit'),
    pull,
    ref: first('branch', 'head_ref', 'ref'),
    workflow: first('workflow'),
    job: first('run_id'),
    runUrl,
  };
  return { host: GITHUB, proved: {}, unproved };
}

const SHA_SHOWN = 7;

/** What was judged; undefined where the run does not name it. */
export const commitOf = (run: Source): Fact | undefined => factsOf(run).find(({ name }) => name === 'Commit');

/** In a heading: a whole text that is none of a commit is not shown there. */
export const shortCommitOf = (run: Source): string | undefined => {
  const { text = '' } = commitOf(run) ?? {};
  return SHA.test(text) ? text : undefined;
};

/** Addresses are built of parts. Only that of the CI run is taken as it is, and shown in full: it can be any https page. */
export function factsOf(run: Source): readonly Fact[] {
  const { host, proved, unproved } = originOf(run);
  const named = (part: Part): string | undefined => proved[part] ?? unproved[part];
  const repository = named('repository');
  const home =
    host !== undefined && repository !== undefined && host.isName(repository)
      ? `${host.url}/${repository}`
      : undefined;
  const link = (part: Part, form: RegExp, folder: string | undefined): string | undefined => {
    const text = named(part);
    return home !== undefined && text !== undefined && form.test(text)
      ? `${home}/${folder}/${text}`
      : undefined;
  };
  const [sha, pull, runUrl] = [named('sha'), named('pull'), named('runUrl')];
  const url = runUrl && URL.parse(runUrl);
  const isPlain = url && url.protocol === 'https:' && url.username === '' && url.password === '';
  const facts: readonly (readonly [Part, string, string | undefined, (string | undefined)?])[] = [
    ['repository', 'Repository', repository, home],
    [
      'sha',
      'Commit',
      sha !== undefined && SHA.test(sha) ? sha.slice(0, SHA_SHOWN) : sha,
      link('sha', SHA, host?.commits),
    ],
    ['pull', 'Pull request', pull && `#${pull}`, link('pull', DIGITS, host?.pulls)],
    ['ref', 'Ref', pull === undefined ? named('ref') : undefined],
    ['workflow', 'Workflow', named('workflow')],
    ['job', 'Job', named('job'), link('job', DIGITS, host?.jobs)],
    // Its words, no link: it leads where the request says.
    ['runUrl', 'CI run', isPlain ? runUrl : undefined],
  ];
  return facts.flatMap(([part, name, text, href]) =>
    text ? [{ name, text, href, isUnverified: proved[part] === undefined }] : [],
  );
}

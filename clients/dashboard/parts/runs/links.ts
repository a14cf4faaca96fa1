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

const GITHUB = 'https://github.com';
/** No name is made of dots only: it would lead to another place. */
const REPOSITORY = /^(?!\.+\/)[\w.-]{1,100}\/(?!\.+$)[\w.-]{1,100}$/;
const SHA = /^[0-9a-f]{7,64}$/;
const DIGITS = /^\d{1,20}$/;
const PULL = /^refs\/pull\/(\d{1,20})\/(?:merge|head)$/;

interface Origin {
  readonly repository: string | undefined;
  readonly sha: string | undefined;
  readonly pull: string | undefined;
  readonly ref: string | undefined;
  readonly workflow: string | undefined;
  readonly job: string | undefined;
  readonly isUnverified: boolean;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** Of a job the claims of its token; of other requests what they say of themselves. */
function originOf({ created_by: by, trigger_meta: meta }: Run): Origin {
  if (by.type === 'github_actions') {
    const { repository, sha, ref, head_ref, workflow, run_id } = by;
    return {
      repository,
      sha,
      workflow,
      job: run_id,
      isUnverified: false,
      pull: PULL.exec(ref)?.[1],
      ref: head_ref ?? ref,
    };
  }
  const first = (...names: readonly string[]): string | undefined =>
    names.map((name) => textOf(meta[name])).find((text) => text !== undefined);
  return {
    repository: first('repository'),
    sha: first('sha', 'commit'),
    pull: first('pull_request', 'pr') ?? PULL.exec(first('ref') ?? '')?.[1],
    ref: first('branch', 'head_ref', 'ref'),
    workflow: first('workflow'),
    job: first('run_id'),
    isUnverified: true,
  };
}

const SHA_SHOWN = 7;

/** Addresses are built of parts, never taken as they are. */
export function factsOf(run: Run): readonly Fact[] {
  const { repository, sha, pull, ref, workflow, job, isUnverified } = originOf(run);
  const isRepository = repository !== undefined && REPOSITORY.test(repository);
  const link = (part: string | undefined, form: RegExp, folder: string): string | undefined =>
    isRepository && part !== undefined && form.test(part)
      ? `${GITHUB}/${repository}/${folder}/${part}`
      : undefined;
  const facts: readonly (Omit<Fact, 'isUnverified' | 'text'> & { readonly text: string | undefined })[] = [
    { name: 'Repository', text: repository, href: isRepository ? `${GITHUB}/${repository}` : undefined },
    {
      name: 'Commit',
      text: sha !== undefined && SHA.test(sha) ? sha.slice(0, SHA_SHOWN) : sha,
      href: link(sha, SHA, 'commit'),
    },
    { name: 'Pull request', text: pull && `#${pull}`, href: link(pull, DIGITS, 'pull') },
    { name: 'Ref', text: pull === undefined ? ref : undefined },
    { name: 'Workflow', text: workflow },
    { name: 'Job', text: job, href: link(job, DIGITS, 'actions/runs') },
  ];
  return facts.flatMap((fact) => (fact.text ? [{ ...fact, text: fact.text, isUnverified }] : []));
}

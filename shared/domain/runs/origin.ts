import type { Run } from '../../contracts/runs.ts';
import { EVENTS_OF_REF } from '../jobEvents.ts';
import { isJob, sourceOf } from '../principal.ts';

/** What a run judged: the state of a branch, or of a pull request. Both are null where that is not known. */
export interface Origin {
  readonly branch: string | null;
  readonly pull_request: string | null;
  readonly is_default_branch: boolean;
}

type Source = Pick<Run, 'created_by' | 'trigger_meta'>;
type Named = Pick<Origin, 'branch' | 'pull_request'>;

const BRANCH = 'refs/heads/';
const DEFAULTS: readonly unknown[] = ['main', 'master'];
/** A job of another event may have the default branch as its ref, and judge what is not merged. */
const OF_REF: readonly unknown[] = [...(EVENTS_OF_REF.github ?? []), 'merge_group'];
const ofRefAt = (provider: string): readonly unknown[] | undefined =>
  provider === 'github' ? OF_REF : EVENTS_OF_REF[provider];
/** As GitHub and its runners have it: `refs/pull/7/merge`, `7/merge`; at GitLab `refs/merge-requests/7/head`. */
const PULL = /^(?:refs\/(?:pull|merge-requests)\/)?(\d{1,20})\/(?:merge|head)$/;
const NUMBER = /^#?(\d{1,20})$/;
const BRANCH_CHARACTERS_MAX = 1_024;

const UNKNOWN: Named = { branch: null, pull_request: null };

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && value !== false;

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const pullOf = (ref: unknown): string | undefined => PULL.exec(textOf(ref))?.[1];

/** Null where it has another form. */
export const pullNumber = (value: unknown): string | null =>
  NUMBER.exec(textOf(value))?.[1] ?? pullOf(value) ?? null;

/** What is no branch, such as a tag, keeps its full name. */
export const branchName = (ref: unknown): string | null => {
  const text = textOf(ref);
  const name = text.startsWith(BRANCH) ? text.slice(BRANCH.length) : text;
  return name === '' || name.length > BRANCH_CHARACTERS_MAX ? null : name;
};

const only = (values: readonly (string | null)[]): string | null =>
  new Set(values).size === 1 ? (values[0] ?? null) : null;

/** Undefined: nothing is said. Of a job its token decides; the rest may say itself whose pull request it is. */
function namedIn({ created_by: by, trigger_meta: meta }: Source): Named | undefined {
  const job = isJob(by) ? by : undefined;
  const events = job && ofRefAt(sourceOf(job).provider);
  if (job !== undefined && events?.includes(job.event_name) && pullOf(job.ref) === undefined)
    return { branch: branchName(job.ref), pull_request: null };
  const refs = job?.ref === undefined ? [meta.head_ref, meta.branch, meta.ref].filter(isSaid) : [job.ref];
  const ofRefs = refs.flatMap((ref) => pullOf(ref) ?? []);
  const pulls =
    ofRefs.length > 0 && job
      ? ofRefs
      : [...ofRefs, ...[meta.pull_request, meta.pr].filter(isSaid).map(pullNumber)];
  if (pulls.length > 0) return { branch: null, pull_request: only(pulls) };
  // Tokens of other systems do not say why the job runs.
  if (events !== undefined || (isSaid(meta.event) && !OF_REF.includes(meta.event))) return UNKNOWN;
  return refs.length === 0 ? undefined : { branch: only(refs.map(branchName)), pull_request: null };
}

/** `defaultRef`: of the registration whose jobs push the suite. A run that names nothing counts as the default branch's. */
export function originOf(run: Source, defaultRef: string | undefined): Origin {
  const named = namedIn(run);
  return {
    ...(named ?? UNKNOWN),
    is_default_branch: named === undefined || isDefault(named.branch, defaultRef),
  };
}

export const isDefault = (branch: string | null, defaultRef: string | undefined): boolean =>
  branch !== null &&
  (defaultRef === undefined ? DEFAULTS.includes(branch) : branch === branchName(defaultRef));

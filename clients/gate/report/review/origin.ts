import type { Run } from '../../../sdk/index.ts';

type Origin = Pick<Run, 'branch' | 'pull_request' | 'is_default_branch'>;

/** What a run judged, such as `#417` or `main`. Empty for a run that names nothing and counts as the default branch's. */
export function originWords({ branch, pull_request, is_default_branch }: Origin): string {
  if (pull_request !== null) return `#${pull_request}`;
  return branch ?? (is_default_branch ? '' : 'not known');
}

/** Beside the latest run of a suite, where the default branch has none. */
export function originAside(origin: Origin): string {
  if (origin.is_default_branch) return '';
  const { branch, pull_request } = origin;
  return branch === null && pull_request === null
    ? 'of a branch that is not known'
    : `of ${originWords(origin)}, not of the default branch`;
}

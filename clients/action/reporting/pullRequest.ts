import type { Job } from '../job/event.ts';
import type { Inputs } from '../job/inputs.ts';
import { type Github, listed, namesOf } from './github.ts';

interface PullRequest {
  readonly number: number;
  readonly state: string;
  readonly head: { readonly sha: string };
}

/** Events that belong to no pull request, or to several. */
const WITHOUT = ['merge_group', 'schedule', 'release'];

/**
 * The pull request to comment on. A number that came with an artifact is believed only if the head of that pull request
 * is the commit of the workflow run which the job follows.
 */
export async function pullRequestOf(
  github: Github,
  { event, pullRequest, repository, sha, followedSha }: Job,
  { pullRequest: given }: Inputs,
): Promise<number | undefined> {
  if (pullRequest !== undefined) return pullRequest;
  const names = namesOf(repository);
  if (given !== undefined && followedSha !== undefined) {
    const { body } = await github.call('GET /repos/:/:/pulls/:', { names: [...names, String(given)] });
    return (body as Partial<PullRequest>).head?.sha === followedSha ? given : undefined;
  }
  if (given !== undefined) return given;
  if (WITHOUT.includes(event) || (event !== 'push' && followedSha === undefined)) return undefined;
  const ofCommit = await github.call('GET /repos/:/:/commits/:/pulls', { names: [...names, sha] });
  // Of a commit that was merged GitHub names the pull request, too.
  return listed<PullRequest>(ofCommit).find(({ state, head }) => state === 'open' && head.sha === sha)
    ?.number;
}

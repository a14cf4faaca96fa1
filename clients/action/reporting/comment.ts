import { EvalgateError } from '../../sdk/index.ts';
import type { Job } from '../job/event.ts';
import { type Github, listed, namesOf, UNKNOWN_FORM } from './github.ts';
import { type Marker, markerLine, readMarker } from './marker.ts';

interface Comment {
  readonly id: number;
  readonly html_url: string;
  readonly body?: string;
  readonly user: { readonly login: string } | null;
}

/** A comment that this step wrote in this run or another one. */
export interface OwnComment {
  readonly id: number;
  readonly marker: Marker;
  /** Below the marker. */
  readonly markdown: string;
}

const PAGE_SIZE = 100;
const JOB_AUTHOR = 'github-actions[bot]';

/** GitHub takes 65,536 characters. */
export const COMMENT_CHARACTERS_MAX = 60_000;

/** The comments of a pull request. */
export interface Thread {
  readonly github: Github;
  readonly job: Job;
  readonly pullRequest: number;
}

/** Writes a new comment, or in place of one; gives its address. */
export async function writeComment(
  { github, job, pullRequest }: Thread,
  marker: Marker,
  { markdown, replaces }: { markdown: string; replaces: OwnComment | undefined },
): Promise<string> {
  const names = namesOf(job.repository);
  const body = { body: `${markerLine(marker, job.sha)}\n${markdown}` };
  const { body: written } =
    replaces === undefined
      ? await github.call('POST /repos/:/:/issues/:/comments', {
          names: [...names, String(pullRequest)],
          body,
        })
      : await github.call('PATCH /repos/:/:/issues/comments/:', {
          names: [...names, String(replaces.id)],
          body,
        });
  const { html_url } = written as Partial<Comment>;
  if (html_url === undefined) throw new Error(UNKNOWN_FORM);
  return html_url;
}

/** One that is gone already was deleted by another job. */
export async function deleteComment({ github, job }: Thread, { id }: OwnComment): Promise<void> {
  const names = [...namesOf(job.repository), String(id)];
  await github.call('DELETE /repos/:/:/issues/comments/:', { names }).catch((error: unknown) => {
    if (!(error instanceof EvalgateError && error.status === 404)) throw error;
  });
}

/**
 * The comments of the marker's step, the newest first: from the last page backwards, since GitHub lists the oldest first,
 * and as long as none of them `isEnough`. Who else writes our marker is left alone.
 */
export async function ownComments(
  { github, job, pullRequest }: Thread,
  step: Marker['step'],
  isEnough: (comment: OwnComment) => boolean,
): Promise<readonly OwnComment[]> {
  const author = await authorOf(github);
  const names = [...namesOf(job.repository), String(pullRequest)];
  const pageOf = (page: number) =>
    github.call('GET /repos/:/:/issues/:/comments', { names, query: { per_page: PAGE_SIZE, page } });
  const ofStep = (comments: readonly Comment[]): OwnComment[] =>
    comments
      .flatMap(({ id, body = '', user }) => {
        const marker = user?.login === author ? readMarker(body) : undefined;
        return marker?.step === step ? [{ id, marker, markdown: body.slice(body.indexOf('\n') + 1) }] : [];
      })
      .toReversed();
  const first = await pageOf(1);
  const commentsOfStep: OwnComment[] = [];
  for (let page = lastPageOf(first.headers.get('link')); page > 1; page--) {
    commentsOfStep.push(...ofStep(listed(await pageOf(page))));
    if (commentsOfStep.some(isEnough)) return commentsOfStep;
  }
  return [...commentsOfStep, ...ofStep(listed(first))];
}

function lastPageOf(link: string | null): number {
  const last = (link ?? '').split(',').find((one) => one.includes('rel="last"')) ?? '';
  return Number(/[?&]page=(\d+)/.exec(last)?.[1] ?? 1);
}

/** The token of a job may not ask who it is. */
async function authorOf(github: Github): Promise<string> {
  if (github.token.startsWith('ghs_')) return JOB_AUTHOR;
  try {
    const { body } = await github.call('GET /user', { names: [] });
    const { login } = body as { readonly login?: string };
    if (login === undefined) throw new Error(UNKNOWN_FORM);
    return login;
  } catch (error) {
    if (error instanceof EvalgateError && error.status === 403) return JOB_AUTHOR;
    throw error;
  }
}

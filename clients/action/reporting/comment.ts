import { createHash } from 'node:crypto';
import { EvalgateError } from '../../sdk/index.ts';
import type { Job } from '../job/event.ts';
import { type Github, listed, namesOf, UNKNOWN_FORM } from './github.ts';

interface Comment {
  readonly id: number;
  readonly html_url: string;
  readonly body?: string;
  readonly user: { readonly login: string } | null;
}

export interface CommentOptions {
  readonly pullRequest: number;
  /** Tells several comments apart. */
  readonly key: string;
  /** Whether one is written where there is none. */
  readonly mayCreate: boolean;
  /** Without the marker. */
  readonly markdown: string;
}

const PAGE_SIZE = 100;
const JOB_AUTHOR = 'github-actions[bot]';
const MARKER = /^<!-- evalgate ([0-9a-f]{32}) run=(\d+)\.(\d+) sha=[0-9a-f]* -->/;

/** GitHub takes 65,536 characters. */
export const COMMENT_CHARACTERS_MAX = 60_000;

/** Hashed, so that no name ends the HTML comment. Run numbers count within one workflow. */
const hashOf = ({ repository, workflow }: Job, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([repository, workflow, key]))
    .digest('hex')
    .slice(0, 32);

const markerOf = (job: Job, key: string): string =>
  `<!-- evalgate ${hashOf(job, key)} run=${job.runNumber}.${job.attempt} sha=${job.sha.replace(/[^0-9a-f]/g, '')} -->`;

/** Writes the one comment of this gate; gives its address, or undefined where nothing was to be written. */
export async function writeComment(
  github: Github,
  job: Job,
  options: CommentOptions,
): Promise<string | undefined> {
  const { pullRequest, key, mayCreate, markdown } = options;
  const names = namesOf(job.repository);
  const body = { body: `${markerOf(job, key)}\n${markdown}` };
  const issue = [...names, String(pullRequest)];
  const present = await findComment(github, issue, hashOf(job, key));
  if (present === undefined && !mayCreate) return undefined;
  // A run that began earlier and ends later says nothing of the newest commit.
  if (present !== undefined && isNewer(present, job)) return undefined;
  const { body: written } =
    present === undefined
      ? await github.call('POST /repos/:/:/issues/:/comments', { names: issue, body })
      : await github.call('PATCH /repos/:/:/issues/comments/:', {
          names: [...names, String(present.id)],
          body,
        });
  const { html_url } = written as Partial<Comment>;
  if (html_url === undefined) throw new Error(UNKNOWN_FORM);
  return html_url;
}

function isNewer({ body = '' }: Comment, { runNumber, attempt }: Job): boolean {
  const [, , run, tries] = MARKER.exec(body) ?? [];
  return Number(run) > runNumber || (Number(run) === runNumber && Number(tries) > attempt);
}

/** From the last page backwards, since GitHub lists the oldest first. Who else writes our marker is left alone. */
async function findComment(
  github: Github,
  issue: readonly string[],
  hash: string,
): Promise<Comment | undefined> {
  const author = await authorOf(github);
  const pageOf = (page: number) =>
    github.call('GET /repos/:/:/issues/:/comments', { names: issue, query: { per_page: PAGE_SIZE, page } });
  const ours = ({ body = '', user }: Comment): boolean =>
    user?.login === author && MARKER.exec(body)?.[1] === hash;
  const first = await pageOf(1);
  for (let page = lastPageOf(first.headers.get('link')); page > 1; page--) {
    const found = listed<Comment>(await pageOf(page)).findLast(ours);
    if (found !== undefined) return found;
  }
  return listed<Comment>(first).findLast(ours);
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
    return (body as { login: string }).login;
  } catch (error) {
    if (error instanceof EvalgateError && error.status === 403) return JOB_AUTHOR;
    throw error;
  }
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../../support/listening.ts';
import { commentOf, errorOf, pullRequestOf, type WireComment } from './githubWire.ts';

interface Seen {
  readonly method: string;
  readonly path: string;
}

/** Answers in place of the API; true where it did. */
type Interference = (seen: Seen, response: ServerResponse) => boolean;

export interface GithubStandIn {
  /** For `GITHUB_API_URL`. */
  readonly apiUrl: string;
  /** For `ACTIONS_ID_TOKEN_REQUEST_URL`. */
  readonly oidcUrl: string;
  /** By the number of the pull request, oldest first. */
  readonly comments: Map<number, WireComment[]>;
  /** By number. */
  readonly pullRequests: Map<number, { readonly sha: string; readonly state: string }>;
  /** Requests of the API. */
  readonly seen: Seen[];
  /** Whom the token of a job's step acts as; a person's token may ask for it. */
  login: string;
  /** What the next requests for a token get in its place; the last one stays. Empty: the token. */
  oidcAnswers: Answered[];
  /** Requests for a token. */
  oidcRequests: number;
  /** Gives the token of the job for an audience. */
  token: (audience: string) => string;
  interfere: Interference | undefined;
  /** Waited for before a request of the API is carried out. */
  before: ((seen: Seen) => Promise<void>) | undefined;
  /** Adds a comment to a pull request. */
  add(number: number, body: string, login: string): WireComment;
  reset(): void;
  stop(): Promise<void>;
}

export const JOB_LOGIN = 'github-actions[bot]';
const PAGE_SIZE_MAX = 100;

export type Answered = readonly [status: number, body: unknown, headers?: Record<string, string>];

function answer(response: ServerResponse, [status, body, headers = {}]: Answered): void {
  if (status === 204) return void response.writeHead(status, headers).end();
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

const DOCS = 'https://docs.github.com/rest';
const NOT_FOUND: Answered = [404, errorOf(404, 'Not Found', DOCS)];
const FORBIDDEN: Answered = [
  403,
  errorOf(403, 'Resource not accessible by integration', `${DOCS}/issues/comments#create-an-issue-comment`),
];

/** Where a job's token lacks a permission. */
export const forbidden = (response: ServerResponse): void => answer(response, FORBIDDEN);

const SECONDARY_LIMIT =
  'You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.';

export function secondaryLimit(response: ServerResponse, seconds: number): void {
  const { status: _none, ...said } = errorOf(
    403,
    SECONDARY_LIMIT,
    'https://docs.github.com/free-pro-team@latest/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits',
  );
  answer(response, [403, said, { 'retry-after': String(seconds) }]);
}

/** GitHub as a job sees it: its REST API for pull requests and comments, and the tokens of jobs. */
export async function startGithub(): Promise<GithubStandIn> {
  const comments: GithubStandIn['comments'] = new Map();
  const pullRequests: GithubStandIn['pullRequests'] = new Map();
  const seen: Seen[] = [];
  let nextId = 1_000;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://github');
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    if (url.pathname === '/oidc') return answer(response, tokenFor(request, url));
    const method = request.method ?? '';
    const path = url.pathname.replace('/api', '');
    seen.push({ method, path: path + url.search });
    await github.before?.({ method, path });
    if (github.interfere?.({ method, path }, response)) return;
    const isKnown = request.headers.authorization?.startsWith('Bearer ');
    const text = String(Buffer.concat(chunks));
    answer(response, isKnown ? route(method, url, text === '' ? {} : JSON.parse(text)) : [401, {}]);
  });

  function tokenFor(request: IncomingMessage, url: URL): Answered {
    if (request.headers.authorization !== 'Bearer of-the-job') return [401, {}];
    github.oidcRequests++;
    const [first, ...others] = github.oidcAnswers;
    if (others.length > 0) github.oidcAnswers = others;
    if (first !== undefined && first[0] !== 200) return first;
    if (first?.[1] !== undefined) return first;
    return [200, { value: github.token(url.searchParams.get('audience') ?? '') }];
  }

  function listComments(number: number, url: URL): Answered {
    const all = comments.get(number) ?? [];
    const size = Math.min(Number(url.searchParams.get('per_page') ?? 30), PAGE_SIZE_MAX);
    const page = Number(url.searchParams.get('page') ?? 1);
    const last = Math.max(1, Math.ceil(all.length / size));
    const to = (target: number, rel: string) =>
      `<${github.apiUrl}/repositories/186853002/issues/${number}/comments?per_page=${size}&page=${target}>; rel="${rel}"`;
    const links = [
      ...(page > 1 ? [to(page - 1, 'prev'), to(1, 'first')] : []),
      ...(page < last ? [to(page + 1, 'next'), to(last, 'last')] : []),
    ];
    const headers = links.length > 0 ? { link: links.join(', ') } : {};
    return [200, all.slice((page - 1) * size, page * size), headers];
  }

  const shown = ([number, { sha, state }]: [number, { sha: string; state: string }]) =>
    pullRequestOf(number, sha, state);

  function change(id: number, body: string): Answered {
    const stored = [...comments.values()].flat().find((comment) => comment.id === id);
    if (stored === undefined) return NOT_FOUND;
    stored.body = body;
    return [200, stored];
  }

  function remove(id: number): Answered {
    for (const [number, all] of comments) {
      const left = all.filter((comment) => comment.id !== id);
      if (left.length === all.length) continue;
      comments.set(number, left);
      return [204, undefined];
    }
    return NOT_FOUND;
  }

  function route(method: string, url: URL, { body = '' }: { body?: string }): Answered {
    const path = url.pathname.replace('/api', '');
    const [, , , , kind = '', name = '', rest] = path.split('/');
    const number = Number(name);
    if (path === '/user') return github.login === JOB_LOGIN ? FORBIDDEN : [200, { login: github.login }];
    if (kind === 'commits' && rest === 'pulls') {
      return [200, [...pullRequests].filter(([, { sha }]) => sha === name).map(shown)];
    }
    const pullRequest = pullRequests.get(number);
    if (kind === 'pulls' && pullRequest) return [200, shown([number, pullRequest])];
    if (kind !== 'issues') return NOT_FOUND;
    if (body.length > 65_536) return [422, { message: 'Validation Failed', status: '422' }];
    if (name === 'comments') return method === 'DELETE' ? remove(Number(rest)) : change(Number(rest), body);
    return method === 'GET' ? listComments(number, url) : [201, github.add(number, body, github.login)];
  }

  const { url: address, stop } = await listening(server);
  const github: GithubStandIn = {
    apiUrl: `${address}/api`,
    oidcUrl: `${address}/oidc?api-version=2.0`,
    comments,
    pullRequests,
    seen,
    login: JOB_LOGIN,
    token: () => '',
    interfere: undefined,
    before: undefined,
    oidcAnswers: [],
    oidcRequests: 0,
    add(number, body, login) {
      const id = nextId++;
      const comment = commentOf(id, number, body, login);
      comments.set(number, [...(comments.get(number) ?? []), comment]);
      return comment;
    },
    reset() {
      comments.clear();
      pullRequests.clear();
      seen.length = 0;
      github.login = JOB_LOGIN;
      github.interfere = undefined;
      github.before = undefined;
      github.oidcAnswers = [];
      github.oidcRequests = 0;
    },
    stop,
  };
  return github;
}

import type { components } from '@octokit/openapi-types';
import { issueComment, pullRequest } from './payloads.ts';

type Schemas = components['schemas'];

export interface WireComment extends Omit<Schemas['issue-comment'], 'id'> {
  readonly id: number;
  body: string;
  readonly user: Schemas['simple-user'];
}

/** As the example of a comment has it, with another author and text. */
export function commentOf(id: number, number: number, body: string, login: string): WireComment {
  const { comment: example } = issueComment() as { comment: WireComment };
  const type = login.endsWith('[bot]') ? 'Bot' : 'User';
  const html_url = `https://github.com/Codertocat/Hello-World/pull/${number}#issuecomment-${id}`;
  return { ...example, id, body, html_url, user: { ...example.user, login, type } };
}

/** As the example of a pull request has it, under another number. */
export function pullRequestOf(number: number, sha: string, state: string): Schemas['pull-request-simple'] {
  const { pull_request: example } = pullRequest() as { pull_request: Schemas['pull-request-simple'] };
  return { ...example, number, state, head: { ...example.head, sha } };
}

export const errorOf = (
  status: number,
  message: string,
  documentation_url: string,
): Schemas['basic-error'] => ({
  message,
  documentation_url,
  status: String(status),
});

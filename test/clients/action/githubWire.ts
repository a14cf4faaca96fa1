import type { components } from '@octokit/openapi-types';
import { pullRequest } from './payloads.ts';

type Schemas = components['schemas'];
type User = Schemas['simple-user'];

export interface WireComment extends Omit<Schemas['issue-comment'], 'id'> {
  readonly id: number;
  body: string;
  readonly user: User;
}

function userOf(login: string): User {
  const url = `https://api.github.com/users/${encodeURIComponent(login)}`;
  return {
    login,
    id: 41_898_282,
    node_id: 'MDM6Qm90NDE4OTgyODI=',
    avatar_url: 'https://avatars.githubusercontent.com/in/15368?v=4',
    gravatar_id: '',
    url,
    html_url: `https://github.com/${encodeURIComponent(login)}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: login.endsWith('[bot]') ? 'Bot' : 'User',
    site_admin: false,
  };
}

const API = 'https://api.github.com/repos/Codertocat/Hello-World';

export const commentOf = (id: number, number: number, body: string, login: string): WireComment => ({
  url: `${API}/issues/comments/${id}`,
  html_url: `https://github.com/Codertocat/Hello-World/pull/${number}#issuecomment-${id}`,
  issue_url: `${API}/issues/${number}`,
  id,
  node_id: `IC_${id}`,
  user: userOf(login),
  created_at: '2026-11-23T08:00:00Z',
  updated_at: '2026-11-23T08:00:00Z',
  body,
  author_association: 'NONE',
  performed_via_github_app: null,
});

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

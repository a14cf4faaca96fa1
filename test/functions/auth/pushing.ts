import type { Api, ApiAnswer } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { aRepository, type Claims, type Repository } from '../../support/oidc.ts';
import type { Keyless, KeylessOrganisation } from './keyless.ts';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
type Resource = any;

export const SUITES = { scope: 'suites' } as const;
export const PUSHER = { ...SUITES, ref: 'refs/heads/main', workflow: 'push.yml', project: 'bot' } as const;

export interface Pushing {
  readonly org: KeylessOrganisation;
  readonly repository: Repository;
  readonly project: Resource;
  readonly registration: Resource;
  /** GitHub's token of a job of the workflow that pushes. */
  tokenOf(claims?: Claims, repository?: Repository): string;
  /** Its job asks for the scope `suites`. */
  ask(claims?: Claims, repository?: Repository): Promise<ApiAnswer>;
}

/** What a workflow's file says of itself, in a job's token. */
export const workflowRef = ({ name }: Repository, file = 'push.yml', ref = 'refs/heads/main') => ({
  workflow_ref: `${name}/.github/workflows/${file}@${ref}`,
});

/** An organisation with a repository that it trusts with the suites of a project. */
export async function pushing(keyless: Keyless, conditions: Claims = {}): Promise<Pushing> {
  const [org, own] = [await keyless.organisation(), aRepository()];
  const project = await makeProject(org.client, { slug: 'bot' });
  const registration = await org.trust(own, { ...PUSHER, ...conditions });
  const tokenOf = (claims: Claims = {}, repository = own) =>
    org.tokenOf(repository, { ...workflowRef(repository), ...claims });
  return {
    org,
    repository: own,
    project,
    registration,
    tokenOf,
    ask: (claims, repository) => keyless.exchange(tokenOf(claims, repository), SUITES),
  };
}

/** Registers a client's repository a second time, for its gates. */
export const trustGates = (client: Api, { name }: Repository): Promise<ApiAnswer> =>
  client('POST', '/v1/trusted-issuers', { repository: name });

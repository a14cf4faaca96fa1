import { CredentialError } from './errors.ts';
import { OPERATIONS } from './generated/operations.ts';
import { type Answer, bodyOf, errorOfAnswer, errorOfGithub, fieldOf } from './transport/answer.ts';
import { attempt, bounded, type Sent } from './transport/attempt.ts';
import { required } from './transport/environment.ts';
import { operationOf } from './transport/operation.ts';
import type { CredentialSource, Service } from './transport/settings.ts';

export interface GithubOidcOptions {
  /** The id of the organisation that trusts the job's repository; `EVALGATE_ORG` by default. */
  readonly organisation?: string | undefined;
  /** What the credential is for: `run` by default; `suites` needs a registration of that scope. */
  readonly scope?: 'run' | 'suites' | undefined;
  /** Called with each token as soon as it is known, so that a log can hide it. */
  readonly onToken?: ((token: string) => void) | undefined;
}

const NO_PERMISSION = 'No OIDC token: the job needs "permissions: id-token: write", and is of no fork.';
const NOT_TRUSTED = 'Not trusted: is this repository, ref, environment and workflow registered?';

/**
 * The credential of a GitHub Actions job whose repository an organisation trusts. Each time it asks GitHub for a new
 * token, since one is good for one exchange.
 */
export function githubOidc({ organisation, scope, onToken }: GithubOidcOptions = {}): CredentialSource {
  return async (service) => {
    const { variable } = service.environment;
    const request = 'ACTIONS_ID_TOKEN_REQUEST_';
    const [url, requestToken] = [variable(`${request}URL`), variable(`${request}TOKEN`)];
    if (!url || !requestToken)
      throw new CredentialError(NO_PERMISSION, { status: 403, code: 'NO_OIDC_TOKEN' });
    const audience = required(service.environment, 'organisation', 'EVALGATE_ORG', organisation);
    const source = new URL(url);
    source.searchParams.set('audience', `evalgate:${audience}`);
    const jobToken = await ofGithub(service, source.href, requestToken);
    onToken?.(jobToken);
    const token = await exchange(service, jobToken, scope);
    onToken?.(token);
    return token;
  };
}

/** GitHub's own token of the job. What fails here is no fault of the service, and its errors say so. */
async function ofGithub(service: Service, url: string, token: string): Promise<string> {
  const answer = await ask(service, { method: 'GET', url }, token);
  const value =
    answer.status === 200 ? (bodyOf(answer, errorOfGithub) as { value?: unknown } | null)?.value : undefined;
  if (typeof value !== 'string') throw errorOfGithub(answer);
  return value;
}

/** What the ID token of a job is exchanged for: once. */
export async function exchange(
  service: Service,
  jobToken: string,
  scope: GithubOidcOptions['scope'],
): Promise<string> {
  const { method, path } = operationOf(OPERATIONS.auth.token);
  const sent = { method, url: service.url + path, ...(scope && { body: JSON.stringify({ scope }) }) };
  const answer = await ask(service, sent, jobToken);
  if (answer.status !== 200) {
    const error = errorOfAnswer(answer);
    throw error.code === 'UNAUTHORIZED' ? new CredentialError(NOT_TRUSTED, error, error) : error;
  }
  return String(fieldOf(fieldOf(bodyOf(answer, errorOfAnswer), 'data'), 'token'));
}

async function ask(
  { environment, timeoutMs }: Service,
  request: Pick<Sent, 'method' | 'url' | 'body'>,
  token: string,
): Promise<Answer> {
  const type = request.body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { accept: 'application/json', authorization: `Bearer ${token}`, ...type };
  const sent = { ...request, headers };
  return bounded(environment, { timeoutMs }, (signal) => attempt(environment, sent, signal));
}

import { createHash } from 'node:crypto';
import { apiKeysIn } from '../files/config/apiKeys.ts';
import { claimsOf, type JobClaims } from '../files/config/jobToken.ts';
import { CredentialError } from '../sdk/errors.ts';
import { exchange } from '../sdk/githubOidc.ts';
import type { CredentialSource } from '../sdk/transport/settings.ts';
import { type Io, variable } from './io.ts';
import { Problem } from './problem.ts';

export const ID_TOKEN_VARIABLE = 'EVALGATE_ID_TOKEN';

/** As where a credential comes from. */
export const ID_TOKEN = "the job's ID token";

/** The ID token of a CI job, which is good for one exchange. */
export interface IdToken {
  /** The variable that holds it. */
  readonly name: string;
  readonly token: string;
  /** Unverified. */
  readonly claims: JobClaims;
}

/** That of the variable, where it is set. Throws for one that the caller names and is not there, and for what is none. */
export function readIdToken(io: Pick<Io, 'env'>, named?: string): IdToken | undefined {
  if (named !== undefined && !/^[A-Za-z_]\w{0,100}$/.test(named)) {
    throw new Problem(
      '--id-token-env is no name of a variable (not shown here).',
      'It takes the name, never the token itself: --id-token-env EVALGATE_ID_TOKEN',
    );
  }
  const name = named ?? ID_TOKEN_VARIABLE;
  const token = variable(io, name);
  if (token === undefined) {
    if (named === undefined) return undefined;
    throw new Problem(`${name} is empty or not set.`, 'Does the job make its ID token, and did that fail?');
  }
  if (apiKeysIn(token).length > 0) {
    throw new Problem(`${name} holds an API key (not shown here).`, 'Its variable is EVALGATE_API_KEY.');
  }
  const claims = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) ? claimsOf(token) : undefined;
  if (claims === undefined)
    throw new Problem(`${name} holds no ID token (not shown here).`, 'It is a JWT, in one line.');
  refuseForeignAudience(io, { name, token, claims });
  return { name, token, claims };
}

/** A token for another service is not sent to this one. */
function refuseForeignAudience(io: Pick<Io, 'env'>, { name, claims: { aud } }: IdToken): void {
  const organisation = variable(io, 'EVALGATE_ORG');
  const expectedAudience = `evalgate:${organisation ?? '<organisation id>'}`;
  const isWanted =
    organisation === undefined
      ? typeof aud === 'string' && aud.startsWith('evalgate:')
      : aud === expectedAudience;
  if (isWanted) return;
  const audience = JSON.stringify(aud)?.slice(0, 200) ?? 'nothing';
  throw new Problem(
    `The ID token in ${name} is for the audience ${audience}: it was not sent.`,
    `Request one for "${expectedAudience}", and for nothing else.`,
  );
}

/** Names a token without its being one. */
export const fingerprint = ({ token }: IdToken): string => createHash('sha256').update(token).digest('hex');

/** Of a command, whose clients share it: a second exchange of a token is refused. */
const exchanges = new WeakMap<Pick<Io, 'env'>, Promise<string>>();

export function exchangedOnce(
  io: Pick<Io, 'env'>,
  idToken: IdToken,
  scope: 'run' | 'suites' | undefined,
): CredentialSource {
  return (service) => {
    const known = exchanges.get(io);
    if (known !== undefined) return known;
    const exchanged = exchange(service, idToken.token, scope).catch((error) => {
      // It is not spent, where the service failed: another try may go on.
      exchanges.delete(io);
      throw error instanceof CredentialError && error.code === 'UNAUTHORIZED'
        ? new CredentialError(notTrusted(idToken), error, error)
        : error;
    });
    exchanges.set(io, exchanged);
    return exchanged;
  };
}

const notTrusted = ({ name, claims: { iss } }: IdToken): string =>
  `The ID token in ${name} is not accepted: does the organisation trust ${String(iss).slice(0, 255)} with these claims, and is it new? One is good for one exchange.`;

import type { JobScope } from '../../contracts/base/scopes.ts';
import { requireScope } from '../access.ts';
import { invalidField, unauthorized } from '../errors.ts';
import { KEY_TOKEN_SECONDS } from '../limits.ts';
import type { Ambient } from '../ports.ts';
import { readCredential } from './authenticate.ts';
import type { RecordUse } from './lastUse.ts';
import type { AccountStore, Presented, Token, TokenIssuer } from './ports.ts';

interface Deps extends Pick<Ambient, 'now'> {
  readonly accounts: Pick<AccountStore, 'principalOfKey'>;
  readonly tokens: TokenIssuer;
  readonly jobs: JobExchange;
  readonly persons: CodeExchange;
  readonly recordUse: RecordUse;
}

type CodeExchange = (code: string, verifier: string) => Promise<Token | undefined>;

type JobExchange = (token: string, scope: JobScope) => Promise<Token | undefined>;

interface Asked {
  readonly scope?: JobScope | undefined;
  readonly code?: string | undefined;
  readonly code_verifier?: string | undefined;
}

/** A short-lived token for an API key, a CI job or a person's command line. It has no more rights than the key, and expires no later. */
export async function exchangeCredential(
  deps: Deps,
  header: string | undefined,
  { scope, code, code_verifier }: Asked,
): Promise<Token> {
  if (code !== undefined && code_verifier !== undefined && header === undefined && scope === undefined) {
    const token = await deps.persons(code, code_verifier);
    if (token === undefined) throw unauthorized();
    return token;
  }
  if (code !== undefined && scope !== undefined)
    throw invalidField('scope', 'is that of the code: send it to POST /v1/auth/cli');
  const presented = readCredential(header);
  if ((code ?? code_verifier) !== undefined)
    throw invalidField('code', 'must be sent with its code_verifier, and without the header Authorization');
  const token =
    presented.kind === 'api_key'
      ? await tokenOfKey(deps, presented, scope)
      : await deps.jobs(presented.token, scope ?? 'run');
  if (token === undefined) throw unauthorized();
  return token;
}

async function tokenOfKey(
  { accounts, tokens, recordUse, now }: Deps,
  presented: Presented & { kind: 'api_key' },
  requestedScope: JobScope | undefined,
): Promise<Token | undefined> {
  const principal = await accounts.principalOfKey(presented.sha256);
  if (principal?.credential.type !== 'api_key') return undefined;
  const { orgId, projectId, expiresAt, credential } = principal;
  const scope = requestedScope ?? principal.scope;
  requireScope(principal, scope);
  const leftSeconds =
    expiresAt === null ? KEY_TOKEN_SECONDS : Math.floor((Date.parse(expiresAt) - now()) / 1_000);
  if (leftSeconds < 1) return undefined;
  const claims = {
    orgId,
    projectId,
    scope,
    credential: { type: 'token', key_id: credential.key_id },
  } as const;
  const [token] = await Promise.all([
    tokens.issue(claims, Math.min(KEY_TOKEN_SECONDS, leftSeconds)),
    recordUse(presented, principal),
  ]);
  return token;
}

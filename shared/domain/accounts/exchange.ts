import type { JobScope } from '../../contracts/base/scopes.ts';
import { requireScope } from '../access.ts';
import { unauthorized } from '../errors.ts';
import { KEY_TOKEN_SECONDS } from '../limits.ts';
import type { Ambient } from '../ports.ts';
import { readCredential } from './authenticate.ts';
import type { RecordUse } from './lastUse.ts';
import type { AccountStore, Presented, Token, TokenIssuer } from './ports.ts';

interface Deps extends Pick<Ambient, 'now'> {
  readonly accounts: Pick<AccountStore, 'principalOfKey'>;
  readonly tokens: TokenIssuer;
  readonly jobs: JobExchange;
  readonly recordUse: RecordUse;
}

type JobExchange = (token: string, scope: JobScope) => Promise<Token | undefined>;

/** A short-lived token for an API key or a CI job. It has no more rights than the key, and expires no later. */
export async function exchangeCredential(
  deps: Deps,
  header: string | undefined,
  scope: JobScope | undefined,
): Promise<Token> {
  const presented = readCredential(header);
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
  asked: JobScope | undefined,
): Promise<Token | undefined> {
  const principal = await accounts.principalOfKey(presented.sha256);
  if (principal?.credential.type !== 'api_key') return undefined;
  const { orgId, projectId, expiresAt, credential } = principal;
  const scope = asked ?? principal.scope;
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

import { createHash } from 'node:crypto';
import type { Scope } from '../../contracts/base/scopes.ts';
import { requireScope } from '../access.ts';
import type { AccountStore, Token, TokenClaims, TokenIssuer, TrustStore } from '../accounts/ports.ts';
import { AppError } from '../errors.ts';
import { PERSON_SECONDS } from '../limits.ts';
import type { Principal } from '../principal.ts';
import { timestamp } from '../time.ts';

/** What a code is for. It opens nothing by itself. */
interface CliCode extends TokenClaims {
  readonly openedAtMs: number;
  readonly challenge: string;
}

/** Of a person who is signed in, with no more rights. */
export function cliCodeOf(
  { orgId, projectId, scope: ownScope, credential, session }: Principal,
  { challenge, scope = ownScope }: { readonly challenge: string; readonly scope?: Scope | undefined },
): CliCode {
  if (session === undefined || credential.type !== 'person') {
    throw new AppError(
      'SCOPE_REQUIRED',
      "Only a person who signed in with the organisation's provider gives a command line its rights: with an API key run evalgate login --with-key.",
    );
  }
  requireScope({ scope: ownScope }, scope);
  const { label: _, ...person } = credential;
  return { orgId, projectId, scope, credential: person, openedAtMs: session.openedAtMs, challenge };
}

interface Deps {
  readonly accounts: Pick<AccountStore, 'principalOfToken'>;
  readonly trust: Pick<TrustStore, 'spend'>;
  readonly tokens: TokenIssuer;
  readonly now: () => number;
}

interface SentCode {
  readonly content: CliCode;
  readonly id: string;
  readonly endsAtMs: number;
}

/** Undefined for a code of another verifier, one that was used, and one whose session has ended meanwhile. */
export async function exchangeCliCode(
  { accounts, trust, tokens, now }: Deps,
  { content, id, endsAtMs }: SentCode,
  verifier: string,
): Promise<Token | undefined> {
  const { challenge, openedAtMs, ...claims } = content;
  if (createHash('sha256').update(verifier).digest('base64url') !== challenge) return undefined;
  const principal = await accounts.principalOfToken({
    ...claims,
    openedAtMs,
    expiresAt: timestamp(endsAtMs),
  });
  // Not longer than the session: an account that is disabled at the provider is out when that ends.
  const leftSeconds = PERSON_SECONDS - Math.ceil((now() - openedAtMs) / 1_000);
  if (principal === undefined || leftSeconds < 1) return undefined;
  const spentAs = createHash('sha256').update(`cli-code ${id}`).digest('hex');
  const token = await tokens.issue(claims, Math.min(PERSON_SECONDS, leftSeconds), { openedAtMs });
  return (await trust.spend({ spentAs, usableUntilMs: endsAtMs })) ? token : undefined;
}

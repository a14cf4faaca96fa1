import { unauthorized } from '../errors.ts';
import type { KeyPrincipal, Principal } from '../principal.ts';
import { isApiKey, sha256OfKey } from './apiKey.ts';
import type { AccountStore, Presented, SentRequest, TokenVerifier } from './ports.ts';

/** RFC 6750: the scheme in any case, one credential and nothing else. */
const BEARER = /^bearer +([^ ,]+) *$/i;
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** A cookie counts without the header only. Which one it is, is read with the code for sessions. */
export const presentedIn = (sent: SentRequest): Presented =>
  sent.cookies && sent.headers.authorization === undefined
    ? { kind: 'session', sent }
    : readCredential(sent.headers.authorization);

/** 401 without a read of the table for text that cannot be a credential, such as a mistyped API key. */
export function readCredential(header: string | undefined): Exclude<Presented, { kind: 'session' }> {
  const text = BEARER.exec(header ?? '')?.[1];
  if (text !== undefined && isApiKey(text)) return { kind: 'api_key', sha256: sha256OfKey(text) };
  if (text !== undefined && TOKEN.test(text)) return { kind: 'token', token: text };
  throw unauthorized();
}

interface Deps {
  readonly accounts: AccountStore;
  readonly tokens: TokenVerifier;
}

/** 401, always in the same words, for a credential that is unknown, revoked, expired or forged. */
export async function authenticate(
  { accounts, tokens }: Deps,
  presented: Presented,
): Promise<Principal | KeyPrincipal> {
  const principal =
    presented.kind === 'api_key'
      ? await accounts.principalOfKey(presented.sha256)
      : await principalOfToken({ accounts, tokens }, presented);
  if (principal === undefined) throw unauthorized();
  return principal;
}

async function principalOfToken(
  { accounts, tokens }: Deps,
  presented: Exclude<Presented, { kind: 'api_key' }>,
): Promise<Principal | undefined> {
  const claims = await tokens.verify(presented);
  return claims && accounts.principalOfToken(claims);
}

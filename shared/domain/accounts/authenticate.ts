import { unauthorized } from '../errors.ts';
import type { AccountStore, Principal } from '../ports.ts';
import { isApiKey, sha256OfKey } from './apiKey.ts';

const BEARER = /^bearer +([^ ]+) *$/i;

/** Who sent this `Authorization` header; 401 for whatever is missing, malformed or unknown. */
export async function authenticate(accounts: AccountStore, header: string | undefined): Promise<Principal> {
  const token = BEARER.exec(header ?? '')?.[1];
  if (token === undefined || !isApiKey(token)) throw unauthorized();
  const principal = await accounts.principalOfKey(sha256OfKey(token));
  if (principal === undefined) throw unauthorized();
  return principal;
}

import * as z from 'zod';

const CHARACTERS_MAX = 255;
const PROTOCOLS: ReadonlySet<string> = new Set(['https:', 'http:']);

/** Undefined for what a URL parser would write otherwise, and for an address with a user, a query or a fragment. */
export function plainUrl(text: string): URL | undefined {
  if (text.length > CHARACTERS_MAX || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { href, pathname, username, password, search, hash, protocol } = url;
  const isWritten = text === href || (pathname === '/' && `${text}/` === href);
  const isPlain = `${username}${password}${search}${hash}` === '' && PROTOCOLS.has(protocol);
  return isWritten && isPlain ? url : undefined;
}

/** As its tokens name it. Which addresses the service calls is decided when it calls one: `shared/connection/reach.ts`. */
export const issuerSchema = z
  .string()
  .refine(
    (text) => plainUrl(text) !== undefined,
    'must be the address of an issuer as its discovery names it, such as "https://gitlab.com", without user, query, fragment and ".."',
  );

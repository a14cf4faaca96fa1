import * as z from 'zod';
import { listSchema, readVariables } from './config.ts';
import { isLoopback } from './loopback.ts';

/** `host:port`, as URLs have them. */
const placesSchema = listSchema.pipe(
  z.array(z.string().regex(/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\]):\d{1,5}$/, 'must be of the form host:port')),
);

const issuerSchema = z.url({ abort: true }).refine((url) => {
  const { protocol, hostname, username, search, hash } = new URL(url);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isSafe && username === '' && search === '' && hash === '' && !url.endsWith('/');
}, 'must be an https address (http only for loopback) without user, query and "/" at its end');

export const issuersVariables = {
  /** Who vouches for GitHub Actions jobs: a GitHub Enterprise Server has its own. */
  GITHUB_OIDC_ISSUER: issuerSchema.default('https://token.actions.githubusercontent.com'),
  /** Trusted issuers that may be private or at another port, on loopback also by http. */
  ISSUER_ALLOWLIST: placesSchema.default([]),
};

/** Only functions that read tokens of issuers have them. */
export function readIssuers(env: Readonly<Record<string, string | undefined>>) {
  const { GITHUB_OIDC_ISSUER, ISSUER_ALLOWLIST } = readVariables(z.object(issuersVariables), env);
  return { githubOidcIssuer: GITHUB_OIDC_ISSUER, issuerAllowlist: ISSUER_ALLOWLIST };
}

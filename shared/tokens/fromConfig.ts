import type { IssuerTokens } from '../domain/accounts/ports.ts';
import { describeError } from '../runtime/log.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { sleep } from '../runtime/sleep.ts';
import { keySetStore } from '../storage/accounts/keySets.ts';
import { issuerTokens } from './issuerTokens.ts';

/** The operator's issuer of GitHub Actions may be private, and by http on loopback. */
const placeOfIssuer = (issuer: string): string => {
  const { protocol, hostname, port } = new URL(issuer);
  return `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`;
};

export const issuerTokensFromConfig = ({
  table,
  now,
  config,
  log,
}: Pick<Runtime, 'table' | 'now' | 'config' | 'log'>): IssuerTokens =>
  issuerTokens({
    allowlist: [...config.issuerAllowlist, placeOfIssuer(config.githubOidcIssuer)],
    keySets: (issuer) => keySetStore(table, issuer),
    now,
    sleep,
    onFailure: (error) => log('error', 'oidc_issuer_unavailable', describeError(error)),
  });

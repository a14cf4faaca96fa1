import { placeOf } from '../connection/reach.ts';
import type { IssuerTokens } from '../domain/accounts/ports.ts';
import type { SignInProvider } from '../domain/signIn/ports.ts';
import { readIssuers } from '../runtime/issuersConfig.ts';
import { describeError } from '../runtime/log.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { sleep } from '../runtime/sleep.ts';
import { keySetStore } from '../storage/accounts/keySets.ts';
import { tokenKeysFromConfig } from '../vault/tokenKeys.ts';
import { issuerTokens } from './issuerTokens.ts';
import { type Passes, passes } from './passes.ts';

export const passesFromConfig = ({ config, now, newId }: Pick<Runtime, 'config' | 'now' | 'newId'>): Passes =>
  passes(() => tokenKeysFromConfig(config.tokenKeys), { issuer: config.tokenIssuer, now, newId });

/** Loaded with the first sign-in that ends. */
export const signInProviderFromConfig = ({
  config,
  now,
}: Pick<Runtime, 'config' | 'now'>): SignInProvider => ({
  async redeem(...given) {
    const { signInProvider } = await import('./signInProvider.ts');
    const { issuerAllowlist: allowlist } = readIssuers(config.variables);
    return signInProvider({ allowlist, now }).redeem(...given);
  },
});

export const issuerTokensFromConfig = ({
  table,
  now,
  config,
  log,
}: Pick<Runtime, 'table' | 'now' | 'config' | 'log'>): IssuerTokens => {
  const { issuerAllowlist, githubOidcIssuer } = readIssuers(config.variables);
  return issuerTokens({
    // The operator's issuer of GitHub Actions may be private, and by http on loopback.
    allowlist: (issuer) =>
      issuer === githubOidcIssuer ? [...issuerAllowlist, placeOf(new URL(issuer))] : issuerAllowlist,
    keySets: (issuer) => keySetStore(table, issuer),
    now,
    sleep,
    // A customer's issuer that cannot be read is no fault of the service.
    onFailure: (error, issuer) =>
      issuer === githubOidcIssuer
        ? log('error', 'oidc_issuer_unavailable', describeError(error))
        : log('warn', 'trusted_issuer_unavailable', describeError(error)),
  });
};

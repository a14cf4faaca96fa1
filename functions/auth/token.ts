import type { JobScope } from '../../shared/contracts/base/scopes.ts';
import { createToken } from '../../shared/contracts/credentials/tokens.ts';
import { exchangeCredential } from '../../shared/domain/accounts/exchange.ts';
import { useRecorder } from '../../shared/domain/accounts/lastUse.ts';
import { exchangeJob } from '../../shared/domain/issuers/jobs.ts';
import { exchangeCliCode } from '../../shared/domain/signIn/cliCodes.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readIssuers } from '../../shared/runtime/issuersConfig.ts';
import { accountStore } from '../../shared/storage/accounts/accounts.ts';
import { trustedIssuerStore } from '../../shared/storage/accounts/trustedIssuers.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { issuerTokensFromConfig, passesFromConfig } from '../../shared/tokens/fromConfig.ts';
import { tokenIssuer } from '../../shared/tokens/issuer.ts';
import { tokenKeysFromConfig } from '../../shared/vault/tokenKeys.ts';

export const handler = endpoint(createToken, {
  dependencies: (runtime) => {
    const { table, now, newId, config } = runtime;
    const tokens = tokenIssuer(() => tokenKeysFromConfig(config.tokenKeys), {
      issuer: config.tokenIssuer,
      now,
      newId,
    });
    const accounts = accountStore(table, now);
    const trust = trustedIssuerStore(table);
    const projects = projectStore(table);
    const issuerTokens = issuerTokensFromConfig(runtime);
    const githubIssuer = readIssuers(config.variables).githubOidcIssuer;
    const exchange = { issuerTokens, trust, projects, tokens, githubIssuer, now };
    const passes = passesFromConfig(runtime);
    return {
      accounts,
      tokens,
      jobs: (token: string, scope: JobScope) => exchangeJob(exchange, token, scope),
      persons: async (code: string, verifier: string) => {
        const sent = await passes.read('cliCode', code);
        return sent && exchangeCliCode({ accounts, trust, tokens, now }, sent, verifier);
      },
      recordUse: useRecorder({ accounts, now }),
      now,
    };
  },
  handle: async ({ headers, body }, deps) => ({
    status: 200,
    body: { data: await exchangeCredential(deps, headers.authorization, body) },
  }),
});

import type { JobScope } from '../../shared/contracts/base/scopes.ts';
import { createToken } from '../../shared/contracts/credentials/tokens.ts';
import { exchangeCredential } from '../../shared/domain/accounts/exchange.ts';
import { exchangeJob } from '../../shared/domain/accounts/jobs.ts';
import { useRecorder } from '../../shared/domain/accounts/lastUse.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { describeError } from '../../shared/runtime/log.ts';
import { sleep } from '../../shared/runtime/sleep.ts';
import { accountStore } from '../../shared/storage/accounts/accounts.ts';
import { keySetStore } from '../../shared/storage/accounts/keySets.ts';
import { trustedRepositoryStore } from '../../shared/storage/accounts/trustedRepositories.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { tokenIssuer } from '../../shared/tokens/issuer.ts';
import { githubJobTokens, keySetUrl } from '../../shared/tokens/jobTokens.ts';
import { tokenKeysFromConfig } from '../../shared/vault/tokenKeys.ts';

export const handler = endpoint(createToken, {
  dependencies: ({ table, now, newId, config, log }) => {
    const tokens = tokenIssuer(() => tokenKeysFromConfig(config.tokenKeys), {
      issuer: config.tokenIssuer,
      now,
      newId,
    });
    const accounts = accountStore(table, now);
    const trust = trustedRepositoryStore(table);
    const projects = projectStore(table);
    const jobTokens = githubJobTokens({
      issuer: config.githubOidcIssuer,
      keySets: keySetStore(table, keySetUrl(config.githubOidcIssuer)),
      now,
      sleep,
      onFailure: (error) => log('error', 'oidc_issuer_unavailable', describeError(error)),
    });
    return {
      accounts,
      tokens,
      jobs: (token: string, scope: JobScope) =>
        exchangeJob({ jobTokens, trust, projects, tokens, now }, token, scope),
      recordUse: useRecorder({ accounts, now }),
      now,
    };
  },
  handle: async ({ headers, body }, deps) => ({
    status: 200,
    body: { data: await exchangeCredential(deps, headers.authorization, body.scope) },
  }),
});

import { finishSignIn as contract } from '../../shared/contracts/credentials/signIn.ts';
import { finishSignIn } from '../../shared/domain/signIn/flow.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cookieIn, cookieToSet, requireOwnPage } from '../../shared/http/sessions/cookies.ts';
import { baseUrlFromEnv } from '../../shared/runtime/baseUrl.ts';
import { signInStore } from '../../shared/storage/accounts/signIns.ts';
import { trustedIssuerStore } from '../../shared/storage/accounts/trustedIssuers.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import {
  issuerTokensFromConfig,
  passesFromConfig,
  signInProviderFromConfig,
} from '../../shared/tokens/fromConfig.ts';
import { tokenIssuer } from '../../shared/tokens/issuer.ts';
import { vaultFromConfig } from '../../shared/vault/fromConfig.ts';
import { tokenKeysFromConfig } from '../../shared/vault/tokenKeys.ts';

export const handler = endpoint(contract, {
  stores: { signIns: signInStore, trust: trustedIssuerStore, projects: projectStore },
  dependencies: (runtime) => {
    const { config, now, newId } = runtime;
    return {
      issuerTokens: issuerTokensFromConfig(runtime),
      passes: passesFromConfig(runtime),
      provider: signInProviderFromConfig(runtime),
      vault: vaultFromConfig(config),
      tokens: tokenIssuer(() => tokenKeysFromConfig(config.tokenKeys), {
        issuer: config.tokenIssuer,
        now,
        newId,
      }),
      baseUrl: () => baseUrlFromEnv(process.env),
    };
  },
  handle: async ({ rawHeaders: headers, cookies, body }, deps) => {
    requireOwnPage(headers);
    const [session, begun] = [cookieToSet(headers), cookieToSet(headers, 'signIn')];
    const pass = await deps.passes.read('signIn', cookieIn({ headers, cookies }, 'signIn') ?? '');
    const { token, expires_at, seconds } = await finishSignIn(deps, pass?.content, body);
    return { status: 201, cookies: [session(token, seconds), begun('', 0)], body: { data: { expires_at } } };
  },
});

import { putSignIn as contract } from '../../shared/contracts/credentials/signIn.ts';
import { actorOf } from '../../shared/domain/principal.ts';
import { putSignIn } from '../../shared/domain/signIn/configure.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { baseUrlFromEnv } from '../../shared/runtime/baseUrl.ts';
import { signInStore } from '../../shared/storage/accounts/signIns.ts';
import { issuerTokensFromConfig } from '../../shared/tokens/fromConfig.ts';
import { vaultFromConfig } from '../../shared/vault/fromConfig.ts';

export const handler = endpoint(contract, {
  stores: { signIns: signInStore },
  dependencies: (runtime) => ({
    issuerTokens: issuerTokensFromConfig(runtime),
    vault: vaultFromConfig(runtime.config),
    baseUrl: () => baseUrlFromEnv(process.env),
  }),
  handle: async ({ principal, body }, deps) => {
    const signIn = await putSignIn(deps, principal, body);
    deps.log('info', 'sign_in_changed', { ...actorOf(principal), issuer: signIn.issuer });
    return { status: 200, body: { data: signIn } };
  },
});

import { getSignIn as contract } from '../../shared/contracts/credentials/signIn.ts';
import { getSignIn } from '../../shared/domain/signIn/configure.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { baseUrlFromEnv } from '../../shared/runtime/baseUrl.ts';
import { signInStore } from '../../shared/storage/accounts/signIns.ts';

export const handler = endpoint(contract, {
  stores: { signIns: signInStore },
  dependencies: () => ({ baseUrl: () => baseUrlFromEnv(process.env) }),
  handle: async ({ principal }, deps) => ({
    status: 200,
    body: { data: await getSignIn(deps, principal) },
  }),
});

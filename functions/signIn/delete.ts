import { deleteSignIn as contract } from '../../shared/contracts/credentials/signIn.ts';
import { actorOf } from '../../shared/domain/principal.ts';
import { deleteSignIn } from '../../shared/domain/signIn/configure.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { signInStore } from '../../shared/storage/accounts/signIns.ts';

export const handler = endpoint(contract, {
  stores: { signIns: signInStore },
  handle: async ({ principal }, deps) => {
    await deleteSignIn(deps, principal);
    deps.log('info', 'sign_in_changed', { ...actorOf(principal), issuer: null });
    return { status: 204 };
  },
});

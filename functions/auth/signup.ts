import { signUp as contract } from '../../shared/contracts/auth.ts';
import { signUp } from '../../shared/domain/accounts/signUp.ts';
import { notFound } from '../../shared/domain/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { accountStore } from '../../shared/storage/accounts.ts';

export const handler = endpoint(contract, {
  dependencies: ({ table, now, newId, config }) => ({
    accounts: accountStore(table),
    now,
    newId,
    open: config.signUp === 'open',
  }),
  handle: async ({ body }, deps) => {
    if (!deps.open) throw notFound('resource: sign-up is closed on this deployment');
    return { status: 201, body: { data: await signUp(deps, body) } };
  },
});

import { signUp as contract } from '../../shared/contracts/auth.ts';
import { signUp } from '../../shared/domain/accounts/signUp.ts';
import { notFound } from '../../shared/domain/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { accountStore } from '../../shared/storage/accounts/accounts.ts';

export const handler = endpoint(contract, {
  stores: { accounts: (table, { now }) => accountStore(table, now) },
  dependencies: ({ config }) => ({ open: config.signUp === 'open' }),
  precheck: ({ open }) => {
    if (!open) throw notFound('resource: sign-up is closed on this deployment');
  },
  handle: async ({ body }, deps) => {
    const data = await signUp(deps, body);
    const { id, project_id, scope } = data.api_key;
    deps.log('info', 'api_key_created', {
      org_id: data.organisation.id,
      key_id: id,
      project_id,
      scope,
      by: null,
    });
    return { status: 201, body: { data } };
  },
});

import { planFromEnv } from '../../shared/billing/planFromEnv.ts';
import { signUp as contract } from '../../shared/contracts/auth.ts';
import { signUp } from '../../shared/domain/accounts/signUp.ts';
import { notFound } from '../../shared/domain/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { accountMaker } from '../../shared/storage/accounts/newAccounts.ts';

export const handler = endpoint(contract, {
  stores: { accounts: accountMaker },
  dependencies: ({ config }) => ({ open: config.signUp === 'open', plan: planFromEnv(config.variables) }),
  precheck: ({ open }) => {
    if (!open) throw notFound('resource: sign-up is closed on this deployment');
  },
  handle: async ({ body }, deps) => {
    const data = await signUp(deps, { name: body.name, plan: deps.plan });
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

import { createCliCode as contract } from '../../shared/contracts/credentials/signIn.ts';
import { cliCodeOf } from '../../shared/domain/signIn/cliCodes.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { passesFromConfig } from '../../shared/tokens/fromConfig.ts';

export const handler = endpoint(contract, {
  dependencies: (runtime) => ({ passes: passesFromConfig(runtime) }),
  handle: async ({ principal, body }, deps) => ({
    status: 201,
    body: { data: { code: await deps.passes.make('cliCode', cliCodeOf(principal, body)) } },
  }),
});

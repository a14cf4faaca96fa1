import { testByokKey as contract } from '../../shared/contracts/credentials/byokKeys.ts';
import { testByokKey } from '../../shared/domain/evaluation/judging/keyTest.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { queueFromConfig } from '../../shared/queue/fromConfig.ts';
import { sleep } from '../../shared/runtime/sleep.ts';
import { byokKeyStore } from '../../shared/storage/accounts/byokKeys.ts';
import { keyTestStore } from '../../shared/storage/accounts/keyTestAnswers.ts';

export const handler = endpoint(contract, {
  stores: { byokKeys: byokKeyStore, keyTests: (table, { now }) => keyTestStore(table, now) },
  dependencies: ({ config }) => ({ queue: queueFromConfig(config), sleep }),
  handle: async ({ principal, params, body }, deps) => ({
    status: 200,
    body: await testByokKey(deps, principal, { keyId: params.keyId, model: body.model }),
  }),
});

import type { OperatorDeps } from '../../domain/accounts/operate.ts';
import { accountStore } from '../accounts/accounts.ts';
import { apiKeyStore } from '../accounts/apiKeys.ts';
import { accountMaker } from '../accounts/newAccounts.ts';
import { logWrite } from '../lists/changeLog.ts';
import type { Table } from '../table/table.ts';
import { changePlan } from './planChanges.ts';

export const operatorStores = (
  table: Table,
  now: () => number,
): Pick<OperatorDeps, 'accounts' | 'apiKeys' | 'setPlan'> => ({
  accounts: { ...accountMaker(table), organisation: accountStore(table, now).organisation },
  apiKeys: apiKeyStore(table),
  setPlan: (orgId, plan, atMs, log) =>
    changePlan(table, {
      orgId,
      plan: () => plan,
      atMs,
      alongside: {},
      log: (from) => logWrite(orgId, log(from)),
    }),
});

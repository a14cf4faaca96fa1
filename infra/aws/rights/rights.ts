import type { Contract } from '../../../shared/contracts/base/contract.ts';
import type { Rights } from '../../../shared/contracts/base/rights.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { apiKeyKey, rateLimitKey } from '../../../shared/storage/table/keys.ts';
import { OPERATOR, WORKERS } from '../functions.ts';

const WORK = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;
const OF_KEYS = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'] as const;
const WORKER_RIGHTS: Readonly<Record<string, Rights>> = {
  [WORKERS.evaluate]: { table: WORK, queue: 'send', vault: 'decrypt', judge: true },
  [WORKERS.deadLetters]: { table: WORK },
  [WORKERS.sweep]: { table: WORK, queue: 'count' },
  [WORKERS.resumeRetention]: { table: ['Query', 'UpdateItem'], queue: 'send' },
  [WORKERS.purge]: {
    table: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem', 'DeleteItem'],
    payments: true,
  },
  [WORKERS.reportOverage]: { table: ['GetItem', 'Query', 'UpdateItem'], payments: true },
  [OPERATOR]: { table: [...OF_KEYS, 'ConditionCheckItem'], plan: true },
};

/** UpdateItem of a contract's rights is allowed for all items. */
export function rightsOf(id: string): Rights {
  const worker = WORKER_RIGHTS[id];
  if (worker !== undefined) return worker;
  const contract = contracts.find((candidate) => candidate.id === id);
  if (contract === undefined) throw new Error(`Say in infra/aws/rights/rights.ts what ${id} may do.`);
  const { rights: contractRights = { table: [] } } = contract;
  const { updates, ...base } = baseOf(contract);
  return {
    ...base,
    ...contractRights,
    table: [...new Set([...base.table, ...contractRights.table])].sort(),
    ...(updates &&
      !contractRights.table.includes('UpdateItem') && {
        updates: [...updates, ...(contractRights.updates ?? [])],
      }),
  };
}

/** Rate limits take an update, authentication takes reads and an update of the key's last use. */
function baseOf({ access, rateClass }: Contract): Rights {
  const counters = rateClass === 'none' ? [] : [rateLimitKey(rateClass, '').pk];
  if (access === 'api_key') {
    const updates = [apiKeyKey('').pk, ...counters];
    return { table: ['GetItem', 'BatchGetItem', 'UpdateItem'], updates, tokens: 'verify' };
  }
  return counters.length === 0 ? { table: [] } : { table: ['UpdateItem'], updates: counters };
}

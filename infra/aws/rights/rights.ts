import type { Contract } from '../../../shared/contracts/base/contract.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { apiKeyKey, rateLimitKey } from '../../../shared/storage/table/keys.ts';
import { WORKERS } from '../functions.ts';

type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

/** What a function may do, and by that which variables it is given. What is not named here it may not do. */
export interface Rights {
  /** A transaction needs the action of each of its items. */
  readonly table: readonly TableAction[];
  /** What the partition keys of items begin with that UpdateItem is for: without it, any item. */
  readonly updates?: readonly string[];
  readonly queue?: 'send';
  /** BYOK keys: who stores one may not open it. */
  readonly vault?: 'encrypt' | 'decrypt';
  /** Tokens: whoever takes them sees the public keys; only who gives them may sign. */
  readonly tokens?: 'verify' | 'sign';
  /** Holds the payment provider's secrets. */
  readonly payments?: true;
  /** Is told where clients reach the service. */
  readonly baseUrl?: true;
  /** Is told where judges are and which endpoints are allowed. */
  readonly judge?: true;
}

const READ = ['Query'] as const;
const WRITE = ['Query', 'PutItem', 'UpdateItem'] as const;
/** Taken from a list, too, whose blocks are merged once they fit into one. */
const UNLIST = ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;
const DELETE = ['Query', 'UpdateItem', 'DeleteItem'] as const;

/** Beyond what counting a request and knowing its sender take: UpdateItem here is for any item. */
const ENDPOINTS: Readonly<Record<string, Rights>> = {
  'health/get': { table: ['GetItem'] },
  'auth/signup': { table: ['PutItem'] },
  'auth/token': { table: ['GetItem', 'Query', 'UpdateItem'], tokens: 'sign' },
  'auth/jwks': { table: [], tokens: 'verify' },
  'apiKeys/list': { table: READ },
  /** At the limit a new key takes an expired one's place. */
  'apiKeys/create': { table: [...WRITE, 'DeleteItem'] },
  'apiKeys/delete': { table: DELETE },
  'trustedRepositories/list': { table: READ },
  'trustedRepositories/create': { table: WRITE },
  'trustedRepositories/delete': { table: ['Query', 'DeleteItem'] },
  'projects/list': { table: READ },
  'projects/create': { table: WRITE },
  'projects/get': { table: [] },
  'projects/update': { table: ['PutItem'] },
  'projects/delete': { table: UNLIST },
  'suites/list': { table: READ },
  'suites/create': { table: [...WRITE, 'ConditionCheckItem'] },
  'suites/createFromTemplate': { table: WRITE },
  'suites/get': { table: [] },
  'suites/update': { table: ['PutItem', 'UpdateItem'] },
  'suites/delete': { table: UNLIST },
  'cases/list': { table: READ },
  'cases/create': { table: WRITE },
  'cases/get': { table: READ },
  'cases/update': { table: WRITE },
  'cases/delete': { table: UNLIST },
  'cases/reorder': { table: WRITE },
  'scorers/list': { table: READ },
  'scorers/create': { table: WRITE, judge: true },
  'scorers/get': { table: [] },
  'scorers/update': { table: ['PutItem', 'UpdateItem'], judge: true },
  'scorers/delete': { table: UNLIST },
  'byokKeys/list': { table: READ },
  'byokKeys/create': { table: WRITE, vault: 'encrypt' },
  'byokKeys/test': { table: READ, queue: 'send' },
  /** At most 100 keys: their list has one block. */
  'byokKeys/delete': { table: DELETE },
  'templates/list': { table: [] },
  'templates/get': { table: [] },
  'runs/create': { table: UNLIST, queue: 'send' },
  'runs/get': { table: [] },
  'runs/results': { table: READ },
  'runs/list': { table: READ },
  'analytics/trends': { table: READ },
  'analytics/regressions': { table: READ },
  'billing/usage': { table: [] },
  'billing/checkout': {
    table: [...WRITE, 'ConditionCheckItem'],
    queue: 'send',
    payments: true,
    baseUrl: true,
  },
  'billing/checkoutResult': { table: [] },
  /** Before the first purchase the customer is made. */
  'billing/portal': { table: ['PutItem', 'UpdateItem'], payments: true },
  'billing/webhook': {
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    queue: 'send',
    payments: true,
  },
  'fallback/notFound': { table: [] },
};

const WORKER_RIGHTS: Readonly<Record<string, Rights>> = {
  [WORKERS.evaluate]: {
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    queue: 'send',
    vault: 'decrypt',
    judge: true,
  },
  [WORKERS.deadLetters]: {
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  [WORKERS.sweep]: {
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    queue: 'send',
  },
  [WORKERS.resumeRetention]: { table: ['Query', 'UpdateItem'], queue: 'send' },
  [WORKERS.purge]: { table: ['Query', 'UpdateItem', 'DeleteItem'] },
  [WORKERS.reportOverage]: { table: ['GetItem', 'Query', 'UpdateItem'], payments: true },
};

export function rightsOf(id: string): Rights {
  const worker = WORKER_RIGHTS[id];
  if (worker !== undefined) return worker;
  const contract = contracts.find((candidate) => candidate.id === id);
  const own = ENDPOINTS[id];
  if (contract === undefined || own === undefined) {
    throw new Error(`Say in infra/aws/rights/rights.ts what ${id} may do.`);
  }
  const { updates, ...base } = baseOf(contract);
  return {
    ...base,
    ...own,
    table: [...new Set([...base.table, ...own.table])].sort(),
    ...(updates && !own.table.includes('UpdateItem') && { updates }),
  };
}

/** Counting a request is one update; knowing who sent it are reads, and noting that the key was used an update. */
function baseOf({ access, rateClass }: Contract): Rights {
  const counters = rateClass === 'none' ? [] : [rateLimitKey(rateClass, '').pk];
  if (access === 'api_key') {
    const updates = [apiKeyKey('').pk, ...counters];
    return { table: ['GetItem', 'BatchGetItem', 'UpdateItem'], updates, tokens: 'verify' };
  }
  return counters.length === 0 ? { table: [] } : { table: ['UpdateItem'], updates: counters };
}

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

/** All that a function may do; its variables follow from it. */
export interface Rights {
  /** Includes the actions of the items in the function's transactions. */
  readonly table: readonly TableAction[];
  /** Prefixes of the partition keys that UpdateItem is allowed for. Without them: all items. */
  readonly updates?: readonly string[];
  /** `count` may also learn how many messages wait. */
  readonly queue?: 'send' | 'count';
  /** For BYOK keys: a function that stores them cannot decrypt them. */
  readonly vault?: 'encrypt' | 'decrypt';
  /** `verify` may read the public keys; `sign` may also sign tokens. */
  readonly tokens?: 'verify' | 'sign';
  /** Receives the payment provider's secrets as variables. */
  readonly payments?: true;
  /** Receives the service's public address. */
  readonly baseUrl?: true;
  /** Receives the addresses of judges and the allowed endpoints. */
  readonly judge?: true;
}

const READ = ['Query'] as const;
const WRITE = ['Query', 'PutItem', 'UpdateItem'] as const;
/** Also writes out a push that has died. */
const FINISH = ['Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'] as const;
const DELETE = ['Query', 'UpdateItem', 'DeleteItem'] as const;

/** In addition to `baseOf`. UpdateItem here is allowed for all items. */
const ENDPOINTS: Readonly<Record<string, Rights>> = {
  'health/get': { table: ['GetItem'] },
  'auth/signup': { table: ['PutItem'] },
  'auth/token': { table: ['GetItem', 'Query', 'UpdateItem'], tokens: 'sign' },
  'auth/whoami': { table: [] },
  'auth/jwks': { table: [], tokens: 'verify' },
  'apiKeys/list': { table: READ },
  /** At the limit a new key replaces an expired one. */
  'apiKeys/create': { table: [...WRITE, 'DeleteItem'] },
  'apiKeys/delete': { table: DELETE },
  'trustedRepositories/list': { table: READ },
  'trustedRepositories/create': { table: WRITE },
  'trustedRepositories/delete': { table: ['Query', 'DeleteItem'] },
  'projects/list': { table: READ },
  'projects/create': { table: WRITE },
  'projects/get': { table: [] },
  'projects/update': { table: ['PutItem'] },
  'projects/delete': { table: FINISH },
  'suites/list': { table: READ },
  'suites/create': { table: [...WRITE, 'ConditionCheckItem'] },
  'suites/createFromTemplate': { table: FINISH },
  'suites/get': { table: READ },
  'suites/getById': { table: READ },
  'suites/revision': { table: READ, judge: true },
  'suites/update': { table: FINISH },
  'suites/delete': { table: FINISH },
  'definitions/get': { table: READ, judge: true },
  'definitions/put': { table: FINISH, judge: true },
  'cases/list': { table: READ },
  'cases/create': { table: FINISH },
  'cases/get': { table: READ },
  'cases/update': { table: FINISH },
  'cases/delete': { table: FINISH },
  'cases/reorder': { table: FINISH },
  'scorers/list': { table: READ },
  'scorers/create': { table: FINISH, judge: true },
  'scorers/get': { table: [] },
  'scorers/update': { table: FINISH, judge: true },
  'scorers/delete': { table: FINISH },
  'byokKeys/list': { table: READ },
  'byokKeys/create': { table: WRITE, vault: 'encrypt' },
  'byokKeys/test': { table: READ, queue: 'send' },
  /** At most 100 keys: their list has one block. */
  'byokKeys/delete': { table: DELETE },
  'templates/list': { table: [] },
  'templates/get': { table: [] },
  'runs/create': { table: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'], queue: 'send', judge: true },
  'runs/get': { table: [] },
  'runs/results': { table: READ },
  'runs/list': { table: READ },
  'analytics/trends': { table: READ },
  'analytics/regressions': { table: READ },
  'billing/usage': { table: READ },
  'billing/checkout': {
    table: [...WRITE, 'ConditionCheckItem'],
    queue: 'send',
    payments: true,
    baseUrl: true,
  },
  'billing/checkoutResult': { table: [] },
  /** The first portal session creates the customer at the provider. */
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
    queue: 'count',
  },
  [WORKERS.resumeRetention]: { table: ['Query', 'UpdateItem'], queue: 'send' },
  [WORKERS.purge]: { table: ['GetItem', ...FINISH] },
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

/** Rate limits take an update, authentication takes reads and an update of the key's last use. */
function baseOf({ access, rateClass }: Contract): Rights {
  const counters = rateClass === 'none' ? [] : [rateLimitKey(rateClass, '').pk];
  if (access === 'api_key') {
    const updates = [apiKeyKey('').pk, ...counters];
    return { table: ['GetItem', 'BatchGetItem', 'UpdateItem'], updates, tokens: 'verify' };
  }
  return counters.length === 0 ? { table: [] } : { table: ['UpdateItem'], updates: counters };
}

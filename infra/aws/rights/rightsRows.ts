import { contracts } from '../../../shared/contracts/registry.ts';
import { routeKeyOf, WORKERS } from '../functions.ts';

export interface RoleStatement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Function id to the statements of its role and the names of its variables. */
export type DeployedRights = ReadonlyMap<
  string,
  { readonly statements: readonly RoleStatement[]; readonly variables: readonly string[] }
>;

const WORKER_TRIGGERS: Readonly<Record<string, string>> = {
  [WORKERS.evaluate]: 'the queue of runs',
  [WORKERS.deadLetters]: 'the dead-letter queue',
  [WORKERS.sweep]: 'every minute, each shard',
  [WORKERS.resumeRetention]: 'every minute',
  [WORKERS.purge]: 'every hour',
  [WORKERS.reportOverage]: 'every hour, each shard',
};

const COLUMNS = ['Called by', 'Function', 'Table', 'Queues', 'Keys', 'Secrets'];

/** What each function may do: the rows of a table, the first its head. */
export function rightsRows(deployed: DeployedRights): string[][] {
  const triggers: (readonly [string, string])[] = [
    ...contracts.map((contract) => [contract.id, `\`${routeKeyOf(contract)}\``] as const),
    ...Object.entries(WORKER_TRIGGERS),
  ];
  return [COLUMNS, ...triggers.map(([id, trigger]) => rowOf(id, trigger, deployed))];
}

function rowOf(id: string, trigger: string, deployed: DeployedRights): string[] {
  const { statements = [], variables = [] } = deployed.get(id) ?? {};
  const actionsOf = (service: string): string =>
    statements
      .flatMap(({ Action, Resource, Condition }) =>
        [Action].flat().map((action) => ({ action, where: resourceOf(Resource) + itemsOf(Condition) })),
      )
      .filter(({ action }) => action.startsWith(`${service}:`))
      .map(({ action, where }) => `${action.slice(service.length + 1)}${where}`)
      .sort()
      .join(', ');
  const secrets = [
    variables.includes('ORIGIN_SECRETS') ? 'origin' : '',
    variables.includes('STRIPE_SECRET_KEY') ? 'payments' : '',
  ];
  return [
    trigger,
    `\`${id}\``,
    actionsOf('dynamodb'),
    actionsOf('sqs'),
    actionsOf('kms'),
    secrets.filter((secret) => secret !== '').join(', '),
  ];
}

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/VaultKey/, ' (BYOK keys)'],
  [/TokenKey/, ' (tokens)'],
  [/DeadLetters/, ' (dead letters)'],
  [/data:ExportsOutput\w*Runs/, ' (runs)'],
];

function resourceOf(resource: unknown): string {
  const text = JSON.stringify(resource);
  return NAMES.find(([pattern]) => pattern.test(text))?.[1] ?? '';
}

function itemsOf(condition: RoleStatement['Condition']): string {
  const patterns = condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
  if (!Array.isArray(patterns)) return '';
  return ` of ${patterns.map((pattern) => `\`${String(pattern).replace(/\*$/, '')}\``).join(' and ')}`;
}

import type { Exchange } from './costMeter.ts';
import type { FunctionKind, Invocation, MeteredService } from './meteredService.ts';

/** One request to the table. */
export interface TableOperation {
  /** Operation and kinds of items: `UpdateItem RATE`. */
  readonly name: string;
  readonly kind: 'read' | 'write';
  readonly units: number;
  /** The partition key of each of its items. */
  readonly pks: readonly string[];
}

/** Counted requests and invocations during an action. */
export interface Counts {
  readonly httpRequests: number;
  readonly sentBytes: number;
  readonly egressBytes: number;
  readonly table: readonly TableOperation[];
  /** Requests of SQS by their operation, in units of 64 KB. */
  readonly queue: Readonly<Record<string, number>>;
  readonly kmsCalls: number;
  readonly invocations: readonly Invocation[];
  readonly logBytes: number;
}

const READS = new Set(['GetItem', 'BatchGetItem', 'Query']);
const WRITE_UNIT_BYTES = 1_024;
const QUEUE_UNIT_BYTES = 64 * 1_024;

export async function countDuring(metered: MeteredService, act: () => Promise<unknown>): Promise<Counts> {
  const { meters, kms, invocations, logLines } = metered;
  const lists = [meters.http.exchanges, meters.table.exchanges, meters.queue.exchanges] as const;
  const [httpFrom, tableFrom, queueFrom] = lists.map((list) => list.length);
  const from = { kms: kms.calls.length, invocations: invocations.length, lines: logLines.length };
  await act();
  const http = meters.http.exchanges.slice(httpFrom);
  return {
    httpRequests: http.length,
    sentBytes: http.reduce((sum, { sentBytes }) => sum + sentBytes, 0),
    egressBytes: http.reduce((sum, { answeredBytes }) => sum + answeredBytes, 0),
    table: meters.table.exchanges.slice(tableFrom).map(tableOperation),
    queue: queueUnits(meters.queue.exchanges.slice(queueFrom)),
    kmsCalls: kms.calls.length - from.kms,
    invocations: invocations.slice(from.invocations),
    logBytes: Buffer.byteLength(logLines.slice(from.lines).join('')),
  };
}

/** The engine's reported units. A transaction counts twice the units of its writes. */
function tableOperation({ operation, sent, status, answered, answeredBytes }: Exchange): TableOperation {
  // Other failed requests cost units that the engine does not report, and do not occur in an undisturbed run.
  const isRefused = String(answered?.__type).endsWith('#ConditionalCheckFailedException');
  if (status !== 200 && !isRefused) throw new Error(`${operation} failed: ${JSON.stringify(answered)}`);
  const capacities: { CapacityUnits?: number }[] = [answered.ConsumedCapacity ?? []].flat();
  const reported = capacities.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  // A write whose condition fails costs what its item does, which is the answer.
  const units = isRefused ? Math.ceil(answeredBytes / WRITE_UNIT_BYTES) : reported;
  const keys = keysOf(sent);
  const names = new Set(keys.map(kindOf));
  return {
    name: `${operation} ${[...names].join(' + ')}`,
    kind: READS.has(operation) ? 'read' : 'write',
    units,
    pks: keys.map(({ pk }) => pk),
  };
}

interface SentKey {
  readonly pk: string;
  readonly sk: string | undefined;
}

function keysOf({ TransactItems, RequestItems, ...sent }: Exchange['sent']): SentKey[] {
  if (TransactItems !== undefined)
    return TransactItems.flatMap((write: object) => Object.values(write).flatMap(keysOf));
  if (RequestItems !== undefined)
    return Object.values<{ Keys: object[] }>(RequestItems).flatMap(({ Keys }) =>
      Keys.flatMap((Key) => keysOf({ Key })),
    );
  const values = sent.ExpressionAttributeValues;
  const { pk, sk } = sent.Key ?? sent.Item ?? { pk: values[':pk'], sk: values[':prefix'] ?? values[':from'] };
  return [{ pk: pk.S, sk: sk?.S }];
}

/** The first word of the key. Items of lists ordered by time or organisation are named by their partition. */
function kindOf({ pk, sk }: SentKey): string {
  const [word = ''] = (sk !== undefined && /^[A-Z]/.test(sk) ? sk : pk).split('#');
  return word;
}

/** Polls of an empty queue belong to no run and are left out. */
function queueUnits(exchanges: readonly Exchange[]): Record<string, number> {
  const units: Record<string, number> = {};
  for (const { operation, sentBytes, answered, answeredBytes } of exchanges) {
    if (operation === 'ReceiveMessage' && !(answered?.Messages?.length > 0)) continue;
    const bytes = Math.max(sentBytes, answeredBytes);
    units[operation] = (units[operation] ?? 0) + Math.ceil(bytes / QUEUE_UNIT_BYTES);
  }
  return units;
}

export const unitsOf = ({ table }: Counts, kind: TableOperation['kind'], name?: string): number =>
  table
    .filter((operation) => operation.kind === kind && (name === undefined || operation.name === name))
    .reduce((sum, { units }) => sum + units, 0);

export const queueRequests = ({ queue }: Counts): number =>
  Object.values(queue).reduce((sum, units) => sum + units, 0);

export const invocationsOf = ({ invocations }: Counts, kind: FunctionKind): readonly Invocation[] =>
  invocations.filter((invocation) => invocation.kind === kind);

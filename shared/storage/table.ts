import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backoff } from './backoff.ts';
import { type Key, PK, SK, TTL } from './keys.ts';

export type Item = Record<string, unknown>;

type SdkWrite = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
/** One action of a transaction, as the SDK takes it, less the table's name. */
export type Write = { [Action in keyof SdkWrite]?: Omit<NonNullable<SdkWrite[Action]>, 'TableName'> };

/** `failed` holds the writes whose condition did not hold, each with the item as it is now. */
export type Outcome<Name extends string> =
  | { committed: true }
  | { committed: false; failed: Map<Name, Item | undefined> };

export interface QueryRange {
  readonly pk: string;
  readonly prefix?: string;
  readonly between?: readonly [from: string, to: string];
}

/** Request units since the start, as the engine reports them. */
export interface ConsumedUnits {
  readonly read: number;
  readonly write: number;
}

/**
 * The one table. Reads are consistent and never show what is deleted or expired;
 * writes that meet another writer's transaction are repeated.
 */
export interface Table {
  get(key: Key): Promise<Item | undefined>;
  /** In the order asked for; undefined where there is none. */
  getMany(keys: readonly Key[]): Promise<(Item | undefined)[]>;
  query(range: QueryRange, options?: { newestFirst?: boolean; limit?: number }): Promise<Item[]>;
  put(item: Item): Promise<void>;
  /** False when an item with this key is there already. */
  putIfAbsent(item: Item): Promise<boolean>;
  /** All of the writes or none: at most 100 of them and 4 MB. */
  transact<Name extends string>(writes: Record<Name, Write>): Promise<Outcome<Name>>;
  consumed(): ConsumedUnits;
}

export interface TableOptions {
  readonly name: string;
  readonly endpoint?: string | undefined;
  readonly now: () => number;
}

const BATCH_GET_MAX = 100;
const TRANSIENT = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

export function createTable({ name, endpoint, now }: TableOptions): Table {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      ...(endpoint === undefined ? {} : { endpoint }),
      maxAttempts: 6,
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000 },
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
  let consumed: ConsumedUnits = { read: 0, write: 0 };
  const count = (kind: keyof ConsumedUnits, ...capacities: ({ CapacityUnits?: number | undefined } | undefined)[]) => {
    const units = capacities.reduce((sum, capacity) => sum + (capacity?.CapacityUnits ?? 0), 0);
    consumed = { ...consumed, [kind]: consumed[kind] + units };
  };
  const common = { TableName: name, ReturnConsumedCapacity: 'TOTAL' } as const;

  const visible = (item: Item | undefined): Item | undefined => {
    if (item === undefined || item.deleted_at !== undefined) return undefined;
    const expiresAt = item[TTL];
    return typeof expiresAt === 'number' && expiresAt * 1_000 <= now() ? undefined : item;
  };

  async function getBatch(keys: readonly Key[]): Promise<Item[]> {
    const items: Item[] = [];
    let pending: readonly Key[] = keys;
    for (let attempt = 0; pending.length > 0; attempt++) {
      const request = { [name]: { Keys: pending as Key[], ConsistentRead: true } };
      const answer = await client.send(
        new BatchGetCommand({ RequestItems: request, ReturnConsumedCapacity: 'TOTAL' }),
      );
      count('read', ...(answer.ConsumedCapacity ?? []));
      items.push(...(answer.Responses?.[name] ?? []));
      pending = (answer.UnprocessedKeys?.[name]?.Keys ?? []) as unknown as Key[];
      if (pending.length > 0) await backoff(attempt);
    }
    return items;
  }

  return {
    async get(key) {
      const answer = await client.send(new GetCommand({ ...common, Key: key, ConsistentRead: true }));
      count('read', answer.ConsumedCapacity);
      return visible(answer.Item);
    },

    async getMany(keys) {
      const wanted = new Map(keys.map((key) => [idOf(key), key]));
      const batches = chunked([...wanted.values()], BATCH_GET_MAX).map(getBatch);
      const found = new Map((await Promise.all(batches)).flat().map((item) => [idOf(item), item]));
      return keys.map((key) => visible(found.get(idOf(key))));
    },

    async query(range, options = {}) {
      const items: Item[] = [];
      let from: Item | undefined;
      do {
        const answer = await client.send(
          new QueryCommand({
            ...common,
            ...rangeExpression(range),
            ConsistentRead: true,
            ScanIndexForward: !options.newestFirst,
            ...(options.limit === undefined ? {} : { Limit: options.limit }),
            ...(from === undefined ? {} : { ExclusiveStartKey: from }),
          }),
        );
        count('read', answer.ConsumedCapacity);
        for (const item of answer.Items ?? []) if (visible(item)) items.push(item);
        from = answer.LastEvaluatedKey;
      } while (from !== undefined && items.length < (options.limit ?? Number.POSITIVE_INFINITY));
      return items;
    },

    async put(item) {
      const answer = await client.send(new PutCommand({ ...common, Item: item }));
      count('write', answer.ConsumedCapacity);
    },

    async putIfAbsent(item) {
      try {
        const condition = { ConditionExpression: `attribute_not_exists(${PK})` };
        const answer = await client.send(new PutCommand({ ...common, ...condition, Item: item }));
        count('write', answer.ConsumedCapacity);
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    },

    async transact<Name extends string>(writes: Record<Name, Write>): Promise<Outcome<Name>> {
      const names = Object.keys(writes) as Name[];
      const command = new TransactWriteCommand({
        TransactItems: names.map((write) => inTable(name, writes[write])),
        ReturnConsumedCapacity: 'TOTAL',
        // The same token on every attempt: a commit whose answer got lost is not made twice.
        ClientRequestToken: randomUUID(),
      });
      for (let attempt = 0; ; attempt++) {
        try {
          const answer = await client.send(command);
          count('write', ...(answer.ConsumedCapacity ?? []));
          return { committed: true };
        } catch (error) {
          const failed = failedConditions(names, error);
          if (failed !== undefined) return { committed: false, failed };
          if (!isTransient(error) || attempt >= TRANSACT_RETRIES_MAX) throw error;
          await backoff(attempt);
        }
      }
    },

    consumed: () => consumed,
  };
}

const TRANSACT_RETRIES_MAX = 20;

const idOf = (key: Item | Key): string => `${key[PK as keyof typeof key]}\n${key[SK as keyof typeof key]}`;

function chunked<T>(list: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < list.length; start += size) chunks.push(list.slice(start, start + size));
  return chunks;
}

function rangeExpression({ pk, prefix, between }: QueryRange) {
  if (between !== undefined) {
    return {
      KeyConditionExpression: `${PK} = :pk AND ${SK} BETWEEN :from AND :to`,
      ExpressionAttributeValues: { ':pk': pk, ':from': between[0], ':to': between[1] },
    };
  }
  return {
    KeyConditionExpression: `${PK} = :pk AND begins_with(${SK}, :prefix)`,
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix ?? '' },
  };
}

function inTable(table: string, write: Write): SdkWrite {
  const actions = Object.entries(write).map(([action, input]) => [
    action,
    { TableName: table, ReturnValuesOnConditionCheckFailure: 'ALL_OLD', ...input },
  ]);
  return Object.fromEntries(actions) as SdkWrite;
}

function failedConditions<Name extends string>(
  names: readonly Name[],
  error: unknown,
): Map<Name, Item | undefined> | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const failed = new Map<Name, Item | undefined>();
  error.CancellationReasons?.forEach((reason, index) => {
    const name = names[index];
    if (reason.Code !== 'ConditionalCheckFailed' || name === undefined) return;
    failed.set(name, reason.Item === undefined ? undefined : unmarshall(reason.Item));
  });
  return failed.size > 0 ? failed : undefined;
}

function isTransient(error: unknown): boolean {
  if (error instanceof TransactionInProgressException) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  return error.CancellationReasons?.some((reason) => TRANSIENT.has(reason.Code ?? '')) ?? false;
}

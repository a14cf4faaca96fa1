import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandOutput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backoff } from './backoff.ts';
import { chunksOf } from './chunks.ts';
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

export interface QueryOptions {
  readonly newestFirst?: boolean;
  readonly limit?: number;
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
  query(range: QueryRange, options?: QueryOptions): Promise<Item[]>;
  put(item: Item): Promise<void>;
  /** False when an item with this key is there already. */
  putIfAbsent(item: Item): Promise<boolean>;
  /** One conditional update, answered with the item as it is afterwards, or as it stood in the way. */
  update(
    update: Omit<UpdateCommandInput, 'TableName'>,
  ): Promise<{ updated: boolean; item: Item | undefined }>;
  delete(
    key: Key,
    condition: { ConditionExpression: string; ExpressionAttributeValues: Item },
  ): Promise<boolean>;
  /** All of the writes or none: at most 100 of them and 4 MB. */
  transact<Name extends string>(writes: Record<Name, Write>): Promise<Outcome<Name>>;
  consumed(): ConsumedUnits;
  /** Waits before a step that met another writer is taken again; attempts count from 0. */
  readonly backoff: (attempt: number) => Promise<void>;
}

export interface TableOptions {
  readonly name: string;
  readonly endpoint?: string | undefined;
  readonly now: () => number;
}

const BATCH_GET_MAX = 100;
const TRANSACT_RETRIES_MAX = 20;
const TRANSIENT = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

type Capacity = { CapacityUnits?: number | undefined } | undefined;

class DynamoTable implements Table {
  readonly #client: DynamoDBDocumentClient;
  readonly #name: string;
  readonly #now: () => number;
  #consumed: ConsumedUnits = { read: 0, write: 0 };
  readonly backoff = backoff;

  constructor({ name, endpoint, now }: TableOptions) {
    this.#name = name;
    this.#now = now;
    const client = new DynamoDBClient({
      ...(endpoint === undefined ? {} : { endpoint }),
      maxAttempts: 6,
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000 },
    });
    this.#client = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  }

  async get(key: Key): Promise<Item | undefined> {
    const answer = await this.#client.send(
      new GetCommand({ ...this.#common, Key: key, ConsistentRead: true }),
    );
    this.#count('read', answer.ConsumedCapacity);
    return this.#visible(answer.Item) ? answer.Item : undefined;
  }

  async getMany(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    const wanted = [...new Map(keys.map((key) => [idOf(key), key])).values()];
    const batches = chunksOf(wanted, BATCH_GET_MAX).map((batch) => this.#getBatch(batch));
    const items = (await Promise.all(batches)).flat().filter((item) => this.#visible(item));
    const found = new Map(items.map((item) => [idOf(item), item]));
    return keys.map((key) => found.get(idOf(key)));
  }

  async #getBatch(keys: readonly Key[]): Promise<Item[]> {
    const items: Item[] = [];
    let pending: Record<string, unknown>[] = keys.map(({ pk, sk }) => ({ [PK]: pk, [SK]: sk }));
    for (let attempt = 0; pending.length > 0; attempt++) {
      if (attempt > 0) await backoff(attempt);
      const answer = await this.#client.send(
        new BatchGetCommand({
          RequestItems: { [this.#name]: { Keys: pending, ConsistentRead: true } },
          ReturnConsumedCapacity: 'TOTAL',
        }),
      );
      this.#count('read', ...(answer.ConsumedCapacity ?? []));
      items.push(...(answer.Responses?.[this.#name] ?? []));
      pending = answer.UnprocessedKeys?.[this.#name]?.Keys ?? [];
    }
    return items;
  }

  async query(range: QueryRange, { newestFirst = false, limit }: QueryOptions = {}): Promise<Item[]> {
    const wanted = limit ?? Number.POSITIVE_INFINITY;
    const items: Item[] = [];
    let from: Item | undefined;
    do {
      const answer: QueryCommandOutput = await this.#client.send(
        new QueryCommand({
          ...this.#common,
          ...rangeExpression(range),
          ConsistentRead: true,
          ScanIndexForward: !newestFirst,
          Limit: limit,
          ExclusiveStartKey: from,
        }),
      );
      this.#count('read', answer.ConsumedCapacity);
      items.push(...(answer.Items ?? []).filter((item) => this.#visible(item)));
      from = answer.LastEvaluatedKey;
    } while (from !== undefined && items.length < wanted);
    return items;
  }

  async put(item: Item): Promise<void> {
    const answer = await this.#client.send(new PutCommand({ ...this.#common, Item: item }));
    this.#count('write', answer.ConsumedCapacity);
  }

  async putIfAbsent(item: Item): Promise<boolean> {
    const condition = { ConditionExpression: `attribute_not_exists(${PK})` };
    try {
      const answer = await this.#client.send(new PutCommand({ ...this.#common, ...condition, Item: item }));
      this.#count('write', answer.ConsumedCapacity);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async update(update: Omit<UpdateCommandInput, 'TableName'>) {
    try {
      const answer = await this.#client.send(
        new UpdateCommand({
          ...this.#common,
          ...update,
          ReturnValues: 'ALL_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      this.#count('write', answer.ConsumedCapacity);
      return { updated: true, item: answer.Attributes };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { updated: false, item: error.Item && unmarshall(error.Item) };
    }
  }

  async delete(key: Key, condition: { ConditionExpression: string; ExpressionAttributeValues: Item }) {
    try {
      const answer = await this.#client.send(new DeleteCommand({ ...this.#common, Key: key, ...condition }));
      this.#count('write', answer.ConsumedCapacity);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async transact<Name extends string>(writes: Record<Name, Write>): Promise<Outcome<Name>> {
    const names = Object.keys(writes) as Name[];
    const command = new TransactWriteCommand({
      TransactItems: names.map((write) => inTable(this.#name, writes[write])),
      ReturnConsumedCapacity: 'TOTAL',
      // The same token on every attempt: a commit whose answer got lost is not made twice.
      ClientRequestToken: randomUUID(),
    });
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await this.#client.send(command);
        this.#count('write', ...(answer.ConsumedCapacity ?? []));
        return { committed: true };
      } catch (error) {
        const failed = failedConditions(names, error);
        if (failed !== undefined) return { committed: false, failed };
        if (!isTransient(error) || attempt >= TRANSACT_RETRIES_MAX) throw error;
        await backoff(attempt);
      }
    }
  }

  consumed(): ConsumedUnits {
    return this.#consumed;
  }

  get #common() {
    return { TableName: this.#name, ReturnConsumedCapacity: 'TOTAL' } as const;
  }

  #count(kind: keyof ConsumedUnits, ...capacities: readonly Capacity[]): void {
    const units = capacities.reduce((sum, capacity) => sum + (capacity?.CapacityUnits ?? 0), 0);
    this.#consumed = { ...this.#consumed, [kind]: this.#consumed[kind] + units };
  }

  /** Engines drop expired items days late, so that their time counts, not their presence. */
  #visible(item: Item | undefined): boolean {
    if (item === undefined || item.deleted_at !== undefined) return false;
    const expiresAt = item[TTL];
    return typeof expiresAt !== 'number' || expiresAt * 1_000 > this.#now();
  }
}

export const createTable = (options: TableOptions): Table => new DynamoTable(options);

const idOf = (key: Item | Key): string => `${key[PK as keyof typeof key]}\n${key[SK as keyof typeof key]}`;

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

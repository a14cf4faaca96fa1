import { randomUUID } from 'node:crypto';
import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandOutput,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { fromAttributes, toAttributes, withAttributes } from './attributes.ts';
import { backoff } from './backoff.ts';
import { chunksOf } from './chunks.ts';
import { failedConditions, idOf, inTable, rangeExpression, untilNoConflict } from './dynamoRequests.ts';
import { type Key, PK, SK, TTL } from './keys.ts';
import type {
  ConsumedUnits,
  Item,
  Outcome,
  QueryOptions,
  QueryRange,
  Table,
  TableOptions,
  UpdateInput,
  Write,
} from './table.ts';

const BATCH_GET_MAX = 100;

/** The wait for a socket of the pool counts as connecting: a burst must not run out of either. */
const AGENT = { keepAlive: true, maxSockets: 400 };
const REQUEST_HANDLER = {
  connectionTimeout: 5_000,
  requestTimeout: 5_000,
  // Without it an unanswered request only logs a warning, and hangs.
  throwOnRequestTimeout: true,
  httpAgent: AGENT,
  httpsAgent: AGENT,
};

type Capacity = { CapacityUnits?: number | undefined } | undefined;

const whole = (item: Item): Item => item;

class DynamoTable implements Table {
  readonly #client: DynamoDBClient;
  readonly #name: string;
  readonly #now: () => number;
  #consumed: ConsumedUnits = { read: 0, write: 0 };
  readonly backoff = backoff;

  constructor({ name, endpoint, now }: TableOptions) {
    this.#name = name;
    this.#now = now;
    this.#client = new DynamoDBClient({
      ...(endpoint === undefined ? {} : { endpoint }),
      maxAttempts: 6,
      requestHandler: REQUEST_HANDLER,
      // The SDK otherwise builds its chain of middleware anew for each request.
      cacheMiddleware: true,
    });
    // It makes a copy of each request and answer, for a logger that there is none of.
    this.#client.middlewareStack.remove('loggerMiddleware');
  }

  async get(key: Key): Promise<Item | undefined> {
    const { Item, ConsumedCapacity } = await this.#client.send(
      new GetItemCommand({ ...this.#common, Key: toAttributes(key), ConsistentRead: true }),
    );
    this.#count('read', ConsumedCapacity);
    const item = Item && fromAttributes(Item);
    return this.#visible(item) ? item : undefined;
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
    let pending = keys.map(({ pk, sk }) => toAttributes({ [PK]: pk, [SK]: sk }));
    for (let attempt = 0; pending.length > 0; attempt++) {
      if (attempt > 0) await backoff(attempt);
      const answer = await this.#client.send(
        new BatchGetItemCommand({
          RequestItems: { [this.#name]: { Keys: pending, ConsistentRead: true } },
          ReturnConsumedCapacity: 'TOTAL',
        }),
      );
      this.#count('read', ...(answer.ConsumedCapacity ?? []));
      items.push(...(answer.Responses?.[this.#name] ?? []).map(fromAttributes));
      pending = answer.UnprocessedKeys?.[this.#name]?.Keys ?? [];
    }
    return items;
  }

  async query(
    range: QueryRange,
    { newestFirst = false, limit, slim = whole }: QueryOptions = {},
  ): Promise<Item[]> {
    const wanted = limit ?? Number.POSITIVE_INFINITY;
    const items: Item[] = [];
    let from: QueryCommandOutput['LastEvaluatedKey'];
    do {
      const answer: QueryCommandOutput = await this.#client.send(
        new QueryCommand({
          ...this.#common,
          ...withAttributes(rangeExpression(range)),
          ConsistentRead: true,
          ScanIndexForward: !newestFirst,
          Limit: limit,
          ExclusiveStartKey: from,
        }),
      );
      this.#count('read', answer.ConsumedCapacity);
      const page = (answer.Items ?? []).map(fromAttributes);
      items.push(...page.filter((item) => this.#visible(item)).map(slim));
      from = answer.LastEvaluatedKey;
    } while (from !== undefined && items.length < wanted);
    return items;
  }

  async put(item: Item): Promise<void> {
    const command = new PutItemCommand({ ...this.#common, Item: toAttributes(item) });
    const answer = await untilNoConflict(() => this.#client.send(command));
    this.#count('write', answer.ConsumedCapacity);
  }

  async putIfAbsent(item: Item): Promise<boolean> {
    const condition = { ConditionExpression: `attribute_not_exists(${PK})` };
    try {
      const command = new PutItemCommand({ ...this.#common, ...condition, Item: toAttributes(item) });
      const answer = await untilNoConflict(() => this.#client.send(command));
      this.#count('write', answer.ConsumedCapacity);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async update(update: UpdateInput) {
    try {
      const command = new UpdateItemCommand({
        ...this.#common,
        ...withAttributes(update),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      const answer = await untilNoConflict(() => this.#client.send(command));
      this.#count('write', answer.ConsumedCapacity);
      return { updated: true, item: answer.Attributes && fromAttributes(answer.Attributes) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { updated: false, item: error.Item && fromAttributes(error.Item) };
    }
  }

  async delete(key: Key, condition: { ConditionExpression: string; ExpressionAttributeValues: Item }) {
    try {
      const command = new DeleteItemCommand({
        ...this.#common,
        ...withAttributes({ Key: key, ...condition }),
      });
      const answer = await untilNoConflict(() => this.#client.send(command));
      this.#count('write', answer.ConsumedCapacity);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async transact<Name extends string>(writes: Record<Name, Write>): Promise<Outcome<Name>> {
    const names = Object.keys(writes) as Name[];
    const command = new TransactWriteItemsCommand({
      TransactItems: names.map((write) => inTable(this.#name, writes[write])),
      ReturnConsumedCapacity: 'TOTAL',
      // The same token on every attempt: a commit whose answer got lost is not made twice.
      ClientRequestToken: randomUUID(),
    });
    try {
      const answer = await untilNoConflict(() => this.#client.send(command));
      this.#count('write', ...(answer.ConsumedCapacity ?? []));
      return { committed: true };
    } catch (error) {
      const failed = failedConditions(names, error);
      if (failed === undefined) throw error;
      return { committed: false, failed };
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

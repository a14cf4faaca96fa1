import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandOutput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backoff } from './backoff.ts';
import { chunksOf } from './batches.ts';
import { dynamoClient } from './dynamoClient.ts';
import {
  failedConditions,
  idOf,
  isConflict,
  isVisible,
  projection,
  rangeExpression,
  transaction,
  untilNoConflict,
} from './dynamoRequests.ts';
import { type Key, PK, SK } from './keys.ts';
import type {
  ConsumedUnits,
  Item,
  Outcome,
  QueryOptions,
  QueryRange,
  Table,
  TableOptions,
  TransactOptions,
  Write,
} from './table.ts';

const BATCH_GET_MAX = 100;
type Capacity = { CapacityUnits?: number | undefined } | undefined;
const completeItem = (item: Item): Item => item;

class DynamoTable implements Table {
  readonly #client: DynamoDBDocumentClient;
  readonly #name: string;
  #consumed: ConsumedUnits = { read: 0, write: 0 };
  readonly now: () => number;
  readonly backoff = backoff;

  constructor({ name, endpoint, now }: TableOptions) {
    this.#name = name;
    this.now = now;
    this.#client = dynamoClient(endpoint);
  }

  async get(key: Key, { mayLag = false }: { readonly mayLag?: boolean } = {}): Promise<Item | undefined> {
    const answer = await this.#client.send(
      new GetCommand({ ...this.#common, Key: key, ConsistentRead: !mayLag }),
    );
    this.#count('read', answer.ConsumedCapacity);
    return isVisible(answer.Item, this.now()) ? answer.Item : undefined;
  }

  async getMany(
    keys: readonly Key[],
    { only, mayLag = false }: { readonly only?: readonly string[]; readonly mayLag?: boolean } = {},
  ): Promise<(Item | undefined)[]> {
    const how = { ConsistentRead: !mayLag, ...projection(only) };
    const uniqueKeys = [...new Map(keys.map((key) => [idOf(key), key])).values()];
    const batches = chunksOf(uniqueKeys, BATCH_GET_MAX).map((batch) => this.#getBatch(batch, how));
    const items = (await Promise.all(batches)).flat().filter((item) => isVisible(item, this.now()));
    const itemsById = new Map(items.map((item) => [idOf(item), item]));
    return keys.map((key) => itemsById.get(idOf(key)));
  }

  async #getBatch(keys: readonly Key[], how: object): Promise<Item[]> {
    const items: Item[] = [];
    let pending: Record<string, unknown>[] = keys.map(({ pk, sk }) => ({ [PK]: pk, [SK]: sk }));
    for (let attempt = 0; pending.length > 0; attempt++) {
      if (attempt > 0) await backoff(attempt);
      const answer = await this.#client.send(
        new BatchGetCommand({
          RequestItems: { [this.#name]: { Keys: pending, ...how } },
          ReturnConsumedCapacity: 'TOTAL',
        }),
      );
      this.#count('read', ...(answer.ConsumedCapacity ?? []));
      items.push(...(answer.Responses?.[this.#name] ?? []));
      pending = answer.UnprocessedKeys?.[this.#name]?.Keys ?? [];
    }
    return items;
  }

  async query(
    range: QueryRange,
    { newestFirst = false, limit, slim = completeItem, withExpired = false }: QueryOptions = {},
  ): Promise<Item[]> {
    const isRequested = (item: Item) => withExpired || isVisible(item, this.now());
    const itemCountMax = limit ?? Number.POSITIVE_INFINITY;
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
      items.push(...(answer.Items ?? []).filter(isRequested).map(slim));
      from = answer.LastEvaluatedKey;
    } while (from !== undefined && items.length < itemCountMax);
    return items;
  }

  async put(item: Item): Promise<void> {
    const command = new PutCommand({ ...this.#common, Item: item });
    await this.#write(() => this.#client.send(command));
  }

  async putIfAbsent(item: Item): Promise<boolean> {
    const condition = { ConditionExpression: `attribute_not_exists(${PK})` };
    const command = new PutCommand({ ...this.#common, ...condition, Item: item });
    return this.#writeIf(() => this.#client.send(command));
  }

  async update(update: Omit<UpdateCommandInput, 'TableName'>) {
    try {
      const command = new UpdateCommand({
        ...this.#common,
        ...update,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      const answer = await this.#write(() => this.#client.send(command));
      return { updated: true, item: answer.Attributes };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { updated: false, item: error.Item && unmarshall(error.Item) };
    }
  }

  async delete(key: Key, condition?: { ConditionExpression: string; ExpressionAttributeValues: Item }) {
    const command = new DeleteCommand({ ...this.#common, Key: key, ...condition });
    return this.#writeIf(() => this.#client.send(command));
  }

  async #write<Answer extends { ConsumedCapacity?: Capacity }>(send: () => Promise<Answer>): Promise<Answer> {
    const answer = await untilNoConflict(send);
    this.#count('write', answer.ConsumedCapacity);
    return answer;
  }

  async #writeIf(send: () => Promise<{ ConsumedCapacity?: Capacity }>): Promise<boolean> {
    try {
      await this.#write(send);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async transact<Name extends string>(
    writes: Record<Name, Write>,
    { once = false }: TransactOptions = {},
  ): Promise<Outcome<Name>> {
    const names = Object.keys(writes) as Name[];
    const command = transaction(this.#name, Object.values<Write>(writes));
    try {
      const answer = await untilNoConflict(() => this.#client.send(command), this.backoff, { once });
      this.#count('write', ...(answer.ConsumedCapacity ?? []));
      return { committed: true };
    } catch (error) {
      const failed = failedConditions(names, error) ?? (once && isConflict(error) ? new Map() : undefined);
      if (failed === undefined) throw error;
      return { committed: false, failed };
    }
  }

  consumed = (): ConsumedUnits => this.#consumed;

  get #common() {
    return { TableName: this.#name, ReturnConsumedCapacity: 'TOTAL' } as const;
  }

  #count(kind: keyof ConsumedUnits, ...capacities: readonly Capacity[]): void {
    const units = capacities.reduce((sum, capacity) => sum + (capacity?.CapacityUnits ?? 0), 0);
    this.#consumed = { ...this.#consumed, [kind]: this.#consumed[kind] + units };
  }
}

export const createTable = (options: TableOptions): Table => new DynamoTable(options);

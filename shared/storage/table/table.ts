import type { TransactWriteCommandInput, UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';

export type Item = Record<string, unknown>;

export type SdkWrite = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
/** One action of a transaction, as the SDK takes it, without the table's name. */
export type Write = { [Action in keyof SdkWrite]?: Omit<NonNullable<SdkWrite[Action]>, 'TableName'> };

/** `failed` holds the writes whose condition did not hold, each with the item as it is now. Empty: see `once`. */
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
  /** Picks the fields to keep of each item. The rest is freed before the next megabyte is read. */
  readonly slim?: (item: Item) => Item;
  /** Also items past their time to live that the engine has not dropped yet, and deleted ones. */
  readonly withExpired?: boolean;
}

export interface TransactOptions {
  /** A transaction that meets another writer's is not repeated: nothing of it was applied, and no write failed. */
  readonly once?: boolean;
}

/** Request units since the start, as the engine reports them. */
export interface ConsumedUnits {
  readonly read: number;
  readonly write: number;
}

/** Reads are consistent unless they may lag, without deleted and expired items. Writes that meet a transaction are repeated. */
export interface Table {
  /** `mayLag`: at half the price, an item as it was a moment ago. */
  get(key: Key, options?: { readonly mayLag?: boolean }): Promise<Item | undefined>;
  /** In the order of the keys; undefined for a missing item. `only`: the fields that are read. `mayLag`: see `get`. */
  getMany(
    keys: readonly Key[],
    options?: { readonly only?: readonly string[]; readonly mayLag?: boolean },
  ): Promise<(Item | undefined)[]>;
  query(range: QueryRange, options?: QueryOptions): Promise<Item[]>;
  put(item: Item): Promise<void>;
  /** False when an item with this key is there already. */
  putIfAbsent(item: Item): Promise<boolean>;
  /** One conditional update. Returns the item after the update, or the item whose condition failed. */
  update(
    update: Omit<UpdateCommandInput, 'TableName'>,
  ): Promise<{ updated: boolean; item: Item | undefined }>;
  delete(
    key: Key,
    condition?: { ConditionExpression: string; ExpressionAttributeValues: Item },
  ): Promise<boolean>;
  /** All of the writes or none: at most 100 of them and 4 MB. */
  transact<Name extends string>(
    writes: Record<Name, Write>,
    options?: TransactOptions,
  ): Promise<Outcome<Name>>;
  consumed(): ConsumedUnits;
  /** The clock by which items expire. */
  readonly now: () => number;
  /** Waits before a step is repeated that met another writer. Tries count from 0. */
  readonly backoff: (attempt: number) => Promise<void>;
}

export interface TableOptions {
  readonly name: string;
  readonly endpoint?: string | undefined;
  readonly now: () => number;
}

import type { Key } from '../../../shared/storage/table/keys.ts';
import { PK, SK, TTL } from '../../../shared/storage/table/keys.ts';
import type {
  Item,
  Outcome,
  QueryOptions,
  QueryRange,
  Table,
  Write,
} from '../../../shared/storage/table/table.ts';
import { type Compiled, type Condition, compileCondition } from './conditions.ts';
import { Partition } from './partition.ts';
import { ValidationException } from './tokens.ts';
import { compileUpdate, type Update } from './updates.ts';
import { copied, itemBytes } from './values.ts';

interface Expressions {
  readonly ConditionExpression?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}

/** The effect of a write; none if its condition fails. */
interface Effect {
  readonly key: Key;
  readonly before: Item | undefined;
  readonly holds: boolean;
  /** Undefined when the item is deleted; the item before when it is unchanged. */
  readonly after: Item | undefined;
}

const WRITES_MAX = 100;
const ITEM_BYTES_MAX = 400 * 1_024;
const TRANSACTION_BYTES_MAX = 4 * 1_024 * 1_024;
const conditions = new Map<string, Compiled<Condition>>();
const updates = new Map<string, Compiled<Update>>();

function cached<T>(known: Map<string, T>, text: string, compile: (text: string) => T): T {
  const compiled = known.get(text) ?? compile(text);
  known.set(text, compiled);
  return compiled;
}

const keyOf = (fields: object): Key => {
  const { pk, sk } = fields as Key;
  if (!pk || !sk) throw new ValidationException('A key is empty');
  return { pk, sk };
};

const whole = (item: Item): Item => item;

/** DynamoDB in memory, with its limits of sizes. Each operation and transaction is atomic. Seeds played on both show that the engines agree. */
export class MemoryTable implements Table {
  readonly #partitions = new Map<string, Partition>();
  readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  readonly backoff = async (): Promise<void> => {};
  consumed = () => ({ read: 0, write: 0 });

  /** All items, including expired ones. */
  items(): Item[] {
    return [...this.#partitions.values()].flatMap((partition) => [...partition.items()]);
  }

  async get(key: Key): Promise<Item | undefined> {
    return this.#visible(this.#at(keyOf(key)));
  }

  async getMany(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    return keys.map((key) => this.#visible(this.#at(keyOf(key))));
  }

  /** Returns pages like the engine: a page of `limit` items may contain expired ones, which are left out. */
  async query(
    range: QueryRange,
    { newestFirst = false, limit, slim = whole, withExpired = false }: QueryOptions = {},
  ): Promise<Item[]> {
    const found = [...(this.#partitions.get(range.pk)?.range(range) ?? [])];
    if (newestFirst) found.reverse();
    const page = limit ?? found.length;
    const items: Item[] = [];
    for (let from = 0; from < found.length && (from === 0 || items.length < page); from += page) {
      for (const item of found.slice(from, from + page)) {
        const visible = withExpired ? copied(item) : this.#visible(item);
        if (visible !== undefined) items.push(slim(visible));
      }
    }
    return items;
  }

  async put(item: Item): Promise<void> {
    this.#apply(this.#effectOf({ Put: { Item: item } }));
  }

  async putIfAbsent(item: Item): Promise<boolean> {
    const condition = `attribute_not_exists(${PK})`;
    return this.#apply(this.#effectOf({ Put: { Item: item, ConditionExpression: condition } }));
  }

  async update(update: Parameters<Table['update']>[0]) {
    const effect = this.#effectOf({ Update: update as NonNullable<Write['Update']> });
    const updated = this.#apply(effect);
    return { updated, item: copied(updated ? effect.after : effect.before) };
  }

  async delete(key: Key, condition: Parameters<Table['delete']>[1]): Promise<boolean> {
    return this.#apply(this.#effectOf({ Delete: { Key: { ...key }, ...condition } }));
  }

  async transact<Name extends string>(writes: Record<Name, Write>): Promise<Outcome<Name>> {
    const named = Object.entries<Write>(writes) as [Name, Write][];
    const effects = named.map(([name, write]) => ({ name, ...this.#effectOf(write) }));
    const places = new Set(effects.map(({ key }) => `${key.pk}\n${key.sk}`));
    if (effects.length === 0 || effects.length > WRITES_MAX || places.size < effects.length) {
      throw new ValidationException('A transaction has too many writes, or two of one item');
    }
    const failed = effects.filter(({ holds }) => !holds);
    if (failed.length > 0) {
      return { committed: false, failed: new Map(failed.map(({ name, before }) => [name, copied(before)])) };
    }
    const bytes = effects.reduce((sum, { after }) => sum + itemBytes(after), 0);
    if (bytes > TRANSACTION_BYTES_MAX) throw new ValidationException('A transaction has more than 4 MB');
    for (const effect of effects) this.#apply(effect);
    return { committed: true };
  }

  #at({ pk, sk }: Key): Item | undefined {
    return this.#partitions.get(pk)?.get(sk);
  }

  #effectOf({ Put, Update, Delete, ConditionCheck }: Write): Effect {
    const key = keyOf(Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key ?? {});
    const before = this.#at(key);
    const expressions: Expressions = Put ?? Update ?? Delete ?? ConditionCheck ?? {};
    const { ConditionExpression, UpdateExpression } = expressions;
    const condition =
      ConditionExpression === undefined
        ? undefined
        : cached(conditions, ConditionExpression, compileCondition);
    const update =
      UpdateExpression === undefined ? undefined : cached(updates, UpdateExpression, compileUpdate);
    const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = expressions;
    for (const placeholder of [...Object.keys(names), ...Object.keys(values)]) {
      if (condition?.placeholders.has(placeholder) || update?.placeholders.has(placeholder)) continue;
      throw new ValidationException(`${placeholder} is used in no expression`);
    }
    const holds = condition?.meaning({ item: before ?? {}, names, values }) ?? true;
    if (!holds || ConditionCheck !== undefined) return { key, before, holds, after: before };
    if (Delete !== undefined) return { key, before, holds, after: undefined };
    const after = Put?.Item ?? update?.meaning({ item: before ?? { ...key }, names, values });
    return { key, before, holds, after: copied(after ?? before ?? { ...key }) };
  }

  #apply({ key, holds, after }: Effect): boolean {
    if (!holds) return false;
    if (itemBytes(after) > ITEM_BYTES_MAX) throw new ValidationException('An item has more than 400 kB');
    const partition = this.#partitions.get(key.pk) ?? new Partition();
    this.#partitions.set(key.pk, partition);
    if (after === undefined) partition.delete(key[SK]);
    else partition.set(key[SK], after);
    return true;
  }

  #visible(item: Item | undefined): Item | undefined {
    if (item === undefined || item.deleted_at !== undefined) return undefined;
    const expiresAt = item[TTL];
    if (typeof expiresAt === 'number' && expiresAt * 1_000 <= this.now()) return undefined;
    return copied(item);
  }
}

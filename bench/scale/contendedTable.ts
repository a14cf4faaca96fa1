import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { backoffMs } from '../../shared/storage/table/backoff.ts';
import { idOf, isConflict, untilNoConflict } from '../../shared/storage/table/dynamoRequests.ts';
import type { Key } from '../../shared/storage/table/keys.ts';
import type {
  Item,
  Outcome,
  QueryOptions,
  QueryRange,
  Table,
  TransactOptions,
  Write,
} from '../../shared/storage/table/table.ts';
import type { Simulation } from '../../test/faults/simulation.ts';
import { MemoryTable } from '../../test/support/memory/memoryTable.ts';
import { ASSUMED, USUAL_TRANSACTION_MS } from './assumptions.ts';
import { itemBytes, readUnitsOf, TableUnits, writeUnitsOf } from './tableUnits.ts';

interface Options {
  /** How long a transaction takes. */
  readonly transactionMs?: number;
}

const keyOf = ({ Put, Update, Delete, ConditionCheck }: Write): Key =>
  (Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key) as unknown as Key;

const refused = { $metadata: {}, message: 'Another transaction is under way' };

/**
 * The table in virtual time, for writers that meet on items: each operation takes its time, and a transaction holds
 * its items for a part of it. A write or another transaction that meets a held item is refused as DynamoDB refuses it,
 * and repeated as the real table repeats it. Reads see what was committed last and are never refused.
 */
export class ContendedTable implements Table {
  /** The items without time and units: for what a model needs beforehand. */
  readonly memory: MemoryTable;
  readonly units: TableUnits;
  readonly now: () => number;
  readonly #sim: Simulation;
  readonly #transactionMs: number;
  readonly #held = new Set<string>();
  #transactions = 0;
  #conflicts = 0;

  constructor(sim: Simulation, { transactionMs = USUAL_TRANSACTION_MS }: Options = {}) {
    this.#sim = sim;
    this.now = sim.now;
    this.#transactionMs = transactionMs;
    this.memory = new MemoryTable(sim.now);
    this.units = new TableUnits(sim.now);
  }

  /** Transactions sent, with those that were refused or whose condition failed. */
  get transactions(): number {
    return this.#transactions;
  }

  /** Writes and transactions that met a held item. */
  get conflicts(): number {
    return this.#conflicts;
  }

  consumed = () => this.units.consumed;

  backoff = (attempt: number): Promise<void> =>
    this.#sim.sleep(backoffMs(attempt, () => this.#sim.random.next()));

  async get(key: Key): Promise<Item | undefined> {
    await this.#takes(ASSUMED.getMs);
    const item = await this.memory.get(key);
    this.#countRead(key.pk, [item]);
    return item;
  }

  async getMany(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    await this.#takes(ASSUMED.getMs);
    const items = await this.memory.getMany(keys);
    keys.forEach((key, index) => {
      this.#countRead(key.pk, [items[index]]);
    });
    return items;
  }

  async query(range: QueryRange, options?: QueryOptions): Promise<Item[]> {
    await this.#takes(ASSUMED.getMs);
    const { slim, ...others } = options ?? {};
    const items = await this.memory.query(range, others);
    this.#countRead(range.pk, items);
    return slim === undefined ? items : items.map(slim);
  }

  put(item: Item): Promise<void> {
    return this.#write(item as unknown as Key, () => this.memory.put(item));
  }

  putIfAbsent(item: Item): Promise<boolean> {
    return this.#write(item as unknown as Key, () => this.memory.putIfAbsent(item));
  }

  update(update: Parameters<Table['update']>[0]) {
    return this.#write(update.Key as unknown as Key, () => this.memory.update(update));
  }

  delete(key: Key, condition: Parameters<Table['delete']>[1]): Promise<boolean> {
    return this.#write(key, () => this.memory.delete(key, condition));
  }

  async transact<Name extends string>(
    writes: Record<Name, Write>,
    options: TransactOptions = {},
  ): Promise<Outcome<Name>> {
    try {
      return await untilNoConflict(() => this.#transactOnce(writes), this.backoff, options);
    } catch (error) {
      if (options.once && isConflict(error)) return { committed: false, failed: new Map() };
      throw error;
    }
  }

  async #transactOnce<Name extends string>(writes: Record<Name, Write>): Promise<Outcome<Name>> {
    this.#transactions++;
    const keys = Object.values<Write>(writes).map(keyOf);
    const places = keys.map(idOf);
    const allMs = this.#drawn(this.#transactionMs);
    const [untilHeldMs, heldMs] = [ASSUMED.untilHeld, ASSUMED.held].map((part) => Math.round(part * allMs));
    const answerMs = allMs - (untilHeldMs ?? 0) - (heldMs ?? 0);
    await this.#sim.sleep(untilHeldMs ?? 0);
    const codes = places.map((place) => (this.#held.has(place) ? 'TransactionConflict' : 'None'));
    if (codes.includes('TransactionConflict')) {
      await this.#countTransaction(writes, keys, ASSUMED.refusedUnits);
      this.#conflicts++;
      await this.#sim.sleep(answerMs);
      const CancellationReasons = codes.map((Code) => ({ Code }));
      throw new TransactionCanceledException({ ...refused, CancellationReasons });
    }
    for (const place of places) this.#held.add(place);
    await this.#sim.sleep(heldMs ?? 0);
    const outcome = await this.memory.transact(writes).finally(() => {
      for (const place of places) this.#held.delete(place);
    });
    await this.#countTransaction(writes, keys, 1);
    await this.#sim.sleep(answerMs);
    return outcome;
  }

  #write<T>(key: Key, act: () => Promise<T>): Promise<T> {
    const { pk, sk } = key;
    const once = async () => {
      const allMs = this.#drawn(ASSUMED.writeMs);
      const arrivalMs = Math.round(allMs / 2);
      await this.#sim.sleep(arrivalMs);
      const isHeld = this.#held.has(idOf(key));
      if (isHeld) this.#conflicts++;
      const before = await this.memory.get({ pk, sk });
      const answer = isHeld ? undefined : await act();
      const after = await this.memory.get({ pk, sk });
      this.units.count('write', pk, Math.max(writeUnitsOf(before), writeUnitsOf(after)));
      await this.#sim.sleep(allMs - arrivalMs);
      if (isHeld) throw new TransactionConflictException(refused);
      return answer as T;
    };
    return untilNoConflict(once, this.backoff);
  }

  /** Both of a transaction's writes of an item cost. */
  async #countTransaction(writes: Record<string, Write>, keys: readonly Key[], part: number): Promise<void> {
    const stored = await this.memory.getMany(keys.map(({ pk, sk }) => ({ pk, sk })));
    Object.values(writes).forEach(({ Put }, index) => {
      const pk = keys[index]?.pk ?? '';
      this.units.count('write', pk, 2 * part * writeUnitsOf(Put?.Item ?? stored[index]));
    });
  }

  #countRead(pk: string, items: readonly (Item | undefined)[]): void {
    const bytes = items.reduce((sum, item) => sum + (item === undefined ? 0 : itemBytes(item)), 0);
    this.units.count('read', pk, readUnitsOf(bytes));
  }

  #drawn(ms: number): number {
    return Math.round(ms * (1 + ASSUMED.spread * (2 * this.#sim.random.next() - 1)));
  }

  #takes(ms: number): Promise<void> {
    return this.#sim.sleep(this.#drawn(ms));
  }
}

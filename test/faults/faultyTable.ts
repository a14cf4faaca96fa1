import type { Key } from '../../shared/storage/table/keys.ts';
import type { Item, Outcome, Table, TransactOptions, Write } from '../../shared/storage/table/table.ts';
import { type Faults, InjectedFault, type Process } from './processes.ts';
import type { Simulation } from './simulation.ts';

export interface TableWatch {
  /** Before an operation reaches the engine; throws when it is not to. */
  readonly before: (process: Process, operation: string) => void;
  /** After a write, with what it touched, and before anything else happens. */
  readonly written: (keys: readonly Key[], items: readonly Item[]) => Promise<void>;
}

const BACKOFF_STEP_MS = 4;
const BACKOFF_MS_MAX = 250;
const TRIES_MAX = 20;
const REPEATED_MS_LATE_MAX = 2_000;

/** The engine behind the wire takes no key with other fields. */
const keyIn = (fields: unknown): Key => {
  const { pk, sk } = fields as Key;
  return { pk, sk };
};

const keyOf = (write: Write): Key => {
  const { Put, Update, Delete, ConditionCheck } = write;
  return keyIn(Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key);
};

/** The table as seen by one process: slow, throttled, and with lost answers. */
export function faultyTable(
  sim: Simulation,
  table: Table,
  process: Process,
  faults: () => Faults,
  watch: TableWatch,
): Table {
  const { random } = sim;

  function operation<T>(label: string, act: () => Promise<T>): Promise<T> {
    return process.effect(label, async () => {
      watch.before(process, label);
      if (random.chance(faults().throttled)) throw new InjectedFault('ProvisionedThroughputExceeded');
      return act().catch((error: unknown) => {
        sim.violated(`the engine refused ${label}: ${error}`);
        throw error;
      });
    });
  }

  async function write<T>(
    label: string,
    keys: readonly Key[],
    items: readonly Item[],
    act: () => Promise<T>,
  ): Promise<T> {
    const name = `${label} ${keys.map(({ sk }) => sk).join(' ')}`;
    const written = async (): Promise<T> => {
      const answer = await act().catch((error: unknown) => {
        sim.violated(`the engine refused ${name}: ${error}`);
        throw error;
      });
      await watch.written(keys, items);
      return answer;
    };
    const first = await process.effect(name, async () => {
      watch.before(process, name);
      const { throttled, conflict, ambiguous, repeated } = faults();
      if (random.chance(throttled)) throw new InjectedFault('ProvisionedThroughputExceeded');
      if (random.chance(conflict)) throw new InjectedFault('TransactionConflict');
      let answer = await written();
      // A transaction's token prevents a repetition.
      const isRepeated = label !== 'transact' && random.chance(repeated);
      const isLate = isRepeated && random.chance(0.5);
      if (isRepeated && !isLate) answer = await written();
      if (random.chance(ambiguous)) throw new InjectedFault('TimeoutError after the write');
      return { answer, isLate };
    });
    if (!first.isLate) return first.answer;
    // The first answer was lost, and others may write before the request is sent once more.
    await process.sleep(random.next() * REPEATED_MS_LATE_MAX);
    return process.effect(`${name} once more`, async () => {
      watch.before(process, name);
      return written();
    });
  }

  const backoff = (attempt: number): Promise<void> =>
    process.sleep(random.next() * Math.min(BACKOFF_MS_MAX, BACKOFF_STEP_MS * 2 ** attempt));

  /** Whether a write meets other writers' transactions in so many tries. */
  async function meetsOthers(label: string, triesMax: number): Promise<boolean> {
    for (let attempt = 0; random.chance(faults().storm); attempt++) {
      await process.effect(`${label} in conflict`, async () => {});
      if (attempt + 1 >= triesMax) return true;
      await backoff(attempt);
    }
    return false;
  }

  return {
    get: (key) => operation(`get ${key.sk}`, () => table.get(key)),
    getMany: (keys, options) => operation(`getMany ${keys.length}`, () => table.getMany(keys, options)),
    query: (range, options) =>
      operation(`query ${range.prefix ?? range.pk}`, () => table.query(range, options)),
    put: (item) => write('put', [keyIn(item)], [item], () => table.put(item)),
    putIfAbsent: (item) => write('putIfAbsent', [keyIn(item)], [item], () => table.putIfAbsent(item)),
    async update(update) {
      const key = keyIn(update.Key);
      if (await meetsOthers(`update ${key.sk}`, TRIES_MAX)) throw new InjectedFault('TransactionConflict');
      return write('update', [key], [], () => table.update(update));
    },
    delete: (key, condition) => write('delete', [key], [], () => table.delete(key, condition)),
    async transact<Name extends string>(
      writes: Record<Name, Write>,
      { once = false }: TransactOptions = {},
    ): Promise<Outcome<Name>> {
      const all = Object.values<Write>(writes);
      if (await meetsOthers('transact', once ? 1 : TRIES_MAX)) {
        if (once) return { committed: false, failed: new Map() };
        throw new InjectedFault('TransactionConflict');
      }
      const items = all.flatMap(({ Put }) => (Put?.Item === undefined ? [] : [Put.Item]));
      return write('transact', all.map(keyOf), items, () => table.transact(writes));
    },
    consumed: () => table.consumed(),
    now: table.now,
    backoff,
  };
}

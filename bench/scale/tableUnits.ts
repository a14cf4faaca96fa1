import type { ConsumedUnits, Item } from '../../shared/storage/table/table.ts';

const WRITE_UNIT_BYTES = 1_024;
const READ_UNIT_BYTES = 4_096;

interface HottestKey {
  readonly pk: string;
  readonly unitsPerSecond: number;
}

interface Heat {
  second: number;
  units: number;
  most: number;
}

/** By DynamoDB's rule, near enough for units: names and values in UTF-8, numbers by their digits. */
export function itemBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return 1 + Math.ceil(String(value).length / 2);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Set || Array.isArray(value))
    return [...value].reduce((sum: number, inner) => sum + itemBytes(inner) + 1, 3);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce(
    (sum, [name, inner]) => sum + Buffer.byteLength(name) + itemBytes(inner),
    0,
  );
}

export const writeUnitsOf = (item: Item | undefined): number =>
  Math.max(1, Math.ceil((item === undefined ? 0 : itemBytes(item)) / WRITE_UNIT_BYTES));

export const readUnitsOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES));

/** Units in all, and of each partition key in each second. */
export class TableUnits {
  readonly #now: () => number;
  readonly #heat = { read: new Map<string, Heat>(), write: new Map<string, Heat>() };
  #consumed: ConsumedUnits = { read: 0, write: 0 };

  constructor(now: () => number) {
    this.#now = now;
  }

  get consumed(): ConsumedUnits {
    return this.#consumed;
  }

  count(kind: keyof ConsumedUnits, pk: string, units: number): void {
    this.#consumed = { ...this.#consumed, [kind]: this.#consumed[kind] + units };
    const second = Math.floor(this.#now() / 1_000);
    const heat = this.#heat[kind].get(pk) ?? { second, units: 0, most: 0 };
    this.#heat[kind].set(pk, heat);
    if (heat.second !== second) [heat.second, heat.units] = [second, 0];
    heat.units += units;
    heat.most = Math.max(heat.most, heat.units);
  }

  /** The partition key with the most units in one second. Undefined where none was used. */
  hottest(kind: keyof ConsumedUnits): HottestKey | undefined {
    let hottest: HottestKey | undefined;
    for (const [pk, { most }] of this.#heat[kind]) {
      if (most > (hottest?.unitsPerSecond ?? 0)) hottest = { pk, unitsPerSecond: most };
    }
    return hottest;
  }
}

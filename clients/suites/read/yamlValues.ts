import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { firstRounded, firstVanishing } from '../../../shared/contracts/json/roundedNumbers.ts';

/** Where the parts of an entry begin, as offsets. In a list the name is the value. */
export interface Entry {
  readonly name: number;
  readonly value: number;
}

/** Values and characters of a document with its aliases replaced: they may name a large part many times. */
const EXPANDED_MAX = 16_000_000;

/** As in any request. Aliases add up, so that the parser's own depth says nothing of it. */
const LEVELS_MAX = 64;

export const TOO_DEEP = `nests too deep: use at most ${LEVELS_MAX} levels`;

interface Anchored {
  readonly value: unknown;
  readonly size: number;
}

type Node = ParsedNode | null | undefined;
type Pair = YAMLMap.Parsed['items'][number];

/** What JSON would make of a YAML document. A value that an alias names is the same object wherever it is named. */
export class YamlValues {
  readonly #refuse: (offset: number, message: string) => void;
  readonly #entries = new WeakMap<object, Map<PropertyKey, Entry>>();
  /** Undefined while the value is being read: it names itself. */
  readonly #anchors = new Map<string, Anchored | undefined>();
  /** How many levels there are in a list or map, itself included. */
  readonly #levels = new WeakMap<object, number>();
  #size = 0;

  constructor(refuse: (offset: number, message: string) => void) {
    this.#refuse = refuse;
  }

  entryOf(container: unknown, step: PropertyKey): Entry | undefined {
    if (typeof container !== 'object' || container === null) return undefined;
    return this.#entries.get(container)?.get(step);
  }

  of(node: Node): unknown {
    if (!node) return null;
    if (isAlias(node)) return this.#aliased(node);
    const { anchor } = node;
    if (anchor === undefined) return this.#valueOf(node);
    this.#anchors.set(anchor, undefined);
    const before = this.#size;
    const value = this.#valueOf(node);
    this.#anchors.set(anchor, { value, size: this.#size - before });
    return value;
  }

  #valueOf(node: Exclude<ParsedNode, Alias.Parsed>): unknown {
    this.#size++;
    if (isMap(node)) return this.#nested(this.#mapOf(node as YAMLMap.Parsed), node.range[0]);
    if (isSeq(node)) return this.#nested(this.#listOf(node.items as ParsedNode[]), node.range[0]);
    return this.#scalarOf(node as Scalar.Parsed);
  }

  /** Null for what nests too deep, so that it is told once. */
  #nested(container: Readonly<Record<string, unknown>> | readonly unknown[], start: number): unknown {
    let below = 0;
    for (const value of Object.values(container)) {
      if (typeof value === 'object' && value !== null) below = Math.max(below, this.#levels.get(value) ?? 0);
    }
    this.#levels.set(container, below + 1);
    if (below < LEVELS_MAX) return container;
    this.#refuse(start, TOO_DEEP);
    return null;
  }

  #aliased({ source, range }: Alias.Parsed): unknown {
    const known = this.#anchors.get(source);
    if (known === undefined) {
      const why = this.#anchors.has(source) ? 'names what it stands in' : 'names nothing above it';
      this.#refuse(range[0], `the alias *${source.slice(0, 100)} ${why}`);
      return null;
    }
    const before = this.#size;
    this.#size += known.size;
    if (before <= EXPANDED_MAX && this.#size > EXPANDED_MAX) {
      this.#refuse(range[0], 'aliases make the document larger than 16 MB: write less of it by aliases');
    }
    return this.#size > EXPANDED_MAX ? null : known.value;
  }

  #listOf(items: readonly ParsedNode[]): unknown[] {
    const list = items.map((item) => this.of(item));
    const places = items.map((item, index): [number, Entry] => {
      const start = item?.range[0] ?? 0;
      return [index, { name: start, value: start }];
    });
    this.#entries.set(list, new Map(places));
    return list;
  }

  #mapOf({ items }: YAMLMap.Parsed): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    const entries = new Map<PropertyKey, Entry>();
    const merged: unknown[] = [];
    for (const pair of items) {
      const name = this.#nameOf(pair);
      if (name === undefined) continue;
      const value = this.of(pair.value);
      if (name === '<<' && isScalar(pair.key) && pair.key.type === 'PLAIN') {
        merged.push(...this.#sourcesOf(value, pair));
        continue;
      }
      const start = pair.key.range[0];
      if (entries.has(name)) this.#refuse(start, `"${name.slice(0, 100)}" stands here twice: leave one out`);
      entries.set(name, { name: start, value: pair.value?.range[0] ?? start });
      map[name] = value;
    }
    for (const source of merged) this.#merge(source as Record<string, unknown>, map, entries);
    this.#entries.set(map, entries);
    return map;
  }

  #nameOf({ key }: Pair): string | undefined {
    const name = isScalar(key) ? (typeof key.value === 'string' ? key.value : (key.source ?? '')) : undefined;
    if (name === undefined) this.#refuse(key?.range[0] ?? 0, 'the name of a field must be text');
    else if (name === '__proto__')
      this.#refuse(key.range[0], '__proto__ is not the name of a field: leave it out');
    else return name;
    return undefined;
  }

  #sourcesOf(value: unknown, { key }: Pair): unknown[] {
    const sources = Array.isArray(value) ? value : [value];
    const areMaps = sources.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
    if (!areMaps) this.#refuse(key.range[0], '"<<" takes a map, or a list of maps');
    return areMaps ? sources : [];
  }

  /** What stands there already stays. */
  #merge(
    source: Record<string, unknown>,
    map: Record<string, unknown>,
    entries: Map<PropertyKey, Entry>,
  ): void {
    for (const [name, entry] of this.#entries.get(source) ?? []) {
      if (entries.has(name)) continue;
      this.#size++;
      entries.set(name, entry);
      map[String(name)] = source[String(name)];
    }
  }

  #scalarOf({ value, source, range }: Scalar.Parsed): unknown {
    if (typeof value === 'string') {
      this.#size += value.length;
      if (!value.isWellFormed()) this.#refuse(range[0], 'holds half a character: escape whole ones');
    }
    if (typeof value === 'number') this.#checkNumber(value, source, range[0]);
    return value;
  }

  #checkNumber(value: number, source: string, start: number): void {
    const decimal = source.startsWith('+') ? source.slice(1) : source;
    if (!Number.isFinite(value)) this.#refuse(start, `${source.slice(0, 100)} is not a number of JSON`);
    else if (firstRounded(decimal) ?? firstVanishing(decimal)) {
      this.#refuse(start, `is read as ${value}: write that, or quote it as text`);
    }
  }
}

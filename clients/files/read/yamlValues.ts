import {
  type AliasEvent,
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  NOT_RESOLVED,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import { YamlAnchors } from './yamlAnchors.ts';
import { type Entry, YamlEntries } from './yamlEntries.ts';
import { NONE, startOf } from './yamlEvents.ts';
import { isCollectionTag, scalarProblem, scalarValue } from './yamlScalars.ts';

/** As in any request. Aliases add up, so that the parser's own depth says nothing of it. */
const LEVELS_MAX = 64;

export const TOO_DEEP = `nests too deep: use at most ${LEVELS_MAX} levels`;

type NodeEvent = AliasEvent | MappingEvent | ScalarEvent | SequenceEvent;

/** What JSON would make of a YAML document. A value that an alias names is the same object wherever it is named. */
export class YamlValues {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #refuse: (offset: number, message: string) => void;
  readonly #entries = new YamlEntries();
  readonly #anchors = new YamlAnchors();
  /** How many levels there are in a list or map, itself included. */
  readonly #levels = new WeakMap<object, number>();
  /** Where the node of each anchor stands. */
  readonly #anchorStarts = new Map<string, number>();
  readonly #aliasedStarts = new Set<number>();
  /** Of the event that is read next. */
  #next = 0;
  /** Where the last event with a place ended: what is empty stands there. */
  #end = 0;

  constructor(text: string, events: readonly Event[], refuse: (offset: number, message: string) => void) {
    this.#text = text;
    this.#events = events;
    this.#refuse = refuse;
  }

  entryOf(container: unknown, step: PropertyKey): Entry | undefined {
    return this.#entries.of(container)?.get(step);
  }

  /** The value of the node that begins with this event. */
  at(index: number): unknown {
    this.#next = index;
    return this.#node();
  }

  /** Whether an alias names the node that stands here. */
  isAliased(start: number): boolean {
    return this.#aliasedStarts.has(start);
  }

  /** Where the node that begins with this event stands. */
  startOf(event: Event | undefined): number {
    return startOf(event) ?? this.#end;
  }

  #peek(): Event | undefined {
    return this.#events[this.#next];
  }

  #node(): unknown {
    const event = this.#events[this.#next++] as NodeEvent;
    if (event.type === EVENT_ID.ALIAS) return this.#aliased(event);
    if (event.anchorStart === NONE) return this.#valueOf(event);
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    this.#anchorStarts.set(name, this.startOf(event));
    return this.#anchors.named(name, () => this.#valueOf(event));
  }

  #valueOf(event: Exclude<NodeEvent, AliasEvent>): unknown {
    this.#anchors.add(1);
    if (event.type === EVENT_ID.SCALAR) return this.#scalarOf(event);
    const tag = this.#tagOf(event);
    if (tag !== undefined && !isCollectionTag(tag, event)) this.#refuseTag(event, tag);
    this.#end = event.start;
    const container = event.type === EVENT_ID.MAPPING ? this.#map() : this.#list();
    // Past the event that closes it.
    this.#next++;
    return this.#nested(container, event.start);
  }

  #tagOf({ tagStart, tagEnd }: ScalarEvent | MappingEvent | SequenceEvent): string | undefined {
    return tagStart === NONE ? undefined : this.#text.slice(tagStart, tagEnd);
  }

  #refuseTag({ tagStart }: ScalarEvent | MappingEvent | SequenceEvent, tag: string): void {
    this.#refuse(tagStart, `the tag ${tag.slice(0, 100)} does not name the value here: leave it out`);
  }

  /** Null for what nests too deep, so that it is reported once. */
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

  #aliased({ anchorStart, anchorEnd }: AliasEvent): unknown {
    this.#end = anchorEnd;
    const name = this.#text.slice(anchorStart, anchorEnd);
    this.#aliasedStarts.add(this.#anchorStarts.get(name) ?? NONE);
    const aliased = this.#anchors.aliased(name);
    if ('value' in aliased) return aliased.value;
    this.#refuse(anchorStart - 1, aliased.why);
    return null;
  }

  #list(): unknown[] {
    const list: unknown[] = [];
    const entries = new Map<PropertyKey, Entry>();
    for (let event = this.#peek(); event?.type !== EVENT_ID.POP; event = this.#peek()) {
      const start = this.startOf(event);
      entries.set(list.length, { name: start, value: start });
      list.push(this.#node());
    }
    this.#entries.keep(list, entries);
    return list;
  }

  #map(): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    const entries = new Map<PropertyKey, Entry>();
    const merged: object[] = [];
    for (let event = this.#peek(); event?.type !== EVENT_ID.POP; event = this.#peek()) {
      const start = this.startOf(event);
      const name = this.#name(start);
      const entry: Entry = { name: start, value: this.startOf(this.#peek()) };
      const value = this.#node();
      if (name === undefined) continue;
      if (name === '<<' && event?.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN) {
        merged.push(...this.#sourcesOf(value, start));
        continue;
      }
      if (entries.has(name)) this.#refuse(start, `"${name.slice(0, 100)}" is here twice: leave one out`);
      entries.set(name, entry);
      map[name] = value;
    }
    for (const source of merged) this.#anchors.add(this.#entries.merge(source, map, entries));
    this.#entries.keep(map, entries);
    return map;
  }

  /** A name is text, whatever else it would be as a value. */
  #name(start: number): string | undefined {
    const event = this.#peek();
    if (event?.type !== EVENT_ID.SCALAR) {
      this.#node();
      this.#refuse(start, 'the name of a field must be text');
      return undefined;
    }
    this.#next++;
    const name = this.#textOf(event);
    const problem =
      name === '__proto__' ? '__proto__ is not the name of a field: leave it out' : scalarProblem(name, name);
    if (problem === undefined) return name;
    this.#refuse(start, problem);
    return undefined;
  }

  #sourcesOf(value: unknown, start: number): object[] {
    const sources: unknown[] = Array.isArray(value) ? value : [value];
    const maps = sources.filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
    if (maps.length < sources.length) this.#refuse(start, '"<<" takes a map, or a list of maps');
    return maps as object[];
  }

  #scalarOf(event: ScalarEvent): unknown {
    const start = this.startOf(event);
    const source = this.#textOf(event);
    const value = scalarValue(source, this.#tagOf(event), event.style === SCALAR_STYLE.PLAIN);
    if (value === NOT_RESOLVED) return null;
    if (typeof value === 'string') this.#anchors.add(value.length);
    const problem = scalarProblem(value, source);
    if (problem !== undefined) this.#refuse(start, problem);
    return value;
  }

  /** Refuses a tag that makes nothing of the text. */
  #textOf(event: ScalarEvent): string {
    if (event.valueEnd !== NONE) this.#end = event.valueEnd;
    const source = getScalarValue(this.#text, event);
    const tag = this.#tagOf(event);
    if (tag !== undefined && scalarValue(source, tag, false) === NOT_RESOLVED) this.#refuseTag(event, tag);
    return source;
  }
}

import type { Ambient } from '../ports.ts';
import { tooManyAtOnce } from '../runs/refusals/storing.ts';
import { timestamp } from '../time.ts';
import {
  type Block,
  type Changes,
  isNew,
  type Member,
  type NewBlock,
  placeOf,
  recut,
  touchedBy,
} from './blocks.ts';
import type { Order } from './order.ts';
import type { Chain, Position, Revision, RevisionStore } from './ports.ts';

/** A chain as it is at one revision. What was read once is not read again. */
export class Present<Row, Texts, Fields> {
  readonly revision: Revision<Fields>;
  readonly #store: RevisionStore<Row, Texts, Fields>;
  readonly #chain: Chain;

  constructor(store: RevisionStore<Row, Texts, Fields>, chain: Chain, revision: Revision<Fields>) {
    this.#store = store;
    this.#chain = chain;
    this.revision = revision;
  }

  async member(number: number): Promise<Member<Row> | undefined> {
    const block = this.revision.blocks[placeOf(this.revision.blocks, number)];
    if (block === undefined) return undefined;
    const [members] = await this.#store.rows(this.#chain, [block]);
    return members?.find((one) => one.number === number);
  }

  async texts(number: number): Promise<Texts | undefined> {
    const block = this.revision.blocks[placeOf(this.revision.blocks, number)];
    if (block === undefined) return undefined;
    const [texts] = await this.#store.texts(this.#chain, [block]);
    return texts?.get(number);
  }

  /** All of them, in the order of their numbers. */
  async members(): Promise<readonly Member<Row>[]> {
    return (await this.#store.rows(this.#chain, this.revision.blocks)).flat();
  }
}

export interface Edited<Row, Texts, Fields> {
  readonly fields: Fields;
  readonly changes: Changes<Row, Texts>;
  readonly order: Order;
}

/** What an edit makes of a chain; undefined where it changes nothing. It may be called again, and throws a refusal. */
export type Edit<Row, Texts, Fields> = (
  present: Present<Row, Texts, Fields>,
) => Promise<Edited<Row, Texts, Fields> | undefined>;

interface Deps<Row, Texts, Fields> extends Pick<Ambient, 'now'> {
  readonly store: RevisionStore<Row, Texts, Fields>;
  /** A token that no other edit has. */
  readonly newToken: () => string;
  readonly backoff: (attempt: number) => Promise<void>;
}

const TRIES_MAX = 12;
const WRITES_AT_ONCE = 16;

/**
 * Puts an edit in force, whole or not at all: what it writes is read by nobody before the one conditional update of the
 * head. An edit that meets another one is planned again on the revision of that one. Undefined: the chain is gone.
 */
export async function editChain<Row, Texts, Fields>(
  deps: Deps<Row, Texts, Fields>,
  chain: Chain,
  edit: Edit<Row, Texts, Fields>,
): Promise<Revision<Fields> | undefined> {
  const { store, backoff } = deps;
  const written = new Writing(deps, chain, deps.newToken());
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    const at = await store.position(chain);
    if (at === undefined) return undefined;
    const before = await store.revision(chain, at);
    const edited = await edit(new Present(store, chain, before));
    if (edited === undefined) return before;
    const after = await written.revision(before, edited);
    if (await store.flip(chain, at, after)) return after;
    await backoff(attempt);
  }
  throw tooManyAtOnce();
}

/** Writes the blocks of one edit, which keeps its token through all its tries, and each revision that it tries. */
export class Writing<Row, Texts, Fields> {
  readonly #deps: Deps<Row, Texts, Fields>;
  readonly #chain: Chain;
  readonly #token: string;
  #blocks = 0;

  constructor(deps: Deps<Row, Texts, Fields>, chain: Chain, token: string) {
    this.#deps = deps;
    this.#chain = chain;
    this.#token = token;
  }

  async revision(before: Revision<Fields>, edited: Edited<Row, Texts, Fields>): Promise<Revision<Fields>> {
    const { store, now } = this.#deps;
    const blocks = await this.#blocksAfter(before, edited.changes);
    const texts = new Set(blocks.map((block) => block.texts));
    const revision = {
      ...{ n: before.n + 1, token: this.#token, previous: before.token, at: timestamp(now()) },
      ...{ fields: edited.fields, blocks, order: edited.order },
      lastNumber: Math.max(before.lastNumber, ...edited.changes.keys()),
      retired: before.blocks.map((block) => block.texts).filter((name) => !texts.has(name)),
    };
    await store.putRevision(this.#chain, revision);
    return revision;
  }

  async #blocksAfter(
    { blocks, lastNumber }: Revision<Fields>,
    changes: Changes<Row, Texts>,
  ): Promise<Block[]> {
    const numbers = [...changes.keys()].filter((number) => number <= lastNumber);
    const touched = [
      ...touchedBy(blocks, {
        changed: numbers.filter((number) => changes.get(number) !== null),
        deleted: numbers.filter((number) => changes.get(number) === null),
        isAdding: numbers.length < changes.size,
      }),
    ];
    const rows = await this.#deps.store.rows(
      this.#chain,
      touched.map((place) => blocks[place] as Block),
    );
    const read = new Map(touched.map((place, index) => [place, rows[index] ?? []]));
    const after = recut(blocks, changes, read);
    const written: Block[] = [];
    for (let from = 0; from < after.length; from += WRITES_AT_ONCE) {
      const some = after.slice(from, from + WRITES_AT_ONCE);
      written.push(...(await Promise.all(some.map((block) => (isNew(block) ? this.#write(block) : block)))));
    }
    return written;
  }

  async #write({ members, bytes, sameTexts }: NewBlock<Row, Texts>): Promise<Block> {
    const { store } = this.#deps;
    const name = `${this.#token}.${this.#blocks++}`;
    const [parts] = await Promise.all([
      sameTexts?.parts ?? this.#writeTexts(name, members),
      store.putRows(this.#chain, name, members),
    ]);
    const first = members[0]?.number ?? 0;
    return { rows: name, texts: sameTexts?.texts ?? name, parts, first, count: members.length, bytes };
  }

  async #writeTexts(name: string, members: NewBlock<Row, Texts>['members']): Promise<number> {
    const { store } = this.#deps;
    const sources = [...new Set(members.flatMap(({ texts }) => ('from' in texts ? [texts.from] : [])))];
    const read = await store.texts(this.#chain, sources);
    const known = new Map(sources.map((block, index) => [block, read[index]]));
    const values = members.map(({ number, texts }): [number, Texts] => {
      const value = 'from' in texts ? known.get(texts.from)?.get(number) : texts.value;
      if (value === undefined) throw new Error(`The texts of member ${number} are gone`);
      return [number, value];
    });
    return store.putTexts(this.#chain, name, new Map(values));
  }
}

export const isAt = (one: Position, other: Position): boolean =>
  one.n === other.n && one.token === other.token;

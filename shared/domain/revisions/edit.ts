import type { Credential } from '../../contracts/base/credentials.ts';
import type { Ambient } from '../ports.ts';
import { DAY_MS, timestamp } from '../time.ts';
import { type Block, type Changes, isNew, type NewBlock, recut, touchedBy } from './blocks.ts';
import { Current } from './current.ts';
import type { Order } from './order.ts';
import type { Act, Chain, Position, Revision, RevisionStore } from './ports.ts';
import { editedTooOften } from './position.ts';

export interface Edited<Row, Texts, Fields> {
  readonly act: Act;
  readonly fields: Fields;
  readonly changes: Changes<Row, Texts>;
  readonly order: Order;
}

/** What an edit makes of a chain; undefined where it changes nothing. It may be called again, and throws a refusal. */
export type Edit<Row, Texts, Fields> = (
  present: Current<Row, Texts, Fields>,
) => Promise<Edited<Row, Texts, Fields> | undefined>;

export interface EditDeps<Row, Texts, Fields> extends Pick<Ambient, 'now'> {
  readonly store: RevisionStore<Row, Texts, Fields>;
  /** Null for the operator of the service. */
  readonly by: Credential | null;
  /** A token that no other edit has. */
  readonly newToken: () => string;
  readonly backoff: (attempt: number) => Promise<void>;
  /** In place of the store's: of an edit that is in force together with something else. */
  readonly flip?: RevisionStore<Row, Texts, Fields>['flip'];
}

const TRIES_MAX = 12;
const WRITES_AT_ONCE = 16;

/**
 * Puts an edit in force, whole or not at all: nothing that it writes is read before the one conditional update of the
 * head. An edit that meets another one is planned again on the revision of that one. Undefined: the chain is gone.
 */
export async function editChain<Row, Texts, Fields>(
  deps: EditDeps<Row, Texts, Fields>,
  chain: Chain,
  edit: Edit<Row, Texts, Fields>,
): Promise<Revision<Fields> | undefined> {
  const { store, backoff } = deps;
  const token = deps.newToken();
  const written = new Writing(deps, chain, token);
  let first: number | undefined;
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    const position = await store.position(chain);
    if (position === undefined) return undefined;
    first ??= position.n;
    const ownEdit = await ownRevision(store, chain, position, { token, after: first });
    if (ownEdit !== undefined) return ownEdit;
    const before = await store.revision(chain, position);
    const edited = await edit(new Current(store, chain, before));
    if (edited === undefined) return before;
    const after = await written.revision(before, edited);
    if (await (deps.flip?.(chain, position, after) ?? store.flip(chain, position, after))) return after;
    await backoff(attempt);
  }
  throw editedTooOften();
}

/** What an edit put in force whose answer got lost: every revision names the one before it. `after`: it is a later one. */
export async function ownRevision<Row, Texts, Fields>(
  store: RevisionStore<Row, Texts, Fields>,
  chain: Chain,
  position: Position,
  { token, after }: { readonly token: string; readonly after: number },
): Promise<Revision<Fields> | undefined> {
  for (let place = position; place.n > after; ) {
    const revision = await store.revision(chain, place);
    if (revision.token === token) return revision;
    if (revision.previous === null) return undefined;
    place = { n: revision.n - 1, token: revision.previous };
  }
  return undefined;
}

/** Writes the blocks of one edit, which keeps its token through all its tries, and each revision that it tries. */
export class Writing<Row, Texts, Fields> {
  readonly #deps: EditDeps<Row, Texts, Fields>;
  readonly #chain: Chain;
  readonly #token: string;
  #blocks = 0;

  constructor(deps: EditDeps<Row, Texts, Fields>, chain: Chain, token: string) {
    this.#deps = deps;
    this.#chain = chain;
    this.#token = token;
  }

  async revision(before: Revision<Fields>, edited: Edited<Row, Texts, Fields>): Promise<Revision<Fields>> {
    const { store, now, by } = this.#deps;
    if (isQuiet(before, now())) await store.announce(this.#chain, before, now());
    const blocks = await this.#blocksAfter(before, edited.changes);
    const revision = {
      n: before.n + 1,
      token: this.#token,
      previous: before.n === 0 ? null : before.token,
      at: timestamp(now()),
      by,
      act: edited.act,
      fields: edited.fields,
      blocks,
      order: edited.order,
      lastNumber: Math.max(before.lastNumber, ...edited.changes.keys()),
      erased: this.#chain.kind === 'suite' ? deletedIn(edited.changes) : [],
    };
    await store.putRevision(this.#chain, revision);
    return revision;
  }

  async #blocksAfter(
    { n, blocks, lastNumber }: Revision<Fields>,
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
    const after = recut(blocks, changes, read, n + 1);
    const written: Block[] = [];
    for (let from = 0; from < after.length; from += WRITES_AT_ONCE) {
      const some = after.slice(from, from + WRITES_AT_ONCE);
      written.push(
        ...(await Promise.all(some.map((block) => (isNew(block) ? this.#write(block, n + 1) : block)))),
      );
    }
    return written;
  }

  async #write({ members, bytes, sameTexts }: NewBlock<Row, Texts>, n: number): Promise<Block> {
    const { store } = this.#deps;
    const name = `${this.#token}.${this.#blocks++}`;
    const [parts] = await Promise.all([
      sameTexts?.parts ?? this.#writeTexts(name, members),
      store.putRows(this.#chain, name, members),
    ]);
    const texts = sameTexts ?? { texts: name, since: n };
    const first = members[0]?.number ?? 0;
    return {
      rows: name,
      texts: texts.texts,
      parts,
      since: texts.since,
      first,
      count: members.length,
      bytes,
    };
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

/** A purge goes on for longer after a revision: only the first edit of a day announces one. */
const isQuiet = ({ n, at }: Revision<unknown>, nowMs: number): boolean =>
  n === 0 || Date.parse(at) < nowMs - DAY_MS;

const deletedIn = (changes: Changes<unknown, unknown>): number[] =>
  [...changes].flatMap(([number, change]) => (change === null ? [number] : [])).toSorted((a, b) => a - b);

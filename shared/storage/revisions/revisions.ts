import type { Block, Member } from '../../domain/revisions/blocks.ts';
import {
  type Chain,
  emptyRevision,
  type NumberRange,
  type Position,
  type Revision,
  type RevisionStore,
} from '../../domain/revisions/ports.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { writeBlob } from '../table/blobs.ts';
import {
  type ChainKeys,
  type Key,
  projectChain,
  revisionKey,
  revisionsBetween,
  rowsKey,
  suiteChain,
  textsKey,
} from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { ByName, type Sized } from './byName.ts';
import { packRevision, packRows, packTexts, unpackRevision, unpackRows, unpackTexts } from './packing.ts';
import { textsPurgeDue } from './textsDue.ts';

/** As JSON, each of them twice: of cases and of scorers. An evaluator has 256 MB. */
const ROWS_BYTES_MAX = 16 * 1_024 * 1_024;
const TEXTS_BYTES_MAX = 24 * 1_024 * 1_024;
const REVISIONS_BYTES_MAX = 8 * 1_024 * 1_024;
/** What a purge has erased is answered for so long by a function that knows it. */
const TEXTS_KEPT_MS = 60 * MINUTE_MS;

export const keysOf = (chain: Chain): ChainKeys =>
  chain.kind === 'suite' ? suiteChain(chain.orgId, chain) : projectChain(chain.orgId, chain);

const bytesIn = (item: Item): Uint8Array => item.bytes as Uint8Array;

const partKeys = (partition: string, { texts, parts }: Block): Key[] =>
  Array.from({ length: parts }, (_, part) => textsKey(partition, texts, part));

/** `Row` and `Texts` are objects; a field that one of a chain lacks, others of its block may give it as null. */
class Revisions<Row extends object, Texts extends object, Fields>
  implements RevisionStore<Row, Texts, Fields>
{
  readonly #table: Table;
  readonly #rows = new ByName<readonly Member<Row>[]>(ROWS_BYTES_MAX);
  readonly #texts: ByName<ReadonlyMap<number, Texts>>;
  readonly #revisions = new ByName<Revision<Fields> | undefined>(REVISIONS_BYTES_MAX);
  readonly #first: Fields | undefined;

  constructor(table: Table, first: Fields | undefined) {
    this.#table = table;
    this.#first = first;
    this.#texts = new ByName(TEXTS_BYTES_MAX, { keptMs: TEXTS_KEPT_MS, now: () => table.now() });
  }

  position(chain: Chain): Promise<Position | undefined> {
    return positionIn(this.#table, chain);
  }

  async revision(chain: Chain, position: Position): Promise<Revision<Fields>> {
    const [revision] = await this.revisions([{ chain, at: position }]);
    if (revision === undefined)
      throw new Error(`Revision ${position.n} of the ${chain.kind} ${chain.id} is gone`);
    return revision;
  }

  async revisions(
    requested: readonly { readonly chain: Chain; readonly at: Position }[],
  ): Promise<readonly (Revision<Fields> | undefined)[]> {
    const stored = requested.filter(({ at }) => at.n > 0);
    const keys = stored.map(({ chain, at }) => revisionKey(keysOf(chain).partition, at.n, at.token));
    const read = await this.#revisions.all(keys, async (missing) =>
      (await this.#table.getMany(missing)).map((item) =>
        item === undefined ? GONE : unpackRevision<Fields>(bytesIn(item)),
      ),
    );
    const readRevisions = read.values();
    return requested.map(({ at }) => (at.n === 0 ? this.#empty() : readRevisions.next().value));
  }

  async stored(chain: Chain, range: NumberRange): Promise<readonly Revision<Fields>[]> {
    const items = await this.#table.query(revisionsBetween(keysOf(chain).partition, range));
    return items.map((item) => unpackRevision<Fields>(bytesIn(item)).value);
  }

  /** What a chain is before its first edit. */
  #empty(): Revision<Fields> | undefined {
    return this.#first && emptyRevision(this.#first);
  }

  rows(chain: Chain, blocks: readonly Block[]) {
    const { partition } = keysOf(chain);
    return this.#rows.all(
      blocks.map((block) => rowsKey(partition, block.rows)),
      async (missing) => {
        const items = await this.#table.getMany(missing);
        return items.map((item, index) => {
          if (item === undefined) throw new Error(`Rows are gone: ${missing[index]?.sk}`);
          return unpackRows<Row>(bytesIn(item));
        });
      },
    );
  }

  texts(chain: Chain, blocks: readonly Block[]) {
    const { partition } = keysOf(chain);
    const keys = blocks.map((block) => textsKey(partition, block.texts, 0));
    const bySk = new Map(keys.map(({ sk }, index) => [sk, blocks[index] as Block]));
    return this.#texts.all(keys, async (missing) => {
      const keysByBlock = missing.map(({ sk }) => partKeys(partition, bySk.get(sk) as Block));
      const items = (await this.#table.getMany(keysByBlock.flat())).values();
      return keysByBlock.map((parts) =>
        textsIn<Texts>(parts.map(() => items.next().value as Item | undefined)),
      );
    });
  }

  putRows(chain: Chain, name: string, members: readonly Member<Row>[]): Promise<void> {
    return this.#table.put({ ...rowsKey(keysOf(chain).partition, name), bytes: packRows(members) });
  }

  async putTexts(chain: Chain, name: string, texts: ReadonlyMap<number, Texts>): Promise<number> {
    const { partition } = keysOf(chain);
    const keyOf = (part: number) => textsKey(partition, name, part);
    return (await writeBlob(this.#table, packTexts(texts), keyOf, {})).length;
  }

  putRevision(chain: Chain, revision: Revision<Fields>): Promise<void> {
    const key = revisionKey(keysOf(chain).partition, revision.n, revision.token);
    return this.#table.put({ ...key, bytes: packRevision(revision) });
  }

  async announce(chain: Chain, before: Position, nowMs: number): Promise<void> {
    await this.#table.update(textsPurgeDue(chain, before, nowMs));
  }

  async flip(chain: Chain, before: Position, after: Position): Promise<boolean> {
    const { updated, item } = await this.#table.update(flipOf(chain, before, after));
    // It was in force before its answer got lost.
    return updated || item?.token === after.token;
  }
}

const GONE = { value: undefined, size: 0 };

export const idField = ({ kind }: Chain): string => (kind === 'suite' ? 'suite_id' : 'id');

export async function positionIn(table: Table, chain: Chain): Promise<Position | undefined> {
  const head = await table.get(keysOf(chain).head);
  const isOwn = head !== undefined && head[idField(chain)] === chain.id;
  return isOwn ? { n: Number(head.n), token: String(head.token) } : undefined;
}

/** The head says that this revision is in force. */
export const isInForce = (chain: Chain, { n }: Pick<Position, 'n'>) => ({
  ConditionExpression: `${idField(chain)} = :id AND n = :before`,
  ExpressionAttributeValues: { ':id': chain.id, ':before': n },
});

/** Puts the one revision in force after the other. */
export function flipOf(chain: Chain, before: Position, after: Position) {
  const { ConditionExpression, ExpressionAttributeValues } = isInForce(chain, before);
  return {
    Key: keysOf(chain).head,
    UpdateExpression: 'SET n = :n, #token = :token',
    ConditionExpression,
    ExpressionAttributeNames: { '#token': 'token' },
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':n': after.n, ':token': after.token },
  };
}

/** What retention has dropped is dropped as a whole. */
function textsIn<Texts>(parts: readonly (Item | undefined)[]): Sized<ReadonlyMap<number, Texts>> {
  if (parts.includes(undefined)) return { value: new Map(), size: 1 };
  return unpackTexts<Texts>(Buffer.concat(parts.map((item) => bytesIn(item as Item))));
}

/** `first`: what a chain says before its first edit, if it is made without one. */
export const revisionStore = <Row extends object, Texts extends object, Fields>(
  table: Table,
  first?: Fields,
): RevisionStore<Row, Texts, Fields> => new Revisions(table, first);

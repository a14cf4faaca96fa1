import { type Block, type Member, membersIn, placeOf } from './blocks.ts';
import type { Chain, Revision, RevisionStore } from './ports.ts';

/** A member in the order of its chain. */
export interface Ordered<Row> {
  readonly member: Member<Row>;
  /** From 0. */
  readonly position: number;
}

/** A chain as it is at one revision. What was read once is not read again. */
export class Current<Row, Texts, Fields> {
  readonly revision: Revision<Fields>;
  readonly #store: RevisionStore<Row, Texts, Fields>;
  readonly #chain: Chain;

  constructor(store: RevisionStore<Row, Texts, Fields>, chain: Chain, revision: Revision<Fields>) {
    this.#store = store;
    this.#chain = chain;
    this.revision = revision;
  }

  get count(): number {
    return membersIn(this.revision.blocks);
  }

  /** The name of the item in which the texts of a member lie: under the same name they are the same. */
  textsName(number: number): string | undefined {
    return this.#blocksOf([number])[0]?.texts;
  }

  /** Of these blocks of its revision. */
  async inBlocks(blocks: readonly Block[]): Promise<readonly Member<Row>[]> {
    return (await this.#rowsOf(blocks)).flat();
  }

  async member(number: number): Promise<Member<Row> | undefined> {
    return (await this.#membersOf([number]))[0];
  }

  /** All of them, in the order of their numbers. */
  async members(): Promise<readonly Member<Row>[]> {
    return (await this.#store.rows(this.#chain, this.revision.blocks)).flat();
  }

  /** All of them, in their order. */
  ordered(): Promise<readonly Ordered<Row>[]> {
    return this.page(0, this.count);
  }

  /** Those from one position to before another one. */
  async page(from: number, to: number): Promise<readonly Ordered<Row>[]> {
    const { order } = this.revision;
    const members =
      order === undefined ? await this.#slice(from, to) : await this.#membersOf(order.slice(from, to));
    return members.map((member, index) => ({ member, position: from + index }));
  }

  /** -1 for a number that no member has. */
  async position(number: number): Promise<number> {
    const { blocks, order } = this.revision;
    if (order !== undefined) return order.indexOf(number);
    const place = placeOf(blocks, number);
    const [members = []] = await this.#rowsOf(blocks.slice(Math.max(place, 0), place + 1));
    const within = members.findIndex((one) => one.number === number);
    return within < 0 ? -1 : membersIn(blocks.slice(0, place)) + within;
  }

  /** By number. Those of a member may have been dropped. */
  async texts(numbers: readonly number[]): Promise<ReadonlyMap<number, Texts>> {
    const blocks = this.#blocksOf(numbers);
    const texts = await this.#store.texts(this.#chain, blocks);
    const requested = new Set(numbers);
    return new Map(texts.flatMap((ofBlock) => [...ofBlock].filter(([number]) => requested.has(number))));
  }

  #rowsOf(blocks: readonly Block[]): Promise<readonly (readonly Member<Row>[])[]> {
    return this.#store.rows(this.#chain, blocks);
  }

  #blocksOf(numbers: readonly number[]): Block[] {
    const { blocks } = this.revision;
    const places = new Set(numbers.map((number) => placeOf(blocks, number)));
    return [...places].flatMap((place) => blocks[place] ?? []);
  }

  async #membersOf(numbers: readonly number[]): Promise<readonly Member<Row>[]> {
    const rows = await this.#rowsOf(this.#blocksOf(numbers));
    const byNumber = new Map(rows.flat().map((member) => [member.number, member]));
    return numbers.flatMap((number) => byNumber.get(number) ?? []);
  }

  /** Where the numbers are the order. */
  async #slice(from: number, to: number): Promise<readonly Member<Row>[]> {
    let start = 0;
    let skipped = 0;
    const blocks = this.revision.blocks.filter(({ count }) => {
      const isBefore = start + count <= from;
      const isWithin = !isBefore && start < to;
      if (isBefore) skipped += count;
      start += count;
      return isWithin;
    });
    return (await this.#rowsOf(blocks)).flat().slice(from - skipped, to - skipped);
  }
}

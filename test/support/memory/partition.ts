import type { Item, QueryRange } from '../../../shared/storage/table/table.ts';
import { orderOfTexts } from './values.ts';

/** The items of one partition key, in the order of their sort keys. */
export class Partition {
  readonly #items = new Map<string, Item>();
  readonly #order: string[] = [];

  get(sk: string): Item | undefined {
    return this.#items.get(sk);
  }

  set(sk: string, item: Item): void {
    if (!this.#items.has(sk)) this.#order.splice(this.#placeOf(sk), 0, sk);
    this.#items.set(sk, item);
  }

  delete(sk: string): void {
    if (this.#items.delete(sk)) this.#order.splice(this.#placeOf(sk), 1);
  }

  items(): Iterable<Item> {
    return this.#items.values();
  }

  *range({ prefix = '', between }: QueryRange): Iterable<Item> {
    const [from, to] = between ?? [prefix];
    for (let at = this.#placeOf(from); at < this.#order.length; at++) {
      const sk = this.#order[at] ?? '';
      if (to === undefined ? !sk.startsWith(prefix) : orderOfTexts(sk, to) > 0) return;
      const item = this.#items.get(sk);
      if (item !== undefined) yield item;
    }
  }

  /** The index of a sort key, or where it would be inserted. */
  #placeOf(sk: string): number {
    let [low, high] = [0, this.#order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (orderOfTexts(this.#order[middle] ?? '', sk) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

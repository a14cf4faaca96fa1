/** The only source of randomness of a simulation: the same seed gives the same events. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
    for (let round = 0; round < 8; round++) this.next();
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new Error('Nothing to pick from');
    return item;
  }

  shuffle<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, at: this.next() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }

  /** In the form of `randomUUID`, with version and variant. */
  uuid(): string {
    const word = () =>
      Math.floor(this.next() * 4_294_967_296)
        .toString(16)
        .padStart(8, '0');
    const [a, b, c, d] = [word(), word(), word(), word()];
    return `${a}-${b.slice(4)}-4${b.slice(1, 4)}-${this.pick(['8', '9', 'a', 'b'])}${c.slice(5)}-${c.slice(0, 4)}${d}`;
  }
}

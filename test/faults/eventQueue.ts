/** An event of a simulation. Events of one moment are taken in the order in which they were added. */
export interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly label: string;
  readonly act: () => void | Promise<void>;
}

const isBefore = (a: Event, b: Event): boolean => (a.atMs === b.atMs ? a.order < b.order : a.atMs < b.atMs);

/** A heap: with 100,000 events waiting, one more costs no more than some twenty comparisons. */
export class EventQueue {
  readonly #heap: Event[] = [];

  add(event: Event): void {
    let at = this.#heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#at(above);
      if (!isBefore(event, parent)) break;
      this.#heap[at] = parent;
      at = above;
    }
    this.#heap[at] = event;
  }

  /** The earliest event; undefined when there is none. */
  take(): Event | undefined {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (first !== undefined && last !== undefined && this.#heap.length > 0) this.#sink(last);
    return first;
  }

  #sink(event: Event): void {
    const { length } = this.#heap;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= length) break;
      const right = left + 1;
      const below = right < length && isBefore(this.#at(right), this.#at(left)) ? right : left;
      if (!isBefore(this.#at(below), event)) break;
      this.#heap[at] = this.#at(below);
      at = below;
    }
    this.#heap[at] = event;
  }

  #at(index: number): Event {
    return this.#heap[index] as Event;
  }
}

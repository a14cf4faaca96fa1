import type { Place } from './plan.ts';

/** A call that covers a place counts for the score as one that fills a required one; of equal pairings, that one is taken. */
export const COVERED = 4_096;
export const FILLED = COVERED + 1;

export const numberAt = (numbers: Int32Array, index: number): number => numbers[index] ?? 0;

/** How often each place of a group may be filled so far, and the most that is worth. */
export class States {
  readonly #value: Int32Array;
  readonly #from: Int32Array;
  readonly #filled: Int32Array;
  readonly #weight: readonly number[];
  /** The most that any state has so far, and where its stage begins. */
  most = { value: -1, from: 0 };
  /** By place and state. */
  readonly #isFull: readonly Uint8Array[];

  constructor(group: readonly Place[]) {
    const weight: number[] = [];
    let count = 1;
    for (const { max } of group) {
      weight.push(count);
      count *= max + 1;
    }
    const timesIn = (state: number, place: number): number =>
      Math.floor(state / (weight[place] ?? 1)) % ((group[place]?.max ?? 0) + 1);
    this.#weight = weight;
    this.#value = new Int32Array(count).fill(-1);
    this.#from = new Int32Array(count);
    this.#filled = Int32Array.from({ length: count }, (_, state) =>
      group.reduce((sum, { min }, place) => sum + Math.min(min, timesIn(state, place)), 0),
    );
    this.#isFull = group.map(({ max }, place) =>
      Uint8Array.from({ length: count }, (_, state) => Number(timesIn(state, place) === max)),
    );
  }

  enter(value: number, from: number): void {
    this.#keep(0, value, from);
  }

  /** A call that may stand in one of these places. States only grow, so that no call stands in two. */
  add(places: readonly number[], worth: number): void {
    for (let state = this.#value.length - 1; state >= 0; state--) {
      const value = numberAt(this.#value, state);
      if (value === -1) continue;
      for (const place of places) {
        if (this.#isFull[place]?.[state] === 1) continue;
        this.#keep(state + (this.#weight[place] ?? 0), value + worth, numberAt(this.#from, state));
      }
    }
  }

  #keep(state: number, value: number, from: number): void {
    const known = this.#value[state] ?? -1;
    if (value < known || (value === known && from <= (this.#from[state] ?? 0))) return;
    this.#value[state] = value;
    this.#from[state] = from;
    const total = value + FILLED * (this.#filled[state] ?? 0);
    const { most } = this;
    if (total > most.value || (total === most.value && from > most.from)) this.most = { value: total, from };
  }
}

import { exactlyReaches } from './exactShare.ts';
import { floorOf } from './tolerance.ts';

export interface WeightedResult {
  readonly passed: boolean;
  readonly errored: boolean;
  readonly weight: number;
}

type Counts = (result: WeightedResult, index: number) => boolean;

/** A sum of weights with compensation for rounding (Neumaier). */
class WeightSum {
  #high = 0;
  #lost = 0;
  isNothing = true;

  /** The scale keeps sums finite. Weights that it rounds to 0 still count as something. */
  add(unscaled: number, scale: number): void {
    const weight = unscaled * scale;
    const next = this.#high + weight;
    this.#lost += this.#high >= weight ? this.#high - next + weight : weight - next + this.#high;
    this.#high = next;
    if (unscaled > 0) this.isNothing = false;
  }

  get value(): number {
    return this.#high + this.#lost;
  }
}

/** Doubles that differ by more than this are in the same order as the exact values. */
const CLOSE = 1e-14;
const CLOSE_TO_NOTHING = 1e-290;
const HUGE = 2 ** 960;
const OUT_OF_HUGE = 2 ** -64;
const BELOW_ONE = 1 - 2 ** -53;

export interface Share {
  /** Rounded as doubles are, but 1 only if it is all. */
  readonly value: number;
  reaches(bar: number): boolean;
}

/** Weights are relative: if all are 0, all count the same. */
export class Weights {
  readonly #results: readonly WeightedResult[];
  readonly #areEqual: boolean;
  readonly #scale: number;

  constructor(results: readonly WeightedResult[]) {
    let greatest = 0;
    for (const { weight } of results) {
      if (!Number.isFinite(weight) || weight < 0)
        throw new Error(`a weight is finite and not negative, not ${weight}`);
      greatest = Math.max(greatest, weight);
    }
    this.#results = results;
    this.#areEqual = greatest === 0;
    this.#scale = greatest > HUGE ? OUT_OF_HUGE : 1;
  }

  shareOf(counts: Counts): Share {
    const [part, rest] = [new WeightSum(), new WeightSum()];
    let index = 0;
    for (const result of this.#results) {
      (counts(result, index++) ? part : rest).add(this.#areEqual ? 1 : result.weight, this.#scale);
    }
    if (rest.isNothing) return { value: 1, reaches: () => true };
    const value = Math.min(BELOW_ONE, part.value / (part.value + rest.value));
    return { value, reaches: (bar) => this.#reaches(value, bar, counts) };
  }

  #reaches(share: number, bar: number, counts: Counts): boolean {
    if (bar <= 0 || bar >= 1) return bar <= 0;
    const floor = floorOf(bar);
    if (Math.abs(share - floor) > CLOSE * floor + CLOSE_TO_NOTHING) return share > floor;
    const weightsOf = (results: readonly WeightedResult[]) =>
      results.map(({ weight }) => (this.#areEqual ? 1 : weight));
    return exactlyReaches(weightsOf(this.#results.filter(counts)), weightsOf(this.#results), bar);
  }
}

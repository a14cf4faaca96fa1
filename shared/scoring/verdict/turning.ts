import type { GatedCase } from './gating.ts';
import { type Share, Weights } from './weights.ts';

/** Cases, heaviest first, some of which are turned one after another: to passed or to failed. */
export class Turning {
  readonly #cases: readonly GatedCase[];
  readonly #candidates: GatedCase[] = [];
  /** The place among the candidates; -1 for the others. */
  readonly #ranks: Int32Array;
  readonly #weights: Weights;
  readonly #toPassed: boolean;

  /** The cases that may not turn have passed where the others turn to passed, and else have not. */
  constructor(cases: readonly GatedCase[], mayTurn: (gatedCase: GatedCase) => boolean, toPassed: boolean) {
    this.#cases = cases;
    this.#weights = new Weights(cases);
    this.#ranks = new Int32Array(cases.length).fill(-1);
    this.#toPassed = toPassed;
    cases.forEach((gatedCase, index) => {
      if (mayTurn(gatedCase)) this.#ranks[index] = this.#candidates.push(gatedCase) - 1;
    });
  }

  /**
   * The fewest of the heaviest candidates after which the share that passes is `enough`; undefined where `most` are too
   * few. `floor` is the share around which that is so, if it is known.
   */
  fewest(
    enough: (share: Share) => boolean,
    floor?: number,
    most = this.#candidates.length,
  ): readonly GatedCase[] | undefined {
    const guess = floor === undefined ? Number.NaN : this.#guess(floor);
    const count = leastOf(Math.min(most, this.#candidates.length), guess, (turned) =>
      enough(this.#shareAfter(turned)),
    );
    return count === undefined ? undefined : this.#candidates.slice(0, count);
  }

  #shareAfter(turned: number): Share {
    return this.#weights.shareOf((_, index) => (this.#ranks[index] ?? -1) < turned === this.#toPassed);
  }

  /** By plain sums, which may be off by one or two. */
  #guess(floor: number): number {
    const areEqual = this.#cases[0]?.weight === 0;
    const sumOf = (cases: readonly GatedCase[]) =>
      cases.reduce((sum, { weight }) => sum + (areEqual ? 1 : weight), 0);
    const [total, ofCandidates] = [sumOf(this.#cases), sumOf(this.#candidates)];
    let passed = this.#toPassed ? total - ofCandidates : ofCandidates;
    for (const [turned, { weight }] of this.#candidates.entries()) {
      if (passed >= floor * total === this.#toPassed) return turned;
      passed += (areEqual ? 1 : weight) * (this.#toPassed ? 1 : -1);
    }
    return this.#candidates.length;
  }
}

/** The least of 0 to `most` that `is`, when all greater ones are, too. Looks near the guess first. */
function leastOf(most: number, guess: number, is: (count: number) => boolean): number | undefined {
  const start = Math.min(guess, most);
  let [below, leastCount] = [-1, most + 1];
  while (leastCount - below > 1) {
    const near = [start, start - 1, start + 1].find((count) => count > below && count < leastCount);
    const count = near ?? (below + leastCount) >> 1;
    if (is(count)) leastCount = count;
    else below = count;
  }
  return leastCount > most ? undefined : leastCount;
}

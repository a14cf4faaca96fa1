import type { ScorerOutput } from '../debugOutput.ts';
import type { Outcome, Sides } from '../types.ts';

/** 0/0 is 1 when both sides are empty: nothing was asked for and nothing was given. */
function share(part: number, whole: number, otherWhole: number): number {
  if (whole > 0) return part / whole;
  return otherWhole === 0 ? 1 : 0;
}

export interface Counts {
  /** Of what the output gives, how many are right. */
  readonly rightGiven: number;
  readonly given: number;
  /** Of what is expected, how many were found. */
  readonly found: number;
  readonly expected: number;
}

export function sidesOf(counts: Counts): Sides {
  return {
    precision: share(counts.rightGiven, counts.given, counts.expected),
    recall: share(counts.found, counts.expected, counts.given),
    truePositives: counts.found,
    falsePositives: counts.given - counts.rightGiven,
    falseNegatives: counts.expected - counts.found,
  };
}

function f1(sides: Sides): number {
  const sum = sides.precision + sides.recall;
  return sum === 0 ? 0 : (2 * sides.precision * sides.recall) / sum;
}

function sidesOutput(sides: Sides): ScorerOutput {
  return {
    precision: sides.precision,
    recall: sides.recall,
    true_positives: sides.truePositives,
    false_positives: sides.falsePositives,
    false_negatives: sides.falseNegatives,
  };
}

export function dualSidedOutcome(sides: Sides, output: ScorerOutput, detail: string): Outcome {
  const score = f1(sides);
  const figures = `F1 ${shown(score)}, precision ${shown(sides.precision)}, recall ${shown(sides.recall)}`;
  return {
    score,
    reason: detail === '' ? figures : `${figures}: ${detail}`,
    output: { ...output, ...sidesOutput(sides) },
    errored: false,
    sides,
  };
}

function shown(share: number): string {
  return String(Math.round(share * 1000) / 1000);
}

/** A bag of strings, to count overlaps in which a duplicate needs a duplicate. */
export class Bag {
  readonly #left = new Map<string, number>();

  constructor(items: Iterable<string>) {
    for (const item of items) this.#left.set(item, (this.#left.get(item) ?? 0) + 1);
  }

  take(item: string): boolean {
    const left = this.#left.get(item) ?? 0;
    if (left > 0) this.#left.set(item, left - 1);
    return left > 0;
  }

  /** What was never taken. */
  *rest(): Generator<string> {
    for (const [item, left] of this.#left) if (left > 0) yield item;
  }
}

import type { ScorerOutput } from '../kit/debugOutput.ts';
import type { Outcome, PrecisionRecall } from '../kit/definition.ts';

/** 0/0 is 1 if nothing was expected and nothing was given. */
function share(part: number, total: number, otherTotal: number): number {
  if (total > 0) return part / total;
  return otherTotal === 0 ? 1 : 0;
}

export interface Counts {
  /** How many of the output's parts are right. */
  readonly rightGiven: number;
  readonly given: number;
  readonly found: number;
  readonly expected: number;
}

export function precisionRecallOf(counts: Counts): PrecisionRecall {
  return {
    precision: share(counts.rightGiven, counts.given, counts.expected),
    recall: share(counts.found, counts.expected, counts.given),
    truePositives: counts.found,
    falsePositives: counts.given - counts.rightGiven,
    falseNegatives: counts.expected - counts.found,
  };
}

/** Of an output of which no part counts. */
export const nothingRight = (expected: number): PrecisionRecall =>
  precisionRecallOf({ rightGiven: 0, given: 1, found: 0, expected });

export function f1({ precision, recall }: Pick<PrecisionRecall, 'precision' | 'recall'>): number {
  const sum = precision + recall;
  return sum === 0 ? 0 : (2 * precision * recall) / sum;
}

function precisionRecallOutput(precisionRecall: PrecisionRecall): ScorerOutput {
  return {
    precision: precisionRecall.precision,
    recall: precisionRecall.recall,
    true_positives: precisionRecall.truePositives,
    false_positives: precisionRecall.falsePositives,
    false_negatives: precisionRecall.falseNegatives,
  };
}

export function dualSidedOutcome(
  precisionRecall: PrecisionRecall,
  output: ScorerOutput,
  detail: string,
): Outcome {
  const score = f1(precisionRecall);
  const figures = `F1 ${shown(score)}, precision ${shown(precisionRecall.precision)}, recall ${shown(precisionRecall.recall)}`;
  return {
    score,
    reason: detail === '' ? figures : `${figures}: ${detail}`,
    output: { ...output, ...precisionRecallOutput(precisionRecall) },
    errored: false,
    precisionRecall,
  };
}

function shown(share: number): string {
  return String(Math.round(share * 1000) / 1000);
}

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

  *rest(): Generator<string> {
    for (const [item, left] of this.#left) if (left > 0) yield item;
  }
}

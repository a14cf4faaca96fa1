import type { GatedCase, GateSettings } from '../gatedCase.ts';
import { NAMED_CASES_MAX } from '../kept.ts';
import type { Against } from './baseline.ts';
import { compare } from './compare.ts';
import type { Comparison } from './comparison.ts';

/** What a run keeps of its comparison. */
export interface KeptComparison {
  /** The keys of at most 20, the gravest first. */
  readonly newlyFailing: readonly string[];
  readonly newlyFailingCount: number;
  readonly difference: number;
  readonly pValue: number;
  readonly comparable: boolean;
}

/**
 * A run's comparison, and what it would be had its errored cases failed or passed. Each is made when it is needed. With
 * errored cases as failed, cases that passed, fail now and cannot be compared count, too; else they are left out.
 */
export class Compared {
  readonly #cases: readonly GatedCase[];
  readonly #settings: GateSettings;
  readonly #against: Against;
  readonly #hasErrored: boolean;
  #asJudged: Comparison | undefined;
  #asFailed: Comparison | undefined;
  #asPassed: Comparison | undefined;

  constructor(cases: readonly GatedCase[], settings: GateSettings, against: Against) {
    this.#cases = cases;
    this.#settings = settings;
    this.#against = against;
    this.#hasErrored = cases.some(({ errored }) => errored);
  }

  /** Errored cases are left out. */
  get asJudged(): Comparison {
    this.#asJudged ??= compare(this.#cases, this.#settings, this.#against);
    return this.#asJudged;
  }

  get withErroredFailed(): Comparison {
    this.#asFailed ??= this.#withErrored(false);
    return this.#asFailed;
  }

  get withErroredPassed(): Comparison {
    this.#asPassed ??= this.#withErrored(true);
    return this.#asPassed;
  }

  get kept(): KeptComparison {
    const { counts, rates, test, comparable } = this.asJudged;
    return {
      newlyFailing: this.newlyFailingKeys(this.asJudged),
      newlyFailingCount: counts.newly_failing,
      difference: rates.difference,
      pValue: test.pValue,
      comparable,
    };
  }

  /** The gravest first; those that failed before errored ones. */
  newlyFailingKeys({ cases }: Comparison): string[] {
    const failing = cases.flatMap((one) =>
      one.class === 'newly_failing' && one.place !== undefined ? (this.#cases[one.place] ?? []) : [],
    );
    const sorted = gravestFirst(failing);
    const [errored, failed] = [sorted.filter((one) => one.errored), sorted.filter((one) => !one.errored)];
    return [...failed, ...errored].slice(0, NAMED_CASES_MAX).map(({ key }) => key);
  }

  /** How many cases passed before, as far as is known, fail now, and cannot be compared. */
  get assumedFailing(): number {
    return this.withErroredFailed.cases.filter(({ isAssumed }) => isAssumed).length;
  }

  #withErrored(passed: boolean): Comparison {
    if (passed && !this.#hasErrored) return this.asJudged;
    const cases = this.#cases.map((one) => (one.errored ? { ...one, errored: false, passed } : one));
    return compare(cases, this.#settings, this.#against, !passed);
  }
}

/** Must-pass cases, then heavy ones, then in their order. */
export function gravestFirst<Listed extends Pick<GatedCase, 'mustPass' | 'weight'>>(
  cases: readonly Listed[],
): Listed[] {
  return cases.toSorted(
    (one, other) => Number(other.mustPass) - Number(one.mustPass) || other.weight - one.weight,
  );
}

import type { CaseResult, PreparedSuite, SentOutput, SuiteCase } from '../kit/types.ts';
import type { GatedCase } from '../verdict/gating.ts';
import { type DecidingSample, decidingSample, foldSamples, missingResult } from './samples.ts';
import { scoreSuite } from './score.ts';

/** A case with what decides, beside its score, how it counts in the verdict. */
export interface RuledCase extends SuiteCase {
  readonly key: string;
  readonly tags: readonly string[];
  readonly must_pass: boolean;
  readonly sample_count: number;
  readonly sample_pass_rate: number;
}

/** Active cases, and what was sent for them. */
export interface AnsweredCases<Case extends RuledCase, Sample extends SentOutput> {
  readonly cases: readonly Case[];
  /** Of the same cases. */
  readonly prepared: PreparedSuite;
  /** By the place of the case, in the order sent; none for a case without an output. */
  readonly samples: readonly (readonly Sample[])[];
}

export interface FoldedCase {
  readonly result: CaseResult;
  /** Undefined where no output was sent. */
  readonly deciding: DecidingSample | undefined;
}

export interface JudgedCase<Case extends RuledCase, Sample extends SentOutput> extends FoldedCase {
  readonly evalCase: Case;
  readonly samples: readonly Sample[];
  /** One for each sample. */
  readonly scored: readonly CaseResult[];
}

/**
 * How each case ended. It reads and stores nothing: runs, trials by the service and those on another machine are scored
 * by it. `now`: see `ScoringRequest`.
 */
export function judgeCases<Case extends RuledCase, Sample extends SentOutput>(
  { cases, prepared, samples }: AnsweredCases<Case, Sample>,
  now: () => number,
): JudgedCase<Case, Sample>[] {
  const all = scoreSuite(prepared, { outputsOf: (index) => samples[index] ?? [], now });
  return cases.map((evalCase, index) => {
    const scored = all[index] ?? [];
    const { result, deciding } = foldCase(evalCase, scored);
    return { evalCase, samples: samples[index] ?? [], scored, result, deciding };
  });
}

type SampledCase = Pick<RuledCase, 'id' | 'name' | 'threshold' | 'sample_count' | 'sample_pass_rate'>;

/** A case from the results of its samples. */
export function foldCase(evalCase: SampledCase, scored: readonly CaseResult[]): FoldedCase {
  if (scored.length === 0) return { result: missingResult(evalCase), deciding: undefined };
  const rule = { sampleCount: evalCase.sample_count, samplePassRate: evalCase.sample_pass_rate };
  const deciding = decidingSample(scored, rule);
  return { result: foldSamples(scored, rule, deciding), deciding };
}

/** As the gates see it. */
export function gatedCase(
  { id, key, weight, must_pass, tags }: Omit<RuledCase, 'sample_count' | 'sample_pass_rate'>,
  { passed, errored, fault, missing }: CaseResult,
  advisory: boolean,
): GatedCase {
  return {
    id,
    key,
    weight,
    passed,
    errored,
    ...(fault && { fault }),
    missing: missing === true,
    mustPass: must_pass,
    tags,
    advisory,
  };
}

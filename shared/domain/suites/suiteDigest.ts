import { caseDigest, scorerDigest, suiteDigest } from '../../scoring/digest/bar.ts';
import type { Sha256 } from '../../scoring/digest/documents.ts';
import { judgeQuestionOf, withDefaults } from '../../scoring/registry.ts';
import type { NameJudge, SuiteToRun } from './ports.ts';

type Case = SuiteToRun['cases'][number];
type Scorer = NonNullable<Case['scorer']>;

/** A suite's bar: how its active cases decide. */
export interface Bar {
  readonly passThreshold: number;
  readonly gates: object;
  readonly cases: readonly Omit<Case, 'name' | 'expected'>[];
}

export interface BarDigests {
  readonly suite: Sha256;
  /** By the ids of cases. */
  readonly cases: ReadonlyMap<string, string>;
}

/** The models that a scorer's judges are, as this deployment asks them. Undefined for a scorer that asks none. */
export function judgeOf(scorer: Scorer, nameJudge: NameJudge) {
  const question = judgeQuestionOf(scorer);
  return question && nameJudge(question.provider, question.model);
}

/** Equal for equal bars, whatever names, descriptions and order. */
export function digestsOf({ passThreshold, gates, cases }: Bar, nameJudge: NameJudge): BarDigests {
  const ofScorers = new Map<string, string>();
  const ofScorer = (scorer: Scorer): string => {
    const known = ofScorers.get(scorer.id);
    if (known !== undefined) return known;
    const config = withDefaults(scorer);
    const digest = scorerDigest({ ...scorer, config }, judgeOf(scorer, nameJudge));
    ofScorers.set(scorer.id, digest);
    return digest;
  };
  const ofCases = cases.map((evalCase) => {
    const digest = caseDigest({
      ...evalCase,
      inputDigest: evalCase.input_digest,
      expectedDigest: evalCase.expected_digest,
      advisory: evalCase.advisory_until === null ? null : { expires_at: evalCase.advisory_until },
      scorerDigest: evalCase.scorer && ofScorer(evalCase.scorer),
    });
    return [evalCase.id, digest] as const;
  });
  return { suite: suiteDigest({ passThreshold, gates }, ofCases), cases: new Map(ofCases) };
}

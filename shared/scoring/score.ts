import type { Outcome, PrecisionRecall } from './definition.ts';
import { configInvalid } from './errors.ts';
import { scoreJobs } from './execution/batch.ts';
import { Subject } from './subject.ts';
import { planOf } from './suite.ts';
import type {
  CaseResult,
  PreparedSuite,
  ScoringRequest,
  SuiteCase,
  SuiteScore,
  SuiteScorer,
} from './types.ts';
import { reaches } from './verdict/tolerance.ts';
import { verdictOf } from './verdict/verdict.ts';

/** The same output gets the same verdict, except for scorers that reach a deadline: errors, never passes. */
export function scoreSuite(compiled: PreparedSuite, request: ScoringRequest): SuiteScore {
  const { jobs, cases } = planOf(compiled);
  const subject = new Subject(request.output);
  const { outcomes, durationsMs } = scoreJobs(
    jobs.map((job) => ({ ...job, subject })),
    request.now,
  );
  const results = cases.map((planned) =>
    caseResult(
      planned.evalCase,
      outcomes[planned.job] ?? configInvalid('it was not run'),
      durationsMs[planned.job] ?? 0,
    ),
  );
  const weighted = results.map(({ passed, errored }, at) => ({
    passed,
    errored,
    weight: cases[at]?.evalCase.weight ?? 0,
  }));
  return { results, verdict: verdictOf(weighted, compiled.suite.passThreshold) };
}

/** A model answers with the two shares only. */
type JudgedOutcome = Omit<Outcome, 'precisionRecall'> & {
  readonly precisionRecall?: Pick<PrecisionRecall, 'precision' | 'recall'>;
};

/** The result of a case. Decides whether the case passes, for judged cases too. */
export function caseResult(
  { id, name, threshold, scorer }: Omit<SuiteCase, 'weight' | 'expected'>,
  outcome: JudgedOutcome,
  durationMs: number,
): CaseResult {
  return {
    case_id: id,
    case_name: name,
    passed: !outcome.errored && reaches(outcome.score, threshold) && reachesThresholds(outcome, scorer),
    score: outcome.score,
    threshold,
    reason: outcome.reason,
    scorer_output: outcome.output,
    duration_ms: durationMs,
    errored: outcome.errored,
  };
}

/** An outcome without precision and recall reaches no threshold of them. */
function reachesThresholds({ precisionRecall }: JudgedOutcome, scorer: SuiteScorer | null): boolean {
  const { precision = 0, recall = 0 } = precisionRecall ?? {};
  return (
    reaches(precision, scorer?.precision_threshold ?? 0) && reaches(recall, scorer?.recall_threshold ?? 0)
  );
}

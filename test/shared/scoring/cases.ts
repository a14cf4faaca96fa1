import { SCORER_TYPES } from '../../../shared/contracts/base/scorerTypes.ts';
import { scoreSuite } from '../../../shared/scoring/engine/score.ts';
import type { CaseResult, PreparedSuite, SuiteCase, SuiteScorer } from '../../../shared/scoring/kit/types.ts';
import { loadScorers } from '../../../shared/scoring/registry.ts';
import { verdictOf } from '../../../shared/scoring/verdict/verdict.ts';

await loadScorers(SCORER_TYPES);

export type Options = Partial<Omit<SuiteScorer, 'id' | 'type' | 'config'>> &
  Partial<Omit<SuiteCase, 'scorer'>>;

let made = 0;

export function caseOf(type: string, config: unknown, options: Options = {}): SuiteCase {
  made++;
  const { dual_sided = false, precision_threshold = null, recall_threshold = null, ...rest } = options;
  const scorer = { id: `scorer-${made}`, type, config, dual_sided, precision_threshold, recall_threshold };
  return {
    id: `case-${made}`,
    name: `case ${made}`,
    expected: null,
    threshold: 0.5,
    weight: 1,
    scorer,
    ...rest,
  };
}

export const now = () => performance.now();

/** What `prepareSuite` answers, for tests that cannot wait. */
export const preparedSuite = (cases: readonly SuiteCase[], passThreshold = 1): PreparedSuite => ({
  suite: { passThreshold, cases },
  plan: null,
});

export function scoreAll(cases: readonly SuiteCase[], output: string, passThreshold = 1) {
  return scoreText(preparedSuite(cases, passThreshold), { output, now });
}

/** One output for every case. */
export function scoreText(
  compiled: PreparedSuite,
  { output, now }: { readonly output: string; readonly now: () => number },
) {
  const sent = [{ output }];
  const results = scoreSuite(compiled, { outputsOf: () => sent, now }).flat();
  const weighted = results.map(({ passed, errored }, index) => ({
    passed,
    errored,
    weight: compiled.suite.cases[index]?.weight ?? 0,
  }));
  return { results, verdict: verdictOf(weighted, compiled.suite.passThreshold) };
}

export function scoreOne(evalCase: SuiteCase, output: string): CaseResult {
  const [result] = scoreAll([evalCase], output).results;
  if (result === undefined) throw new Error('no result');
  return result;
}

/** What a result says about the output, without what differs from run to run. */
export function judgement({ duration_ms: _, ...rest }: CaseResult) {
  return rest;
}

import { type Compared, comparedWithBaseline } from '../../../../clients/gate/report/review/baseline.ts';
import type { Change, Comparison } from '../../../../clients/gate/report/review/changes.ts';
import { comparedWithBranch } from '../../../../clients/gate/report/review/comparison.ts';
import type { ReportedResult } from '../../../../clients/gate/report/types.ts';

export const NOW_MS = Date.parse('2026-11-27T12:00:00Z');
const WEIGHED = { threshold: 0.5, weight: 1, must_pass: false };
const COUNTS = {
  newly_failing: 0,
  newly_passing: 0,
  unstable: 0,
  changed: 0,
  added: 0,
  missing: 0,
  unjudged: 0,
};

/** Of a hundred cases with a baseline of twelve days ago. */
export function aCompared(
  {
    failing = [],
    passing = [],
  }: { readonly failing?: readonly string[]; readonly passing?: readonly string[] },
  fields: Partial<Compared> = {},
): Compared {
  const listed = (keys: readonly string[]) =>
    keys.map((key) => ({
      case_id: key,
      key,
      case: key,
      ...WEIGHED,
      baseline_score: 1,
      score: 0,
      reason: 'No.',
    }));
  return {
    run_id: 'run_1',
    baseline: { id: 'b1', run_ids: ['run_0'], created_at: '2026-11-15T11:00:00Z', run: null },
    comparable: true,
    coverage: 1,
    notices: [],
    detectable_drop: 0.094,
    counts: { ...COUNTS, compared: 100, newly_failing: failing.length, newly_passing: passing.length },
    pass_rate: { baseline: 1, run: 0.97, difference: -0.03, lower: -0.07, upper: 0.01, confidence: 0.95 },
    test: {
      method: 'exact_conditional_mid_p',
      alternative: 'worse',
      informative_cases: 3,
      p_value: 0.0625,
      p_value_exact: 0.125,
    },
    cases: {
      newly_failing: listed(failing),
      newly_passing: listed(passing),
      unstable: [],
      changed: [],
      added: [],
      missing: [],
      unjudged: [],
    },
    ...fields,
  };
}

/** As a run says it. */
export const comparedRun = (keys: readonly string[], count = keys.length) => ({
  baseline_id: 'b1',
  newly_failing: [...keys],
  newly_failing_count: count,
  difference: -0.03,
  p_value: 0.0625,
  comparable: true,
});

interface Hostile {
  readonly text: string;
  readonly results: readonly ReportedResult[];
  readonly change: Change;
}

/** With a branch, or with a baseline, whose every foreign text is hostile. */
export function hostileComparison({ text, results, change }: Hostile): Comparison | undefined {
  if (change !== 'newly failing') {
    const changes = new Map(results.slice(0, 2).map(({ case_id }) => [case_id, change]));
    return comparedWithBranch(text, { id: text, sha: text, isSameBar: false }, changes);
  }
  const failing = results.slice(0, 2).map(({ key }) => key);
  const found = aCompared(
    { failing },
    {
      baseline: { id: text, run_ids: [text, text], created_at: text, run: null },
      notices: [{ code: text, message: text }],
    },
  );
  return comparedWithBaseline({ comparison: comparedRun(failing) }, results, found);
}

import { describe, expect, test } from '@jest/globals';
import type { Run } from '../../../../shared/contracts/runs.ts';
import { runVerdictSchema, shownRunSchema } from '../../../../shared/contracts/runs.ts';
import { redacted } from '../../../../shared/domain/runs/results/redacted.ts';

/** Each text that names a case, and each figure that betrays one. */
const NAMED = 'the-case';
const BETRAYING = 918_273;

const RUN = {
  id: 'run_1',
  suite_id: 'suite',
  status: 'aborted',
  pass_rate: 0.5,
  total_cases: 2,
  passed_cases: 1,
  failed_cases: 1,
  errored_cases: 0,
  inconclusive: false,
  suite_digest: null,
  outputs_digest: null,
  missing_cases: 0,
  advisory_cases: 0,
  advisory_failed_cases: 0,
  judge_usage: { calls: BETRAYING, remembered: 0, input_tokens: BETRAYING, output_tokens: BETRAYING },
  surplus_outputs: 1,
  surplus: ['typo'],
  pass_threshold: 0.9,
  verdict: {
    gates: [
      { gate: 'must_pass', status: 'failed', observed: 1, required: 0, cases: [NAMED] },
      { gate: 'judges', status: 'failed', observed: 0.5, required: 0.9, reason: NAMED },
      { gate: 'tag:eu', status: 'failed', observed: 0.5, required: 0.9, judged_cases: 2 },
      {
        gate: 'regression',
        status: 'inconclusive',
        observed: 0.2,
        required: 0.05,
        difference: -0.1,
        reason: 'few',
      },
    ],
    decided_by: ['must_pass', 'tag:eu'],
    confidence: { level: 0.95, method: 'wilson', lower: 0.1, upper: 0.9, effective_cases: 2 },
    flips: { to: 'cleared', cases: 1, exact: true, case_ids: [NAMED] },
  },
  notices: [
    { code: 'ADVISORY_EXPIRING', message: `The case ${NAMED} gates again.`, case_id: NAMED, key: NAMED },
    { code: 'RETRIED', message: 'This suite has judged the commit 3 times.', runs: 3, first: 'aborted' },
  ],
  baseline_id: null,
  comparison: {
    baseline_id: 'baseline',
    newly_failing: [NAMED],
    newly_failing_count: 1,
    difference: -0.5,
    p_value: 0.5,
    comparable: true,
  },
  waiver: null,
  duration_ms: 3,
  trigger: 'api',
  trigger_meta: {},
  created_by: { type: 'api_key', key_id: 'key', label: 'CI' },
  created_at: '2026-11-29T12:00:00.000Z',
  completed_at: null,
  results_hidden: true,
} as const satisfies object as unknown as Run;

describe('an answer of a run whose results are hidden', () => {
  test('names no case for scope run, and holds every figure, gate and notice that names none', () => {
    const shown = redacted(RUN, { scope: 'run' });
    expect(JSON.stringify(shown)).not.toMatch(`${NAMED}|${BETRAYING}`);
    const { verdict, comparison, notices } = RUN;
    expect(shown).toEqual({
      ...RUN,
      judge_usage: null,
      notices: [notices[1]],
      comparison: { ...comparison, newly_failing: [] },
      verdict: {
        ...verdict,
        gates: verdict?.gates.map(({ cases: _, reason, ...gate }) =>
          gate.gate === 'judges' ? gate : { ...gate, reason },
        ),
        flips: { ...verdict?.flips, case_ids: [] },
      },
    });
  });

  test('is as it is stored for other scopes, and where results are shown', () => {
    for (const scope of ['read', 'suites', 'full'] as const) expect(redacted(RUN, { scope })).toBe(RUN);
    const { results_hidden: _, ...shown } = RUN;
    expect(redacted(shown, { scope: 'run' })).toBe(shown);
  });

  /** A new one has to be looked at: does it say which case failed? */
  test('has these fields, of each of which is known whether it names a case', () => {
    const known = [...Object.keys(RUN), 'fault'];
    const ofRun = ['branch', 'pull_request', 'is_default_branch', 'suite'];
    expect(Object.keys(shownRunSchema.shape).sort()).toEqual([...known, ...ofRun].sort());
    const emptied = ['passed', 'scores', 'failures'];
    const unanswered = ['suite_id', 'trigger', 'trigger_meta', 'created_by', 'created_at', 'completed_at'];
    expect(Object.keys(runVerdictSchema.shape).sort()).toEqual(
      [...known.filter((name) => !unanswered.includes(name)), ...emptied].sort(),
    );
  });
});

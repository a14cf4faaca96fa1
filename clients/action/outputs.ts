import { safeJson } from '../gate/report/escape.ts';
import { runPage } from '../gate/report/pages.ts';
import { shortened } from '../gate/report/results.ts';
import type { Failure } from '../sdk/index.ts';
import type { Runner } from './job/runner.ts';
import type { Ending } from './outcome.ts';

/** All outputs of action.yml. */
export const OUTPUTS = [
  'verdict',
  'passed',
  'exit-code',
  'pass-rate',
  'total-cases',
  'passed-cases',
  'failed-cases',
  'errored-cases',
  'fault',
  'failures',
  'baseline-id',
  'newly-failing',
  'p-value',
  'waived',
  'run-id',
  'run-url',
  'comment-url',
  'report-file',
  'junit-file',
  'statement-file',
  'changes',
  'weaker',
  'skip-reason',
] as const;

const FAILURES_MAX = 50;
const REASON_MAX = 2_000;

/** What is known when the gate has ended. Those of reports follow when they are written. */
export function outputsOf(
  ending: Ending,
  serviceUrl?: string,
): Partial<Record<(typeof OUTPUTS)[number], string>> {
  const { verdict, exitCode, outcome, runId } = ending;
  return {
    verdict,
    passed: String(verdict === 'cleared'),
    'exit-code': String(exitCode),
    ...(outcome && {
      'pass-rate': String(outcome.pass_rate),
      'total-cases': String(outcome.total_cases),
      'passed-cases': String(outcome.passed_cases),
      'failed-cases': String(outcome.failed_cases),
      'errored-cases': String(outcome.errored_cases),
      ...(outcome.fault && { fault: outcome.fault }),
      waived: String(ending.isWaived === true),
      ...(outcome.comparison && {
        'baseline-id': outcome.comparison.baseline_id,
        'newly-failing': safeJson(outcome.comparison.newly_failing),
        'p-value': String(outcome.comparison.p_value),
      }),
      failures: safeJson(outcome.failures.slice(0, FAILURES_MAX).map(failureOf)),
    }),
    ...(runId && { 'run-id': runId }),
    ...(runId && serviceUrl && { 'run-url': runPage(serviceUrl, runId) }),
    ...(verdict === 'skipped' && { 'skip-reason': 'fork' }),
  };
}

const failureOf = ({ key, score, threshold, reason }: Failure): object => ({
  case: key,
  score,
  threshold,
  reason: shortened(reason, REASON_MAX),
});

export function setOutputs(runner: Runner, outputs: ReturnType<typeof outputsOf>): void {
  for (const [name, value] of Object.entries(outputs)) runner.setOutput(name, value);
}

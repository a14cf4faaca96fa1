import type { RunResult } from '../../../shared/contracts/results/results.ts';
import { modelStatuses, weigh } from '../../shared/scoring/verdict/model.ts';
import { insist } from '../insist.ts';
import type { EndedRun } from './auditRun.ts';
import type { Bar } from './bar.ts';
import { gatedCase } from './comparing.ts';

const CLOSE = 1e-9;

const count = (some: readonly RunResult[], counts: (one: RunResult) => boolean): number =>
  some.filter(counts).length;

/** Figures and verdict are those of the results. `relative`: the statuses of gates that compare with a baseline. */
export function auditVerdict(
  { name, run, results, audited }: EndedRun,
  { passThreshold, gates }: Bar,
  relative: Readonly<Record<string, string>>,
): void {
  const gating = results.filter(({ advisory }) => !advisory);
  const advisory = results.filter((one) => one.advisory);
  const figures = {
    total_cases: gating.length,
    passed_cases: count(gating, ({ passed }) => passed),
    failed_cases: count(gating, ({ passed }) => !passed),
    errored_cases: count(gating, ({ errored }) => errored),
    missing_cases: count(gating, ({ missing }) => missing),
    advisory_cases: advisory.length,
    advisory_failed_cases: count(advisory, ({ passed }) => !passed),
  };
  for (const [figure, due] of Object.entries(figures)) {
    const stated = run[figure as keyof typeof figures];
    insist(stated === due, `${name} says ${figure} ${stated}, and its results ${due}`);
  }
  insist(gating.length > 0, `${name} has nothing but advisory cases`);
  const cases = gating.map(gatedCase);
  const { passed, all } = weigh(cases);
  insist(Math.abs(run.pass_rate - passed / all) < CLOSE, `${name} has the pass rate ${run.pass_rate}`);
  // What could be evaluated of a run that is given back is no verdict.
  if (audited.givesBack) return;
  const absolute = modelStatuses(cases, { passThreshold, gates });
  const due = [...absolute, ...Object.entries(relative).map(([gate, status]) => ({ gate, status }))];
  const stated = (run.verdict?.gates ?? []).map(({ gate, status }) => ({ gate, status }));
  const [isStated, isDue] = [stated, due].map((some) => JSON.stringify(some));
  insist(isStated === isDue, `${name} has the gates ${isStated}, and its results say ${isDue}`);
  const isCleared = due.every(({ status }) => status === 'passed');
  const isInconclusive = !isCleared && due.every(({ status }) => status !== 'failed');
  insist(
    run.status === (isCleared ? 'cleared' : 'aborted') && run.inconclusive === isInconclusive,
    `${name} is ${run.status}${run.inconclusive ? ', inconclusive' : ''}, and its results say ${isDue}`,
  );
}

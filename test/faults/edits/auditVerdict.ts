import type { RunResult } from '../../../shared/contracts/results/results.ts';
import { insist } from '../insist.ts';
import type { EndedRun } from './auditRun.ts';
import type { Bar } from './bar.ts';
import { type CaseOutcome, foldRun } from './folding.ts';

const CLOSE = 1e-9;

const outcomeOf = (result: RunResult): CaseOutcome => ({
  key: result.key,
  weight: result.weight ?? 0,
  passed: result.passed,
  errored: result.errored,
  missing: result.missing,
  mustPass: result.must_pass,
  tags: result.tags,
  advisory: result.advisory,
});

const count = (some: readonly CaseOutcome[], counts: (one: CaseOutcome) => boolean): number =>
  some.filter(counts).length;

/** Figures and verdict are those of the results. `relative`: the statuses of gates that compare with a baseline. */
export function auditVerdict(
  { name, run, results, audited }: EndedRun,
  bar: Bar,
  relative: Readonly<Record<string, string>>,
): void {
  const all = results.map(outcomeOf);
  const gating = all.filter(({ advisory }) => !advisory);
  const advisory = all.filter((one) => one.advisory);
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
  const folded = foldRun(all, bar, relative);
  insist(Math.abs(run.pass_rate - folded.passRate) < CLOSE, `${name} has the pass rate ${run.pass_rate}`);
  // What could be evaluated of a run that is given back is no verdict.
  if (audited.givesBack) return;
  const stated = Object.fromEntries(run.verdict?.gates.map(({ gate, status }) => [gate, status]) ?? []);
  const [isStated, isDue] = [stated, folded.gates].map((gates) => JSON.stringify(gates));
  insist(isStated === isDue, `${name} has the gates ${isStated}, and its results say ${isDue}`);
  const { status, inconclusive } = folded;
  insist(
    run.status === status && run.inconclusive === inconclusive,
    `${name} is ${run.status}${run.inconclusive ? ', inconclusive' : ''}, and its results say ${status} ${inconclusive}`,
  );
}

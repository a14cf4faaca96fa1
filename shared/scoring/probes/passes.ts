import { scoreSuite } from '../engine/score.ts';
import { planOf, prepareSuite } from '../engine/suite.ts';
import { RUN_TIME_MS_MAX } from '../execution/budget.ts';
import type { CompiledScorer } from '../kit/definition.ts';
import { RUN_TIMEOUT } from '../kit/errors.ts';
import { processorMs } from '../kit/guard.ts';
import type { CaseResult, SentOutput, SuiteCase } from '../kit/types.ts';

/** As many cases as the budget of one run is for. */
const PASS_CASES = 1_000;

/** Undefined where time ended the score: of such an output nothing is known. */
export type ProbedResult = CaseResult | undefined;

/** The outputs of a case. `compiled` is null where no scorer scores the case. */
export type OutputsOf<Case> = (
  evalCase: Case,
  compiled: CompiledScorer | null,
  index: number,
) => readonly SentOutput[];

/** The results of each case, one an output. Each pass has the budget of a run, and all of them have its greatest time. */
export async function scoreInPasses<Case extends SuiteCase>(
  cases: readonly Case[],
  outputsOf: OutputsOf<Case>,
): Promise<ProbedResult[][]> {
  const startMs = processorMs();
  const all: ProbedResult[][] = [];
  while (all.length < cases.length) {
    const pass = cases.slice(all.length, all.length + PASS_CASES);
    const prepared = await prepareSuite({ passThreshold: 1, cases: pass });
    const { jobs, cases: planned } = planOf(prepared);
    const compiled = planned.map(({ job }) => jobs[job]?.compiled ?? null);
    const outputs = pass.map((evalCase, at) => outputsOf(evalCase, compiled[at] ?? null, all.length + at));
    if (processorMs() - startMs > RUN_TIME_MS_MAX) {
      all.push(...outputs.map((some) => some.map(() => undefined)));
      continue;
    }
    const results = scoreSuite(prepared, { outputsOf: (at) => outputs[at] ?? [], now: () => 0 });
    all.push(...results.map((some, at) => some.map((result) => ended(result, compiled[at] ?? null))));
  }
  return all;
}

function ended(result: CaseResult, compiled: CompiledScorer | null): ProbedResult {
  const { error } = result.scorer_output;
  const isCutShort = error === RUN_TIMEOUT.code || error === compiled?.guard?.timeout.code;
  return result.errored && isCutShort ? undefined : result;
}

/** Which of some figures is the least above all of them, of so many parts of 1. Undefined above 1. */
export function leastAbove(isReached: (share: number) => boolean, parts: number): number | undefined {
  for (let part = 0; part <= parts; part++) if (!isReached(part / parts)) return part / parts;
  return undefined;
}

import { scoreSuite } from '../engine/score.ts';
import { planOf, prepareSuite } from '../engine/suite.ts';
import type { CompiledScorer } from '../kit/definition.ts';
import { RUN_TIMEOUT } from '../kit/errors.ts';
import { processorMs } from '../kit/guard.ts';
import type { CaseResult, SentOutput, SharedTime, SuiteCase } from '../kit/types.ts';

/** Most outputs fail early. As many cases as the budget of one run is for are the most of a pass. */
const PASS_CASES_MIN = 100;
const PASS_CASES_MAX = 1_000;

/** Of the fixed answers, and of slips: some 14 s of a function of 512 MB together, which has a push to apply, too. */
const PROBE_MS_MAX = 2_000;

export const openProbe = (): SharedTime => ({ startMs: processorMs(), mostMs: PROBE_MS_MAX });

/** Undefined where time ended the score, or the output was not put to the case: of such an output nothing is known. */
export type ProbedResult = CaseResult | undefined;

/** The outputs of a case, undefined for one that is left out. `compiled` is null where no scorer scores the case. */
export type OutputsOf<Case> = (
  evalCase: Case,
  compiled: CompiledScorer | null,
  index: number,
) => readonly (SentOutput | undefined)[];

/** The results of each case, one an output. `onPass` is called with all results so far. */
export async function scoreInPasses<Case extends SuiteCase>(
  cases: readonly Case[],
  outputsOf: OutputsOf<Case>,
  sharedTime: SharedTime,
  onPass: (results: readonly (readonly ProbedResult[])[]) => void = () => {},
): Promise<ProbedResult[][]> {
  const all: ProbedResult[][] = [];
  for (let size = PASS_CASES_MIN; all.length < cases.length; size = Math.min(size * 2, PASS_CASES_MAX)) {
    const pass = cases.slice(all.length, all.length + size);
    const prepared = await prepareSuite({ passThreshold: 1, cases: pass });
    const { jobs, cases: planned } = planOf(prepared);
    const isLate = processorMs() - sharedTime.startMs > sharedTime.mostMs;
    const probes = pass.map((evalCase, index) => {
      const compiled = jobs[planned[index]?.job ?? -1]?.compiled ?? null;
      const outputs = outputsOf(evalCase, compiled, all.length + index);
      return { compiled, outputs, sent: isLate ? [] : outputs.filter((one) => one !== undefined) };
    });
    const results = scoreSuite(prepared, {
      outputsOf: (index) => probes[index]?.sent ?? [],
      now: () => 0,
      sharedTime,
    });
    for (const [index, { compiled, outputs }] of probes.entries()) {
      const scored = (results[index] ?? []).values();
      all.push(outputs.map((one) => (one === undefined ? undefined : ended(scored.next().value, compiled))));
    }
    onPass(all);
  }
  return all;
}

function ended(result: ProbedResult, compiled: CompiledScorer | null): ProbedResult {
  const error = result?.scorer_output.error;
  const isCutShort = error === RUN_TIMEOUT.code || error === compiled?.guard?.timeout.code;
  return result?.errored && isCutShort ? undefined : result;
}

/** Which of some figures is the least above all of them, of so many parts of 1. Undefined above 1. */
export function leastAbove(isReached: (share: number) => boolean, parts: number): number | undefined {
  for (let part = 0; part <= parts; part++) if (!isReached(part / parts)) return part / parts;
  return undefined;
}

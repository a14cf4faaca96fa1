import { isJudged } from '../../../scoring/engine/engine.ts';
import type { CachedSuite } from '../cachedSuite.ts';
import { inCaseOrder, type PlacedOutput, placed } from './blocks.ts';
import { refuseSingleOutputFor } from './matching.ts';
import { samplesOf } from './sampledCases.ts';
import type { Submission } from './submission.ts';

export interface Fitted {
  /** In the order of their cases. */
  readonly outputs: readonly PlacedOutput[] | undefined;
  /** How many of what was sent a model judges; where the cases are not known here, how many it may be at most. */
  readonly judgedCases: number;
}

/** Throws 400 where what was sent does not fit the cases, as far as they are known here. */
export function fitting(
  { loaded, extraOutputs, judgedCases }: CachedSuite,
  request: Submission,
  createdAtMs: number,
): Fitted {
  const { outputs } = request;
  if (loaded === undefined) {
    if (outputs === undefined) refuseSingleOutputFor(extraOutputs);
    return { outputs: outputs && placed(outputs), judgedCases };
  }
  const { samples } = samplesOf(loaded.cases, request, createdAtMs);
  const judged = samples.filter((_, index) => isJudged(loaded.cases[index]?.scorer ?? null));
  return { outputs: outputs && inCaseOrder(outputs, loaded.cases), judgedCases: judged.flat().length };
}

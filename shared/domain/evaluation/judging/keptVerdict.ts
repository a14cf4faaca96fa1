import { caseResult } from '../../../scoring/engine/engine.ts';
import type { CaseResult } from '../../../scoring/kit/types.ts';
import type { PlannedCase } from '../../suites/chains/plannedCase.ts';
import { timestamp } from '../../time.ts';
import type { KeptVerdict } from '../ports.ts';
import type { TokenUsage } from './ports.ts';

export const usageOf = ({ output }: KeptVerdict): TokenUsage => output.usage as TokenUsage;

/** In the run that got the verdict. Whether the case passes is decided anew. */
export const ownResult = (planned: PlannedCase, kept: KeptVerdict): CaseResult =>
  resultBy(planned, kept, kept.durationMs);

/** In a later run, which took no time for it. */
export const rememberedResult = (planned: PlannedCase, kept: KeptVerdict): CaseResult =>
  resultBy(planned, { ...kept, output: { ...kept.output, remembered_at: timestamp(kept.keptAtMs) } }, 0);

function resultBy(
  planned: PlannedCase,
  { score, reason, output }: KeptVerdict,
  durationMs: number,
): CaseResult {
  const { precision, recall } = output;
  const isDualSided = typeof precision === 'number' && typeof recall === 'number';
  const sides = isDualSided && { precisionRecall: { precision, recall } };
  return caseResult(planned, { score, reason, output, errored: false, ...sides }, durationMs);
}

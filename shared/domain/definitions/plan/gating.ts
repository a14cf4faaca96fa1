import { neededOf } from '../../../scoring/engine/samples.ts';
import type { CaseFields } from './types.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** From when on the case counts in the gates; 0 where it does already. */
function gatesFrom({ is_active, advisory }: CaseFields, nowMs: number): number {
  if (!is_active) return NEVER;
  const endMs = advisory === null ? 0 : Date.parse(advisory.expires_at);
  return endMs > nowMs ? endMs : 0;
}

/** A case before and after, at most one of them undefined. */
export interface Pair {
  readonly key: string;
  readonly before: CaseFields | undefined;
  readonly after: CaseFields | undefined;
}

/** From when on a case counts, where it is there. */
export const spanOf = ({ before, after }: Pair, nowMs: number) => ({
  before: before === undefined ? NEVER : gatesFrom(before, nowMs),
  after: after === undefined ? NEVER : gatesFrom(after, nowMs),
});

/** How many of its outputs may fail. */
export const maySpare = ({
  sample_count: sampleCount,
  sample_pass_rate: samplePassRate,
}: CaseFields): number => sampleCount - neededOf({ sampleCount, samplePassRate });

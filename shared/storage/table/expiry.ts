import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import { DAY_MS, timestamp } from '../../domain/time.ts';
import { seconds } from './documents.ts';
import { TTL } from './keys.ts';

/** By then every pending run has ended. Its working items expire. */
const WORKING_DAYS = 3;

export const workingTtl = (startedAtMs: number) => ({
  [TTL]: seconds(timestamp(startedAtMs + WORKING_DAYS * DAY_MS)),
});

export const workingTtlOf = ({ run }: Evaluation) => workingTtl(Date.parse(run.created_at));

/** A run must still exist when an upgrade's extension reaches it, even if the service was off for a week. */
const MARGIN_DAYS = 14;

/** When a run and its results are dropped: after the plan's retention, which hides them to the millisecond. */
export const retainedTtl = (createdAt: string, retentionDays: number) => ({
  [TTL]: seconds(createdAt) + ((retentionDays + MARGIN_DAYS) * DAY_MS) / 1_000,
});

import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import { DAY_MS, timestamp } from '../../domain/time.ts';
import { seconds } from './documents.ts';
import { TTL } from './keys.ts';

/** By then a run under way must have ended; its working items go. */
const WORKING_DAYS = 3;

export const workingTtl = (startedAtMs: number) => ({
  [TTL]: seconds(timestamp(startedAtMs + WORKING_DAYS * DAY_MS)),
});

export const workingTtlOf = ({ run }: Evaluation) => workingTtl(Date.parse(run.created_at));

/** A run that is to be extended after an upgrade must still be there when that is done, also by a service that was off for a week. */
const MARGIN_DAYS = 14;

/** When a run and its results are dropped: after the plan's retention, which hides them to the millisecond. */
export const retainedTtl = (createdAt: string, retentionDays: number) => ({
  [TTL]: seconds(createdAt) + ((retentionDays + MARGIN_DAYS) * DAY_MS) / 1_000,
});

/** How much longer than the run at hand a dictionary is kept, so that it is renewed once in so many days. */
const RENEWED_AFTER_DAYS = 30;

/** When a dictionary expires that results need until then, in seconds since 1970. */
export const dictionaryExpiry = (until: number): number => until + (RENEWED_AFTER_DAYS * DAY_MS) / 1_000;

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

/** A packed suite is kept so much longer than its newest run, so that it is prolonged only once in so many days. */
const PACK_RENEWED_AFTER_DAYS = 4;

/** When a packed suite expires that working items need until `until`; in seconds since 1970. */
export const packExpiry = (until: number): number => until + (PACK_RENEWED_AFTER_DAYS * DAY_MS) / 1_000;

/** A run must still exist when an upgrade's extension reaches it, even if the service was off for a week. */
const MARGIN_DAYS = 14;

/** When a run and its results are dropped: after the plan's retention, which hides them to the millisecond. */
export const retainedTtl = (createdAt: string, retentionDays: number) => ({
  [TTL]: seconds(createdAt) + ((retentionDays + MARGIN_DAYS) * DAY_MS) / 1_000,
});

/** A dictionary is kept so much longer than its newest run, so that it is prolonged only once in so many days. */
const RENEWED_AFTER_DAYS = 30;

/** When a dictionary expires that results need until `until`; in seconds since 1970. */
export const dictionaryExpiry = (until: number): number => until + (RENEWED_AFTER_DAYS * DAY_MS) / 1_000;

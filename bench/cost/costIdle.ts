import { FUNCTION_MEMORY_MB } from '../../infra/functionSizes.ts';
import { PENDING_SHARDS, SUBSCRIBER_SHARDS } from '../../shared/storage/table/keys.ts';
import type { Row } from '../result.ts';
import { countDuring, unitsOf } from './costCounts.ts';
import type { MeteredService } from './meteredService.ts';
import { PRICES } from './prices.ts';

const MINUTES_A_MONTH = 30 * 24 * 60;
const EVERY_MINUTES = { sweep: 1, resumeRetention: 1, purge: 60, reportOverage: 60 } as const;
/** A schedule invokes these once for each shard; the bench, as a laptop, once for all. */
const SHARDS = {
  sweep: PENDING_SHARDS,
  resumeRetention: 1,
  purge: 1,
  reportOverage: SUBSCRIBER_SHARDS,
} as const;
const LEAST_SECONDS = 0.1;
/** Lambda's own three lines of an invocation: its start, end and report. */
export const PLATFORM_LOG_BYTES = 300;

/** Lambda keeps five concurrent long polls of 20 s on each queue, even an empty one. */
const QUEUES = 2;
const POLLS_A_MINUTE = 5 * 3;

/** One for BYOK keys, and the rotating pairs of token and statement keys. */
const KMS_KEYS = 5;

/** Monthly cost of an idle deployment, without alarms, firewall and stored data. */
export async function idleRows(metered: MeteredService): Promise<Row[]> {
  let [readUnits, writeUnits, invocations, logBytes] = [0, 0, 0, 0];
  for (const [name, minutes] of Object.entries(EVERY_MINUTES)) {
    const counts = await countDuring(metered, metered.scheduled[name as keyof typeof EVERY_MINUTES]);
    const times = MINUTES_A_MONTH / minutes;
    readUnits += times * unitsOf(counts, 'read');
    writeUnits += times * unitsOf(counts, 'write');
    const shards = SHARDS[name as keyof typeof SHARDS];
    invocations += times * shards;
    logBytes += times * shards * (counts.logBytes + PLATFORM_LOG_BYTES);
  }
  const polls = QUEUES * POLLS_A_MINUTE * MINUTES_A_MONTH;
  const gbSeconds = (invocations * LEAST_SECONDS * FUNCTION_MEMORY_MB.scheduled) / 1_024;
  const dollars =
    readUnits * PRICES.dynamodbReadUnit +
    writeUnits * PRICES.dynamodbWriteUnit +
    invocations * PRICES.lambdaInvocation +
    gbSeconds * PRICES.lambdaGbSecond +
    logBytes * PRICES.logByte +
    polls * PRICES.sqsRequest +
    KMS_KEYS * PRICES.kmsKeyMonth;
  const row = (what: string, value: number, unit = 'a month'): Row => ({
    metric: `idle deployment: ${what}`,
    value,
    unit,
  });
  return [
    row('read units', readUnits),
    row('write units', writeUnits),
    row('invocations of schedules', invocations),
    row('polls of empty queues', polls),
    { ...row('total', dollars, '$ a month'), bound: { atMost: 15 } },
  ];
}

import { setTimeout as delay } from 'node:timers/promises';
import type { SQSRecord } from 'aws-lambda';
import type { QueueReader } from '../../../shared/queue/queueReader.ts';
import { EVALUATOR_BATCH_SIZE } from '../../../shared/queue/settings.ts';
import { describeError } from '../../../shared/runtime/log.ts';
import { logLine } from '../log.ts';

export interface EventSource {
  /** Receives no more messages; settles when all received ones are handled. */
  stop(): Promise<void>;
}

export interface EventSourceOptions {
  readonly reader: QueueReader;
  /** Returns the records that failed; a throwing handler fails them all. */
  readonly invoke: (records: readonly SQSRecord[]) => Promise<readonly SQSRecord[]>;
  /** Failed messages are delivered again after this, plus a few random seconds. */
  readonly retryDelaySeconds?: number;
  readonly batchSize?: number;
  readonly messagesInFlightMax?: number;
}

const RETRY_DELAY_SECONDS = 30;
const RETRY_JITTER = 0.2;
const MESSAGES_IN_FLIGHT_MAX = 40;
const UNREACHABLE_PAUSE_MS = 1_000;

/**
 * Hands a queue's messages to a function like Lambda: several batches at once; handled messages are deleted, failed
 * ones delivered again. They return sooner than on AWS, where the visibility timeout of 90 minutes must end.
 */
export function startEventSource(options: EventSourceOptions): EventSource {
  const { reader, messagesInFlightMax = MESSAGES_IN_FLIGHT_MAX } = options;
  const { batchSize = EVALUATOR_BATCH_SIZE } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const batches = new Set<Promise<void>>();
  let inFlight = 0;

  function deliver(records: readonly SQSRecord[]): void {
    inFlight += records.length;
    const batch = handle(options, records).finally(() => {
      inFlight -= records.length;
      batches.delete(batch);
    });
    batches.add(batch);
  }

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      const room = Math.min(batchSize, messagesInFlightMax - inFlight);
      if (room <= 0) await Promise.race(batches);
      else deliver(await receive(reader, room, signal));
    }
  }

  const polled = poll();
  return {
    async stop() {
      stopping.abort();
      await polled;
      await Promise.all(batches);
    },
  };
}

/** Empty when no message came in time, or the queue is unreachable. */
async function receive(reader: QueueReader, max: number, signal: AbortSignal): Promise<readonly SQSRecord[]> {
  try {
    return await reader.receive(max, signal);
  } catch (error) {
    if (signal.aborted) return [];
    logLine('warn', 'queue_unreachable', describeError(error));
    await delay(UNREACHABLE_PAUSE_MS, undefined, { signal }).catch(() => {});
    return [];
  }
}

/** A message that could not be deleted comes back, which does no harm. */
async function handle(options: EventSourceOptions, records: readonly SQSRecord[]): Promise<void> {
  if (records.length === 0) return;
  const { reader, invoke, retryDelaySeconds = RETRY_DELAY_SECONDS } = options;
  const failed = new Set(await invoke(records));
  const jitteredSeconds = Math.round(retryDelaySeconds * (1 + Math.random() * RETRY_JITTER));
  const outcomes = await Promise.allSettled([
    reader.delete(records.filter((record) => !failed.has(record))),
    reader.putBack([...failed], jitteredSeconds),
  ]);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') logLine('warn', 'queue_unreachable', describeError(outcome.reason));
  }
}

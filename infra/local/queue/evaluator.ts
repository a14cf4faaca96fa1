import { setTimeout as delay } from 'node:timers/promises';
import type { QueueHandler } from '../../../shared/queue/consumer.ts';
import type { Queue } from '../../../shared/queue/ensureQueues.ts';
import { describeError } from '../../../shared/runtime/log.ts';
import { loadFunction } from '../http/functions.ts';
import { logLine } from '../log.ts';
import type { LocalQueues } from './connect.ts';
import { type EventSource, startEventSource } from './eventSource.ts';
import { invokeWithBatch } from './invoke.ts';
import { type SweepHandler, startSweeper } from './sweeper.ts';

export interface Evaluator {
  /** Receives nothing more and waits for what is being handled, but not for ever. */
  stop(): Promise<void>;
}

export interface EvaluatorOptions {
  /** No other process evaluates: the queue is this one's, and so is the table. */
  readonly isAlone: boolean;
}

const STOP_DEADLINE_MS = 5_000;

/** The functions behind the queues, and those that run at intervals. */
export async function startEvaluator(
  { endpoint, runs, deadLetters }: LocalQueues,
  { isAlone }: EvaluatorOptions,
): Promise<Evaluator> {
  const { queueReader } = await import('../../../shared/queue/queueReader.ts');
  // Who held anything was killed, perhaps by what it held.
  if (isAlone) await freeClaims({ countsAsTry: true });
  const consume = (queue: Queue, functionId: string): EventSource => {
    // Loaded with its first message: the model providers' SDKs would hold up the start.
    const load = () => loadFunction<QueueHandler>(functionId);
    return startEventSource({
      reader: queueReader({ ...queue, endpoint }),
      invoke: (records) => invokeWithBatch(functionId, load, records),
    });
  };
  const sweep = await loadFunction<SweepHandler>('evaluator/sweep');
  const resumeRetention = await loadFunction<SweepHandler>('evaluator/resumeRetention');
  const purge = await loadFunction<SweepHandler>('evaluator/purge');
  const parts = [
    consume(runs, 'evaluator/evaluate'),
    consume(deadLetters, 'evaluator/deadLetters'),
    startSweeper(sweep),
    startSweeper(resumeRetention),
    startSweeper(purge),
  ];
  return {
    async stop() {
      await inTime(Promise.all(parts.map((part) => part.stop())));
      // What is left ends with this process. Where the table is out of reach, the next start frees it.
      const freed = isAlone ? freeClaims({ countsAsTry: false }) : undefined;
      await inTime(freed?.catch((error) => logLine('warn', 'stop_failed', describeError(error))));
    },
  };
}

async function inTime(work: Promise<unknown> | undefined): Promise<void> {
  const deadline = new AbortController();
  const late = delay(STOP_DEADLINE_MS, undefined, { signal: deadline.signal }).catch(() => {});
  await Promise.race([work, late]);
  deadline.abort();
}

async function freeClaims(how: { readonly countsAsTry: boolean }): Promise<void> {
  const [{ runtimeFromEnv }, { freeLeftClaims }] = await Promise.all([
    import('../../../shared/runtime/runtime.ts'),
    import('../../../shared/storage/evaluation/releaseClaims.ts'),
  ]);
  const { table, now } = runtimeFromEnv();
  await freeLeftClaims(table, now, how);
}

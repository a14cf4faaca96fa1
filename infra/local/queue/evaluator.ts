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
  /** Receives no more messages and waits a limited time for those being handled. */
  stop(): Promise<void>;
}

export interface EvaluatorOptions {
  /** True when no other process uses the queue and the table. */
  readonly isAlone: boolean;
}

const STOP_DEADLINE_MS = 5_000;

export async function startEvaluator(
  { endpoint, runs, deadLetters }: LocalQueues,
  { isAlone }: EvaluatorOptions,
): Promise<Evaluator> {
  const { queueReader } = await import('../../../shared/queue/queueReader.ts');
  // Claims left by a killed process are released; they count as tries, since a claim may have caused the death.
  if (isAlone) await freeClaims({ countsAsTry: true });
  const consume = (queue: Queue, functionId: string): EventSource => {
    // Loaded with the first message: the model providers' SDKs would delay the start.
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
      // Claims left now end with this process. If the table is unreachable, the next start releases them.
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

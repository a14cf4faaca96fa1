import { setTimeout as delay } from 'node:timers/promises';
import { handler as evaluate } from '../../functions/evaluator/evaluate.ts';
import { handler as sweep } from '../../functions/evaluator/sweep.ts';
import type { CountedQueue, WorkMessage } from '../../shared/domain/messages.ts';
import type { QueueHandler } from '../../shared/queue/consumer.ts';
import { api } from './api.ts';
import { invokeByHand } from './evaluatorByHand.ts';
import { type OwnService, serveOn, startOwnTable } from './ownService.ts';
import { type Providers, startProviders } from './providers.ts';
import type { Stage } from './stage.ts';

type Environment = Readonly<Record<string, string>>;

export interface OwnStage extends Stage {
  readonly queue: WorkingQueue;
  /** Sends a message for every pending run, as the first sweep after a start does. */
  sweep(): Promise<void>;
  /** New functions with other settings, on the same table. */
  reload(env: Environment): Promise<void>;
}

const AGAIN_MS = 1_000;
const STOP_MS = 2_000;

/** Hands each message to the evaluator in this process; a message that failed comes back. */
class WorkingQueue implements CountedQueue {
  /** It takes no messages. */
  isDown = false;
  readonly #evaluator: () => QueueHandler;
  readonly #stopping = new AbortController();
  readonly #working = new Set<Promise<void>>();

  constructor(evaluator: () => QueueHandler) {
    this.#evaluator = evaluator;
  }

  async send(messages: readonly WorkMessage[], delaySeconds = 0): Promise<void> {
    if (this.isDown) throw new Error('The queue is down');
    for (const message of messages) {
      const work = this.#deliver(message, delaySeconds * 1_000).finally(() => this.#working.delete(work));
      this.#working.add(work);
    }
  }

  isEmpty = async (): Promise<boolean> => true;

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([Promise.all(this.#working), delay(STOP_MS, undefined, { ref: false })]);
  }

  async #deliver(message: WorkMessage, afterMs: number): Promise<void> {
    const { signal } = this.#stopping;
    for (let waitMs = afterMs; !signal.aborted; waitMs = AGAIN_MS) {
      await delay(waitMs, undefined, { signal }).catch(() => {});
      if (signal.aborted || (await invokeByHand(this.#evaluator(), message))) return;
    }
  }
}

/**
 * The service with its queue and evaluator in this process, on a table in memory, in front of stand-ins for the model
 * providers: for all that is no guarantee of a start, a death or an engine. Some settings name an address of the stand-ins.
 */
export async function startOwnStage(
  settings: Environment | ((providers: Providers) => Environment) = {},
): Promise<OwnStage> {
  const providers = await startProviders();
  Object.assign(process.env, providers.env, typeof settings === 'function' ? settings(providers) : settings);
  const own = await startOwnTable();
  let evaluator: QueueHandler | undefined;
  const queue = new WorkingQueue(() => {
    evaluator ??= evaluate.withRuntime(service.runtime, { queue });
    return evaluator;
  });
  const start = (): Promise<OwnService> => serveOn(own, { dependencies: { queue } });
  let service = await start();
  return {
    providers,
    queue,
    table: own.table,
    get service() {
      return service;
    },
    as: (key) => (method, route, body, headers) => api(service.baseUrl, key)(method, route, body, headers),
    sweep: async () =>
      void (await sweep.withRuntime(service.runtime, { queue })({ detail: { remindAfterMs: 0 } })),
    async reload(env) {
      Object.assign(process.env, env);
      await service.stop();
      evaluator = undefined;
      service = await start();
    },
    async stop() {
      await service.stop();
      await providers.stop();
      await queue.stop();
      await own.stop();
    },
  };
}

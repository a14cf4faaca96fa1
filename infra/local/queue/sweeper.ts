import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '../../../shared/runtime/log.ts';
import { logLine } from '../log.ts';

interface SweepEvent {
  readonly id: string;
  readonly 'detail-type': 'Scheduled Event';
  readonly source: 'aws.events';
  readonly time: string;
  readonly detail: { readonly remindAfterMs?: number };
}

export type SweepHandler = (event: SweepEvent) => Promise<unknown>;

export interface Sweeper {
  stop(): Promise<void>;
}

const INTERVAL_MS = 60_000;

/** Sweeps at once and then every minute. The first successful sweep sends a message for every pending run. */
export function startSweeper(sweep: SweepHandler, intervalMs = INTERVAL_MS): Sweeper {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function keepSweeping(): Promise<void> {
    let isFirst = true;
    while (!signal.aborted) {
      try {
        await sweep(eventOf(isFirst ? { remindAfterMs: 0 } : {}));
        isFirst = false;
      } catch (error) {
        logLine('error', 'sweep_failed', describeError(error));
      }
      await delay(intervalMs, undefined, { signal }).catch(() => {});
    }
  }

  const swept = keepSweeping();
  return {
    async stop() {
      stopping.abort();
      await swept;
    },
  };
}

function eventOf(detail: SweepEvent['detail']): SweepEvent {
  return {
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    time: new Date().toISOString(),
    detail,
  };
}

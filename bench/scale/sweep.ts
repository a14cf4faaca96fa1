import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sweepPendingRuns } from '../../shared/domain/evaluation/sweeping/sweep.ts';
import type { Row, Size } from '../result.ts';
import type { Model } from './model.ts';
import { Backlog } from './sweptBacklog.ts';

const MINUTE_MS = 60_000;
const RUNS = { full: 1_000_000, smallest: 1_000 } as const;
/** The function has 256 MB; a heap of 160 MB was the end of a sweeper that held all runs. */
const HEAP_MB_MAX = 64;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Live heap at the moments when the sweeper holds a page, beyond that of the beginning. */
class Heap {
  readonly #startBytes: number;
  #mostBytes = 0;
  #looks = 0;
  readonly #every: number;

  constructor(runs: number) {
    collectGarbage();
    this.#startBytes = process.memoryUsage().heapUsed;
    this.#every = Math.max(50, runs / 250);
  }

  look = (): void => {
    if (this.#looks++ % this.#every !== 0) return;
    collectGarbage();
    this.#mostBytes = Math.max(this.#mostBytes, process.memoryUsage().heapUsed - this.#startBytes);
  };

  get megabytes(): number {
    return this.#mostBytes / 1_024 / 1_024;
  }
}

interface Sweeps {
  readonly everyMinutes: number;
  readonly minutes: number;
  readonly isOver: () => boolean;
}

/** One invocation a shard, each with the time that its reads would take. Answers the minutes until it was over. */
async function sweepFor(backlog: Backlog, { everyMinutes, minutes, isOver }: Sweeps): Promise<number> {
  for (let minute = 0; minute < minutes; minute += everyMinutes) {
    if (isOver()) return minute;
    for (const shard of backlog.shards) {
      backlog.beginAt(minute * MINUTE_MS);
      await sweepPendingRuns(backlog.deps, [shard]);
    }
  }
  return minutes;
}

/** No evaluator works for three hours; then the queue is delivered. The messages of some runs were lost. */
async function longQueue(size: Size): Promise<Row[]> {
  const runs = RUNS[size];
  const heap = new Heap(runs);
  const backlog = new Backlog({
    runs,
    acceptedInMs: 60 * MINUTE_MS,
    lostEvery: runs / 100,
    deliveredFromMs: 180 * MINUTE_MS,
    deliveredPerSecond: runs / 3_600,
    onPage: heap.look,
  });
  await sweepFor(backlog, { everyMinutes: 10, minutes: 9 * 60, isOver: () => backlog.pending === 0 });
  const metric = (what: string) => `${runs.toLocaleString('en-US')} runs wait for hours: ${what}`;
  const none = { atMost: 0 };
  return [
    {
      metric: metric('given up although they waited'),
      value: backlog.endedInVain,
      unit: 'runs',
      bound: none,
    },
    {
      metric: metric('lost ones, given up'),
      value: backlog.endedLost,
      unit: 'runs',
      bound: { atLeast: 100 },
    },
    { metric: metric('left pending'), value: backlog.pending, unit: 'runs', bound: none },
    {
      metric: metric('reminders a sweep, most'),
      value: backlog.remindersMost,
      unit: 'reminders',
      bound: { atMost: 400 },
    },
    {
      metric: metric('time of a sweep of a shard, most'),
      value: backlog.longestMs / 1_000,
      unit: 's',
      bound: { atMost: 60 },
    },
    {
      metric: metric("the sweeper's heap, most"),
      value: heap.megabytes,
      unit: 'MB',
      bound: { atMost: HEAP_MB_MAX },
    },
  ];
}

/** The queue lost everything and is empty: each run has to be asked for. */
async function lostQueue(size: Size): Promise<Row[]> {
  const runs = RUNS[size];
  const heap = new Heap(runs);
  const backlog = new Backlog({
    runs,
    acceptedInMs: 60 * MINUTE_MS,
    lostEvery: 1,
    deliveredFromMs: 0,
    deliveredPerSecond: Number.POSITIVE_INFINITY,
    onPage: heap.look,
  });
  const minutes = await sweepFor(backlog, {
    everyMinutes: 1,
    minutes: 180,
    isOver: () => backlog.asked >= runs,
  });
  const metric = (what: string) => `${runs.toLocaleString('en-US')} runs, their messages lost: ${what}`;
  return [
    { metric: metric('minutes until each was asked for'), value: minutes, unit: 'minutes' },
    {
      metric: metric("the sweeper's heap, most"),
      value: heap.megabytes,
      unit: 'MB',
      bound: { atMost: HEAP_MB_MAX },
    },
  ];
}

/** The real sweeper over a list of pending runs, with the time that reads take in a function of 256 MB. */
export const modelSweep: Model = async (size) => [...(await longQueue(size)), ...(await lostQueue(size))];

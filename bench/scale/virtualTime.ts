import { Simulation } from '../../test/faults/simulation.ts';

/**
 * Plays the work in virtual time until it has ended. The work waits by `sim.sleep` and what is made of it, and draws
 * from `sim.random`: the same name and seed give the same figures. Throws the work's error, or one that says that all
 * of it waits for nothing.
 */
export async function inVirtualTime<T>(
  name: string,
  seed: number,
  work: (sim: Simulation) => Promise<T>,
): Promise<T> {
  const sim = new Simulation(name, seed);
  let ended = false;
  const outcome = work(sim).finally(() => {
    ended = true;
  });
  // It is awaited below, maybe long after it failed.
  outcome.catch(() => {});
  if (await sim.until(() => ended, Number.POSITIVE_INFINITY)) return outcome;
  throw new Error(`The model ${name} stands still: ${sim.lastEvents()}`);
}

interface Arrivals {
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * Calls `arrive` at moments of a Poisson process for this many virtual seconds, without waiting for the calls. Answers
 * the results of all calls in their order, once the last one has ended. `arrive` is given its number, from 0.
 */
export async function poisson<T>(
  sim: Simulation,
  { perSecond, seconds }: Arrivals,
  arrive: (index: number) => Promise<T>,
): Promise<T[]> {
  const calls: Promise<T>[] = [];
  const endMs = 1_000 * seconds;
  // Moments between milliseconds are kept, so that rounding does not change the rate.
  const fromMs = sim.elapsedMs;
  const gapMs = () => (-1_000 / perSecond) * Math.log(1 - sim.random.next());
  for (let atMs = gapMs(); atMs < endMs; atMs += gapMs()) {
    await sim.sleep(fromMs + atMs - sim.elapsedMs);
    const call = arrive(calls.length);
    call.catch(() => {});
    calls.push(call);
  }
  return Promise.all(calls);
}

/** Counts what is under way at once: functions, evaluators, slots in use. */
export class Gauge {
  readonly #sim: Simulation;
  readonly #startMs: number;
  #now = 0;
  #most = 0;
  #sinceMs: number;
  #sum = 0;

  constructor(sim: Simulation) {
    this.#sim = sim;
    this.#startMs = sim.now();
    this.#sinceMs = this.#startMs;
  }

  get now(): number {
    return this.#now;
  }

  get most(): number {
    return this.#most;
  }

  /** Over the time since the gauge was made. */
  get mean(): number {
    this.add(0);
    return this.#sum / Math.max(1, this.#sinceMs - this.#startMs);
  }

  add(change: number): void {
    const nowMs = this.#sim.now();
    this.#sum += this.#now * (nowMs - this.#sinceMs);
    this.#sinceMs = nowMs;
    this.#now += change;
    this.#most = Math.max(this.#most, this.#now);
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.add(1);
    try {
      return await work();
    } finally {
      this.add(-1);
    }
  }
}

/** The nearest rank: `part` 0.99 is the value that 99 % do not exceed. NaN without values. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

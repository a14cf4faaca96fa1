import type { Simulation } from './simulation.ts';

/** Probabilities of one operation, and of one invocation to be killed at one of its awaits. */
export interface Faults {
  readonly throttled: number;
  readonly conflict: number;
  /** Done, and answered with an error. */
  readonly ambiguous: number;
  /** Done twice, as when the SDK repeats what was done, answered with what the second attempt met. */
  readonly repeated: number;
  readonly slow: number;
  readonly kill: number;
  readonly queue: number;
}

export const NO_FAULTS: Faults = {
  throttled: 0,
  conflict: 0,
  ambiguous: 0,
  repeated: 0,
  slow: 0,
  kill: 0,
  queue: 0,
};

/** What the harness made fail; any other failure of an operation is the code's own. */
export class InjectedFault extends Error {
  constructor(what: string) {
    super(`injected: ${what}`);
    this.name = 'InjectedFault';
  }
}

const NEVER: Promise<never> = new Promise(() => {});
const KILL_AWAITS_MAX = 120;
const SKEW_MS_MAX = 2_000;

/**
 * One instance of a function, as Lambda keeps it: what it holds in memory lives from invocation to invocation and
 * dies with it. All that it does to the world goes through `effect`, which nothing passes once it is dead.
 */
export class Process {
  readonly name: string;
  readonly #sim: Simulation;
  readonly #faults: () => Faults;
  readonly #skewMs: number;
  #deaths: (() => void)[] = [];
  #awaitsLeft = Number.POSITIVE_INFINITY;
  #dead = false;
  #invocations = 0;
  #awaited = 0;

  constructor(sim: Simulation, name: string, faults: () => Faults) {
    this.#sim = sim;
    this.name = name;
    this.#faults = faults;
    this.#skewMs = sim.random.int(-SKEW_MS_MAX, SKEW_MS_MAX);
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** It works on something and waits for nothing: that never ends. */
  get hangs(): boolean {
    return !this.#dead && this.#invocations > 0 && this.#awaited === 0;
  }

  /** Clocks of two instances differ. */
  now = (): number => this.#sim.now() + this.#skewMs;

  sleep = (ms: number): Promise<void> => this.effect('sleep', async () => {}, { beforeMs: ms, afterMs: 0 });

  /** Draws whether and where this invocation dies. */
  begin(onDeath: () => void): void {
    this.#invocations++;
    this.#deaths.push(onDeath);
    const { random } = this.#sim;
    if (random.chance(this.#faults().kill)) {
      this.#awaitsLeft = Math.ceil(KILL_AWAITS_MAX ** random.next());
    }
  }

  end(): void {
    this.#invocations--;
    if (this.#invocations > 0) return;
    this.#deaths = [];
    this.#awaitsLeft = Number.POSITIVE_INFINITY;
  }

  kill(why: string): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#sim.note(`${this.name} dies: ${why}`);
    for (const died of this.#deaths) died();
  }

  /** Does something to the world: it takes its time to get there, and its answer to come back. */
  effect<T>(
    label: string,
    act: () => Promise<T>,
    latency: { beforeMs: number; afterMs: number } = this.#latency(),
  ): Promise<T> {
    if (this.#dead) return NEVER;
    const { random } = this.#sim;
    this.#awaited++;
    return new Promise<T>((resolve, reject) => {
      const answer = (settle: () => void) => {
        if (this.#dead) return;
        this.#awaited--;
        if (--this.#awaitsLeft <= 0) return this.kill(`at the answer of ${label}`);
        settle();
      };
      const arrive = async () => {
        // What a process sent before it died may arrive all the same.
        if (this.#dead && (label === 'sleep' || random.chance(0.5))) return;
        const settle = await act().then(
          (value) => () => resolve(value),
          (error: unknown) => () => reject(error),
        );
        this.#sim.after(latency.afterMs, `${this.name} gets ${label}`, () => answer(settle));
      };
      this.#sim.after(latency.beforeMs, `${this.name} does ${label}`, arrive);
    });
  }

  #latency(): { beforeMs: number; afterMs: number } {
    return { beforeMs: this.#oneWayMs(), afterMs: this.#oneWayMs() };
  }

  #oneWayMs(): number {
    const { random } = this.#sim;
    const { slow } = this.#faults();
    if (random.chance(slow / 10)) return random.int(500, 6_000);
    return random.chance(slow) ? random.int(20, 400) : random.int(1, 4);
  }
}

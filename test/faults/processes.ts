import type { Simulation } from './simulation.ts';

/** Probabilities of one operation, and of one invocation to be killed at one of its awaits. */
export interface Faults {
  readonly throttled: number;
  readonly conflict: number;
  /** Meets another writer's transaction, and is repeated by the table, or by who asked for one try. */
  readonly storm: number;
  /** Carried out, and answered with an error. */
  readonly ambiguous: number;
  /** Carried out twice, like a repetition by the SDK, with the second answer. */
  readonly repeated: number;
  readonly slow: number;
  readonly kill: number;
  readonly queue: number;
  /** The process pauses, like on a sleeping laptop, and continues. */
  readonly freeze: number;
  /** The vault throttles. */
  readonly vault: number;
}

export const NO_FAULTS: Faults = {
  throttled: 0,
  conflict: 0,
  storm: 0,
  ambiguous: 0,
  repeated: 0,
  slow: 0,
  kill: 0,
  queue: 0,
  freeze: 0,
  vault: 0,
};

/** A failure that the harness injected. Any other failure comes from the code under test. */
export class InjectedFault extends Error {
  constructor(what: string) {
    super(`injected: ${what}`);
    this.name = 'InjectedFault';
  }
}

const NEVER: Promise<never> = new Promise(() => {});
const AWAITS_MAX = 120;
const SKEW_MS = 2_000;
const FROZEN_MS = [20_000, 400_000] as const;

/**
 * One instance of a function, as Lambda keeps it: its memory lasts from invocation to invocation and is lost with
 * it. All its effects go through `effect`, which lets none pass once the process is dead.
 */
export class Process {
  readonly name: string;
  readonly #sim: Simulation;
  readonly #faults: () => Faults;
  readonly #skewMs: number;
  #deaths: (() => void)[] = [];
  #busySinceMs = 0;
  #awaitsLeft = Number.POSITIVE_INFINITY;
  #awaitsToFreeze = Number.POSITIVE_INFINITY;
  #frozenUntilMs = Number.NEGATIVE_INFINITY;
  #dead = false;
  #invocations = 0;
  #awaited = 0;

  constructor(sim: Simulation, name: string, faults: () => Faults, skewMs = SKEW_MS) {
    this.#sim = sim;
    this.name = name;
    this.#faults = faults;
    this.#skewMs = sim.random.int(-skewMs, skewMs);
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** Whether an invocation waits for no event and can never end. */
  get hangs(): boolean {
    return !this.#dead && this.#invocations > 0 && this.#awaited === 0;
  }

  /** The earliest possible start of the oldest current invocation. */
  get busySinceMs(): number {
    return this.#busySinceMs;
  }

  /** The instance's clock, which differs from the simulation's. */
  now = (): number => this.#sim.now() + this.#skewMs;

  /** Ends early at the signal. */
  sleep = (ms: number, until?: AbortSignal): Promise<void> => {
    const slept = this.effect('sleep', async () => {}, { beforeMs: ms, afterMs: 0 });
    if (until === undefined) return slept;
    const ended = new Promise<void>((resolve) => {
      if (until.aborted) resolve();
      until.addEventListener('abort', () => resolve(), { once: true });
    });
    return Promise.race([slept, ended]);
  };

  /** Time since the end of the last freeze. */
  get awakeMs(): number {
    return this.#sim.now() - this.#frozenUntilMs;
  }

  /** Draws whether and where this invocation dies or freezes. */
  begin(onDeath: () => void): void {
    if (this.#invocations++ === 0) this.#busySinceMs = this.#sim.now();
    if (this.awakeMs > 0 && this.#invocations === 1) this.#frozenUntilMs = Number.NEGATIVE_INFINITY;
    this.#deaths.push(onDeath);
    const { random } = this.#sim;
    const { kill, freeze } = this.#faults();
    if (random.chance(kill)) this.#awaitsLeft = Math.ceil(AWAITS_MAX ** random.next());
    if (freeze > 0 && random.chance(freeze)) this.#awaitsToFreeze = Math.ceil(AWAITS_MAX ** random.next());
  }

  end(): void {
    this.#invocations--;
    if (this.#invocations > 0) return;
    this.#deaths = [];
    this.#awaitsLeft = Number.POSITIVE_INFINITY;
    this.#awaitsToFreeze = Number.POSITIVE_INFINITY;
  }

  kill(why: string): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#sim.note(`${this.name} dies: ${why}`);
    for (const died of this.#deaths) died();
  }

  /** Carries out an effect after a drawn delay, and answers after another. */
  effect<T>(
    label: string,
    act: () => Promise<T>,
    latency: { beforeMs: number; afterMs: number } = this.#latency(),
  ): Promise<T> {
    if (this.#dead) return NEVER;
    const { random } = this.#sim;
    this.#awaited++;
    return new Promise<T>((resolve, reject) => {
      const answer = (settle: () => void): void => {
        if (this.#dead) return;
        if (--this.#awaitsToFreeze === 0) this.#freeze();
        if (this.awakeMs < 0) {
          this.#sim.after(-this.awakeMs, `${this.name} wakes`, () => answer(settle));
          return;
        }
        this.#awaited--;
        if (--this.#awaitsLeft <= 0) this.kill(`at the answer of ${label}`);
        else settle();
      };
      const arrive = async () => {
        // A request sent before the death may still arrive.
        if (this.#dead && (label === 'sleep' || random.chance(0.5))) return;
        const settle = await act().then(
          (value) => () => resolve(value),
          (error: unknown) => () => reject(error),
        );
        this.#sim.after(latency.afterMs, `${this.name} gets ${label}`, () => answer(settle));
      };
      const beforeMs = Math.max(latency.beforeMs, -this.awakeMs);
      this.#sim.after(beforeMs, `${this.name} does ${label}`, arrive);
    });
  }

  #freeze(): void {
    const { random } = this.#sim;
    this.#frozenUntilMs = this.#sim.now() + random.int(...FROZEN_MS);
    this.#sim.frozen.add(this);
    this.#sim.note(`${this.name} freezes`);
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

import { createHash } from 'node:crypto';
import { Random } from './random.ts';

/** Later than any real clock, whose engine would drop what it takes for expired; near the end of a month. */
const START_MS = Date.parse('2031-01-31T23:45:00.000Z');
const TAIL = 60;
/** Tokens of edits are random, and so are ids of new cases, on which digests of bars depend: no two plays have the same. */
const RANDOM = /\b(?:[0-9a-f]{20}|[0-9a-f]{64})\b/g;

interface Event {
  readonly atMs: number;
  readonly label: string;
  readonly act: () => void | Promise<void>;
}

/** A violated invariant. */
export class Violation extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'Violation';
  }
}

/**
 * Simulated time: a list of events, taken one at a time in the order of their moments, which the seed has drawn.
 * Code under test runs only between two events, until every part of it waits for another one: so the same seed
 * gives the same interleaving, however fast the engine answers.
 */
export class Simulation {
  readonly random: Random;
  readonly #trace = createHash('sha256');
  readonly #tail: string[] = [];
  readonly #startMs: number;
  /** The next one last. Events of one moment are taken in the order in which they were added. */
  readonly #events: Event[] = [];
  #nowMs: number;
  #violation: Violation | undefined;
  /** Processes that were frozen: their data may be old and their writes late. */
  readonly frozen = new Set<object>();
  /** Called after every event. */
  watch: () => void = () => {};

  constructor(name: string, seed: number) {
    this.random = new Random(createHash('sha256').update(`${name} ${seed}`).digest().readUInt32BE(0));
    this.#startMs = START_MS + this.random.int(0, 30 * 60_000);
    this.#nowMs = this.#startMs;
  }

  now = (): number => this.#nowMs;

  get elapsedMs(): number {
    return this.#nowMs - this.#startMs;
  }

  after(delayMs: number, label: string, act: Event['act']): void {
    const atMs = this.#nowMs + Math.max(0, Math.round(delayMs));
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.atMs ?? 0) > atMs) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, { atMs, label, act });
  }

  sleep = (ms: number): Promise<void> => new Promise((resolve) => this.after(ms, 'wake', () => resolve()));

  /** Records the first violation, which ends the simulation at the next step. */
  violated(what: string): void {
    this.#violation ??= new Violation(what);
  }

  note(label: string): void {
    const line = `${this.elapsedMs} ${label.replace(RANDOM, 'token')}`;
    this.#trace.update(line);
    this.#tail.push(line);
    if (this.#tail.length > TAIL) this.#tail.shift();
  }

  /** Plays events until the condition holds. False when the deadline passed or no event was left. */
  async until(done: () => boolean, deadlineMs: number): Promise<boolean> {
    await quiet();
    while (!done()) {
      const event = this.#events.pop();
      if (event === undefined || event.atMs - this.#startMs > deadlineMs) return false;
      this.#nowMs = event.atMs;
      this.note(event.label);
      await event.act();
      await quiet();
      this.watch();
      this.check();
    }
    return true;
  }

  check(): void {
    if (this.#violation !== undefined) throw this.#violation;
  }

  /** Equal for equal sequences of events. */
  fingerprint(): string {
    return this.#trace.copy().digest('hex');
  }

  lastEvents(): string {
    return this.#tail.join('\n');
  }
}

/** Waits until all code under test waits for an event. */
const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

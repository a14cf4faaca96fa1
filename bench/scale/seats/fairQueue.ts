import type { ChunkMessage, WorkMessage, WorkQueue } from '../../../shared/domain/messages.ts';
import type { Simulation } from '../../../test/faults/simulation.ts';

/** From the queue to the first line of our code. */
export const START_MS = 60;
export const SEND_MS = 10;
/** AWS calls its thresholds approximate. */
export const NOISY_SHARE = 0.1;
export const NOISY_IN_FLIGHT = 30;
const RECENT_MS = 60_000;

interface Group {
  readonly visible: ChunkMessage[];
  inFlight: number;
  /** Processing time of the current and the last minute. */
  readonly recent: { sinceMs: number; now: number; before: number };
}

/** Handles a message; the evaluator is busy until it answers. */
export type Handle = (message: ChunkMessage) => Promise<void>;

/**
 * A fair queue and the evaluators that Lambda starts for it, as AWS describes them: a group is noisy that has 30
 * messages in flight and a tenth of all, or a tenth of the processing time; others are delivered before it.
 */
export class FairQueue implements WorkQueue {
  readonly #sim: Simulation;
  readonly #groups = new Map<string, Group>();
  readonly #handle: Handle;
  #free: number;
  #inFlight = 0;
  /** When each message became visible, in order. */
  readonly #visibleAtMs = new WeakMap<ChunkMessage, number>();

  constructor(sim: Simulation, { evaluators, handle }: { evaluators: number; handle: Handle }) {
    this.#sim = sim;
    this.#free = evaluators;
    this.#handle = handle;
  }

  async send(messages: readonly WorkMessage[], delaySeconds = 0): Promise<void> {
    for (const message of messages) {
      if (message.kind !== 'chunk') throw new Error(`The model has no ${message.kind}`);
      this.#sim.after(SEND_MS + 1_000 * delaySeconds, 'visible', () => this.#show(message));
    }
    await this.#sim.sleep(SEND_MS);
  }

  #show(message: ChunkMessage): void {
    this.#visibleAtMs.set(message, this.#sim.now());
    this.#groupOf(message).visible.push(message);
    this.#deliver();
  }

  #groupOf({ org_id }: ChunkMessage): Group {
    const group = this.#groups.get(org_id) ?? {
      ...{ visible: [], inFlight: 0 },
      recent: { sinceMs: this.#sim.now(), now: 0, before: 0 },
    };
    this.#groups.set(org_id, group);
    return group;
  }

  #deliver(): void {
    while (this.#free > 0) {
      const group = this.#next();
      const message = group?.visible.shift();
      if (group === undefined || message === undefined) return;
      this.#free--;
      this.#inFlight++;
      group.inFlight++;
      void this.#invoke(group, message);
    }
  }

  async #invoke(group: Group, message: ChunkMessage): Promise<void> {
    const sinceMs = this.#sim.now();
    await this.#sim.sleep(START_MS);
    await this.#handle(message);
    group.recent.now += this.#sim.now() - sinceMs;
    this.#free++;
    this.#inFlight--;
    group.inFlight--;
    this.#deliver();
  }

  /** The oldest message of a quiet group, else of a noisy one. */
  #next(): Group | undefined {
    const waiting = [...this.#groups.values()].filter(({ visible }) => visible.length > 0);
    if (waiting.length <= 1) return waiting[0];
    const all = [...this.#groups.values()].reduce((sum, group) => sum + this.#recentMs(group), 0);
    const isNoisy = (group: Group): boolean =>
      (group.inFlight >= NOISY_IN_FLIGHT && group.inFlight > NOISY_SHARE * this.#inFlight) ||
      this.#recentMs(group) > NOISY_SHARE * all;
    const quiet = waiting.filter((group) => !isNoisy(group));
    const since = ({ visible: [first] }: Group): number => (first && this.#visibleAtMs.get(first)) ?? 0;
    return (quiet.length > 0 ? quiet : waiting).reduce((oldest, group) =>
      since(group) < since(oldest) ? group : oldest,
    );
  }

  #recentMs({ recent }: Group): number {
    if (this.#sim.now() - recent.sinceMs > RECENT_MS) {
      [recent.before, recent.now] = [recent.now, 0];
      recent.sinceMs = this.#sim.now();
    }
    return recent.now + recent.before;
  }
}

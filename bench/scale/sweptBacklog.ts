import type { Evaluation } from '../../shared/domain/evaluation/evaluation.ts';
import type { EvaluationStore } from '../../shared/domain/evaluation/ports.ts';
import type { SweepDeps } from '../../shared/domain/evaluation/sweeping/sweep.ts';
import { emptyRevision } from '../../shared/domain/revisions/ports.ts';
import type { Revisions } from '../../shared/domain/suites/chains/chains.ts';
import { NO_SUMS } from '../../shared/domain/suites/chains/members.ts';
import { timestamp } from '../../shared/domain/time.ts';

const EMPTY = emptyRevision({ sums: NO_SUMS });
const SHARDS = 8;
const ORGANISATIONS = 10_000;
const START_MS = Date.parse('2031-01-31T00:00:00.000Z');
/** Reckoned for 256 MB, 0.145 of a processor: reading a run and its chunks, a page of the list. */
const COST_MS = { look: 11.5, page: 25, write: 8 } as const;

export interface BacklogSettings {
  readonly runs: number;
  /** All runs were accepted within so long before the beginning, evenly. */
  readonly acceptedInMs: number;
  /** One of so many messages was lost: its run is dead. */
  readonly lostEvery: number;
  /** From this moment the queue delivers in its order, so many messages a second. A run ends when it is delivered. */
  readonly deliveredFromMs: number;
  readonly deliveredPerSecond: number;
  readonly onPage: () => void;
}

/**
 * Pending runs and the queue they wait in, computed from their numbers, so that the heap holds what the sweeper holds.
 * Moments are ms since the beginning.
 */
export class Backlog {
  readonly shards = Array.from({ length: SHARDS }, (_, shard) => shard);
  readonly #settings: BacklogSettings;
  readonly #ended: Uint8Array;
  readonly #reminders: Uint8Array;
  readonly #remindedAtMs: Float64Array;
  readonly #positions = new Map<string, string>();
  #nowMs = 0;
  #begunMs = 0;
  #sweepMs = -1;
  #remindersNow = 0;
  pending: number;
  asked = 0;
  endedInVain = 0;
  endedLost = 0;
  /** Of all shards, while the queue is not empty. */
  remindersMost = 0;
  longestMs = 0;

  constructor(settings: BacklogSettings) {
    this.#settings = settings;
    this.#ended = new Uint8Array(settings.runs);
    this.#reminders = new Uint8Array(settings.runs);
    this.#remindedAtMs = new Float64Array(settings.runs);
    this.pending = settings.runs;
  }

  /** A function begins at this moment. */
  beginAt(ms: number): void {
    this.#nowMs = ms;
    this.#begunMs = ms;
    if (ms === this.#sweepMs) return;
    this.#sweepMs = ms;
    this.#remindersNow = 0;
    for (let run = 0; run < this.#settings.runs; run++) {
      if (this.#ended[run] === 0 && !this.#isLost(run) && !this.#waits(run)) this.#end(run);
    }
  }

  readonly deps: SweepDeps = {
    now: () => START_MS + this.#nowMs,
    newId: () => 'id',
    evaluations: this.#evaluations(),
    // No suite has cases: a run that is given up ends at once.
    chains: {
      cases: { revision: async () => EMPTY },
      scorers: { revision: async () => EMPTY, rows: async () => [] },
    } as unknown as Revisions,
    queue: {
      send: async () => {},
      isEmpty: async () => this.#front() >= this.#settings.runs,
    },
    positions: {
      at: async (walk) => this.#positions.get(walk) ?? null,
      save: async (walk, position) => {
        if (position === null) this.#positions.delete(walk);
        else this.#positions.set(walk, position);
      },
    },
    onFailure: (error) => {
      throw error;
    },
  };

  #take(ms: number): void {
    this.#nowMs += ms;
    this.longestMs = Math.max(this.longestMs, this.#nowMs - this.#begunMs);
  }

  #createdAtMs(run: number): number {
    const { runs, acceptedInMs } = this.#settings;
    return Math.floor((run / runs) * acceptedInMs) - acceptedInMs;
  }

  #isLost(run: number): boolean {
    return run % this.#settings.lostEvery === 0;
  }

  /** The number of the message that the queue delivers now; later messages wait. */
  #front(): number {
    const { deliveredFromMs, deliveredPerSecond, runs } = this.#settings;
    const delivered = ((this.#sweepMs - deliveredFromMs) / 1_000) * deliveredPerSecond;
    return delivered > 0 ? Math.min(runs, delivered) : 0;
  }

  #waits(run: number): boolean {
    return !this.#isLost(run) && run >= this.#front();
  }

  #end(run: number): void {
    this.#ended[run] = 1;
    this.pending--;
  }

  #evaluations(): EvaluationStore {
    const store: Partial<EvaluationStore> = {
      pendingPage: async (shard, page) => this.#page(shard, page),
      find: async (orgId, runId) => this.#found(orgId, Number(runId)),
      usesSlots: async () => false,
      countReminder: async ({ run }, reminders) => {
        this.#take(COST_MS.write);
        const number = Number(run.id);
        if (this.#reminders[number] === 0) this.asked++;
        if (this.#front() < this.#settings.runs)
          this.remindersMost = Math.max(this.remindersMost, ++this.#remindersNow);
        this.#reminders[number] = reminders;
        this.#remindedAtMs[number] = START_MS + this.#nowMs;
        return true;
      },
      conclude: async ({ run }) => {
        this.#take(COST_MS.write);
        if (this.#waits(Number(run.id))) this.endedInVain++;
        else this.endedLost++;
        this.#end(Number(run.id));
        return true;
      },
    };
    return store as EvaluationStore;
  }

  #page(shard: number, { createdBefore, after, limit }: Parameters<EvaluationStore['pendingPage']>[1]) {
    this.#take(COST_MS.page);
    this.#settings.onPage();
    const untilMs = Date.parse(createdBefore) - START_MS;
    const items = [];
    let run = after === null ? shard : Number(after.split('#')[1]) + SHARDS;
    for (; run < this.#settings.runs && items.length < limit; run += SHARDS) {
      const createdAtMs = this.#createdAtMs(run);
      if (createdAtMs >= untilMs) break;
      if (this.#ended[run] === 1) continue;
      const createdAt = timestamp(START_MS + createdAtMs);
      items.push({ orgId: String(run % ORGANISATIONS), runId: String(run), createdAt });
    }
    const last = items.length < limit ? undefined : items.at(-1);
    return { items, last: last === undefined ? null : `${last.createdAt}#${last.runId}` };
  }

  #found(orgId: string, run: number): Evaluation {
    this.#take(COST_MS.look);
    const status = this.#ended[run] === 1 ? 'aborted' : 'pending';
    return {
      orgId,
      run: {
        id: String(run),
        status,
        created_at: timestamp(START_MS + this.#createdAtMs(run)),
      } as Evaluation['run'],
      runToken: 'token',
      plan: undefined,
      usagePlan: undefined,
      reminders: this.#reminders[run] ?? 0,
      remindedAtMs: this.#remindedAtMs[run] ?? 0,
      openCases: 0,
      expiresAt: 0,
    };
  }
}

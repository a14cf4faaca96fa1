import type { Leased } from '../../../../shared/domain/evaluation/slots/ports.ts';
import { createSlots } from '../../../../shared/domain/evaluation/slots/slots.ts';
import { slotStore } from '../../../../shared/storage/evaluation/slots.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { faultyTable } from '../../../faults/faultyTable.ts';
import { type Faults, NO_FAULTS, Process } from '../../../faults/processes.ts';
import { Simulation } from '../../../faults/simulation.ts';

const PROVIDER = 'openai';

/** Functions that call one provider for one organisation, in simulated time, over a real table. */
export class Lanes {
  readonly sim: Simulation;
  readonly #table: Table;
  readonly #orgId: string;
  readonly #faults: Faults;
  inFlight = 0;
  inFlightMax = 0;
  /** Milliseconds of calls, to be divided by the time they took. */
  callMs = 0;
  looks = 0;
  /** Slots taken, renewed and given back. */
  writes = 0;

  constructor(table: Table, name: string, seed = 1, faults: Faults = NO_FAULTS) {
    this.sim = new Simulation(name, seed);
    this.#table = table;
    this.#orgId = this.sim.random.uuid();
    this.#faults = faults;
  }

  /** Holds slots as another function does, until it gives them back. */
  async occupy(count: number, of: Leased = PROVIDER): Promise<() => Promise<void>> {
    const slots = slotStore(this.#table, this.sim.now);
    const names = Array.from({ length: count }, () => this.sim.random.uuid());
    const leases = await slots.take(this.#orgId, of, names);
    return async () => {
      for (const { slot, holder } of leases) await slots.release(this.#orgId, of, slot, holder);
    };
  }

  /** A function of its own: what it calls takes so long. Answers what became of each call. */
  start(name: string) {
    const { sim } = this;
    const process = new Process(sim, name, () => this.#faults);
    process.begin(() => {});
    const before = (_: Process, operation: string) => {
      if (operation.startsWith('query SLOT#')) this.looks++;
      if (/^(update|delete) SLOT#/.test(operation)) this.writes++;
    };
    const watch = { before, written: async () => {} };
    const table = faultyTable(sim, this.#table, process, () => this.#faults, watch);
    const random = () => sim.random.next();
    const { now, sleep } = process;
    const newId = () => sim.random.uuid();
    const withSlot = createSlots({ slots: slotStore(table, now, random), newId, sleep, random, now });
    return async (callMs: () => number): Promise<'called' | 'no_slot' | 'failed'> => {
      const slotted = { beforeCall: [], call: () => this.#call(callMs()) };
      try {
        const { kind } = await withSlot(this.#orgId, PROVIDER, slotted);
        return kind === 'made' ? 'called' : 'no_slot';
      } catch {
        return 'failed';
      }
    };
  }

  async #call(ms: number): Promise<void> {
    this.inFlightMax = Math.max(this.inFlightMax, ++this.inFlight);
    this.callMs += ms;
    await this.sim.sleep(ms);
    this.inFlight--;
  }

  /** Plays until the work is done. */
  async play<T>(work: Promise<T>, deadlineMs = 3_600_000): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    if (!(await this.sim.until(() => isDone, deadlineMs))) throw new Error('not done in time');
    return done;
  }
}

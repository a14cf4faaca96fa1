import type { Provider } from '../../../shared/domain/byok/providers.ts';
import { Secret } from '../../../shared/domain/byok/secret.ts';
import type { EvaluateDeps } from '../../../shared/domain/evaluation/deps.ts';
import type { Judge } from '../../../shared/domain/evaluation/judging/ports.ts';
import type { SlottedCall } from '../../../shared/domain/evaluation/slots/ports.ts';
import { createSeats } from '../../../shared/domain/evaluation/slots/seats.ts';
import { createSlots } from '../../../shared/domain/evaluation/slots/slots.ts';
import type { WorkQueue } from '../../../shared/domain/messages.ts';
import { createBars } from '../../../shared/domain/suites/digests/knownDigests.ts';
import { createJudgeIdentity } from '../../../shared/judge/judgeIdentity.ts';
import { judgeSettingsFromEnv } from '../../../shared/judge/settings.ts';
import { byokKeyStore } from '../../../shared/storage/accounts/byokKeys.ts';
import { relativeStores } from '../../../shared/storage/baseline/relative.ts';
import { evaluationStore } from '../../../shared/storage/evaluation/evaluations.ts';
import { slotStore } from '../../../shared/storage/evaluation/slots.ts';
import { waitingChunkStore } from '../../../shared/storage/evaluation/waitingChunks.ts';
import { chainStore } from '../../../shared/storage/revisions/chains.ts';
import { barStore } from '../../../shared/storage/suites/bars.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import type { Simulation } from '../../../test/faults/simulation.ts';
import type { Gauge } from '../virtualTime.ts';

interface Surroundings {
  readonly sim: Simulation;
  readonly table: Table;
  readonly queue: WorkQueue;
  readonly idle: Gauge;
}

/** A function: it handles one message at a time. */
export class Instance {
  orgId = '';
  called = 0;
  readonly deps: EvaluateDeps;
  #waiting = 0;
  #calling = 0;
  #isIdle = false;
  readonly #idle: Gauge;

  constructor({ sim, table, queue, idle }: Surroundings, call: (orgId: string) => Promise<void>) {
    this.#idle = idle;
    const newId = () => sim.random.uuid();
    const random = () => sim.random.next();
    const { now, sleep } = sim;
    const slots = slotStore(table, now, random);
    const withSlot = createSlots({ slots, newId, sleep, random, now });
    const judgeIdentity = createJudgeIdentity(judgeSettingsFromEnv({}));
    this.deps = {
      evaluations: evaluationStore(table, now),
      chains: chainStore(table),
      barOf: createBars({ bars: barStore(table), judgeIdentity }),
      ...relativeStores(table, judgeIdentity),
      byokKeys: byokKeyStore(table),
      vault: { decrypt: async () => new Secret('sk-model') },
      waitingChunks: waitingChunkStore(table, now),
      seats: createSeats({ slots, newId, now }),
      withSlot: Object.assign(
        <T>(orgId: string, provider: Provider, slotted: SlottedCall<T>) =>
          this.#during('waiting', () => withSlot(orgId, provider, slotted)),
        { hasSpare: withSlot.hasSpare },
      ),
      judge: this.#judge(call),
      ...{ queue, random, now, sleep, newId, newDelimiter: newId },
    };
  }

  #judge(call: (orgId: string) => Promise<void>): Judge {
    return {
      judge: async (_, { withSlot }) => {
        const slotted = await withSlot(() => {
          this.called++;
          return this.#during('calling', () => call(this.orgId));
        });
        if (slotted.kind === 'not_made') return NO_SLOT;
        const usage = { input_tokens: 400, output_tokens: 60 };
        return { kind: 'verdict', score: 0.9, reason: 'as the rubric says', rawResponse: {}, usage };
      },
      testKey: async () => ({ kind: 'tested', valid: true }),
    };
  }

  async #during<T>(what: 'waiting' | 'calling', work: () => Promise<T>): Promise<T> {
    this.#count(what, 1);
    try {
      return await work();
    } finally {
      this.#count(what, -1);
    }
  }

  #count(what: 'waiting' | 'calling', change: number): void {
    if (what === 'waiting') this.#waiting += change;
    else this.#calling += change;
    const isIdle = this.#waiting > 0 && this.#calling === 0;
    if (isIdle !== this.#isIdle) this.#idle.add(isIdle ? 1 : -1);
    this.#isIdle = isIdle;
  }
}

const NO_SLOT = { kind: 'error', code: 'JUDGE_CONCURRENCY_EXCEEDED', reason: 'no slot' } as const;

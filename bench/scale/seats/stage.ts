import type { Scorer } from '../../../shared/contracts/scorers.ts';
import type { Provider } from '../../../shared/domain/byok/providers.ts';
import { Secret } from '../../../shared/domain/byok/secret.ts';
import type { EvaluateDeps } from '../../../shared/domain/evaluation/deps.ts';
import { evaluateChunk } from '../../../shared/domain/evaluation/evaluateChunk.ts';
import type { PlannedCase } from '../../../shared/domain/evaluation/evaluation.ts';
import type { Judge } from '../../../shared/domain/evaluation/judging/ports.ts';
import { chunksPlace } from '../../../shared/domain/evaluation/planning/caseSlices.ts';
import type { SlottedCall } from '../../../shared/domain/evaluation/slots/ports.ts';
import { createSeats } from '../../../shared/domain/evaluation/slots/seats.ts';
import { createSlots } from '../../../shared/domain/evaluation/slots/slots.ts';
import type { ChunkMessage } from '../../../shared/domain/messages.ts';
import { plainRules } from '../../../shared/domain/suites/rules.ts';
import { createJudgeIdentity } from '../../../shared/judge/judgeIdentity.ts';
import { judgeSettingsFromEnv } from '../../../shared/judge/settings.ts';
import { byokKeyStore } from '../../../shared/storage/accounts/byokKeys.ts';
import { evaluationStore } from '../../../shared/storage/evaluation/evaluations.ts';
import { slotStore } from '../../../shared/storage/evaluation/slots.ts';
import { waitingChunkStore } from '../../../shared/storage/evaluation/waitingChunks.ts';
import { packStore } from '../../../shared/storage/packs/packedSuites.ts';
import { runStore } from '../../../shared/storage/runs/runs.ts';
import { caseInputStore } from '../../../shared/storage/suites/caseInputs.ts';
import { planningStore } from '../../../shared/storage/suites/planning.ts';
import type { Simulation } from '../../../test/faults/simulation.ts';
import { admission, makeStoredSuite, runOf } from '../../../test/shared/storage/stored.ts';
import { ContendedTable } from '../contendedTable.ts';
import { Gauge } from '../virtualTime.ts';
import { FairQueue } from './fairQueue.ts';

const PROVIDER = 'openai';
const AT = '2026-05-05T10:00:00.000Z';
export const EVALUATORS = 200;

/** An organisation with a suite of judged cases and a key. */
export interface Tenant {
  readonly made: Awaited<ReturnType<typeof makeStoredSuite>>;
  readonly planner: string;
  readonly cases: number;
  readonly calls: Gauge;
}

interface Settings {
  /** How long a judge's call takes, from and to. */
  readonly callMs: readonly [from: number, to: number];
}

/** The evaluation's own code on its own stores, in virtual time; only the judge and the vault are stand-ins. */
export class SeatsStage {
  readonly sim: Simulation;
  readonly table: ContendedTable;
  readonly queue: FairQueue;
  readonly busy: Gauge;
  /** Evaluators whose calls all wait for slots. */
  readonly idle: Gauge;
  failures = 0;
  calls = 0;
  readonly #settings: Settings;
  readonly #tenants = new Map<string, Tenant>();
  readonly #instances: Instance[] = [];

  constructor(sim: Simulation, settings: Settings) {
    this.sim = sim;
    this.#settings = settings;
    this.table = new ContendedTable(sim);
    this.busy = new Gauge(sim);
    this.idle = new Gauge(sim);
    this.queue = new FairQueue(sim, {
      evaluators: EVALUATORS,
      handle: (message) => this.busy.during(() => this.#evaluate(message)),
    });
  }

  async tenant(cases: number): Promise<Tenant> {
    const { sim } = this;
    const { memory } = this.table;
    const made = await makeStoredSuite(memory, { newId: () => sim.random.uuid() });
    const tenant = { made, planner: sim.random.uuid(), cases, calls: new Gauge(sim) };
    this.#tenants.set(made.orgId, tenant);
    const id = sim.random.uuid();
    const fields = { name: null, key_prefix: 'sk', is_default: true, last_used_at: null, created_at: AT };
    await byokKeyStore(memory).create({ id, org_id: made.orgId, provider: PROVIDER, ...fields }, 'sealed');
    return tenant;
  }

  /** A planned run of this many chunks, each of the tenant's number of cases; without time. */
  async run({ made, planner, cases }: Tenant, chunks = 1): Promise<ChunkMessage[]> {
    const { sim } = this;
    const { memory } = this.table;
    const evaluations = evaluationStore(memory, sim.now);
    const admitted = admission(made, { startedAtMs: sim.now() });
    const { id } = runOf(await runStore(memory, () => sim.random.uuid()).admit(admitted));
    const evaluation = await evaluations.find(made.orgId, id);
    if (evaluation === undefined) throw new Error('the run is not there');
    const numbers = Array.from({ length: chunks }, (_, chunk) => chunk);
    const place = chunksPlace(evaluation, planner);
    for (const chunk of numbers) await packStore(memory).saveChunk(place, chunk, judgedCases(cases));
    const bar = { passThreshold: 1, gates: {}, keepOutputs: 'none', suiteDigest: null } as const;
    const outputs = { digest: null, surplus: [], surplusOutputs: 0, groups: [], counts: [] };
    const plan = { ...bar, outputs, chunks, totalCases: chunks * cases, isAbandoned: false };
    await evaluations.savePlan(evaluation, planner, { ...plan, judges: { [PROVIDER]: numbers } });
    const message = { kind: 'chunk', org_id: made.orgId, run_id: id, waits: 0, held: 0 } as const;
    return numbers.map((chunk) => ({ ...message, chunk }));
  }

  async #evaluate(message: ChunkMessage): Promise<void> {
    const instance = this.#instances.pop() ?? new Instance(this, (orgId) => this.#judge(orgId));
    instance.orgId = message.org_id;
    await evaluateChunk(instance.deps, message).catch(() => {
      this.failures++;
    });
    this.#instances.push(instance);
  }

  #judge(orgId: string): Promise<void> {
    this.calls++;
    const calls = this.#tenants.get(orgId)?.calls;
    if (calls === undefined) throw new Error('nobody asked');
    return calls.during(() => this.sim.sleep(this.sim.random.int(...this.#settings.callMs)));
  }
}

/** A function: it handles one message at a time. */
class Instance {
  orgId = '';
  readonly deps: EvaluateDeps;
  #waiting = 0;
  #calling = 0;
  #isIdle = false;
  readonly #idle: Gauge;

  constructor({ sim, table, queue, idle }: SeatsStage, call: (orgId: string) => Promise<void>) {
    this.#idle = idle;
    const newId = () => sim.random.uuid();
    const random = () => sim.random.next();
    const { now, sleep } = sim;
    const slots = slotStore(table, now, random);
    const withSlot = createSlots({ slots, newId, sleep, random, now });
    this.deps = {
      evaluations: evaluationStore(table, now),
      planning: planningStore(table),
      caseInputs: caseInputStore(table),
      judgeIdentity: createJudgeIdentity(judgeSettingsFromEnv({})),
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
        const slotted = await withSlot(() => this.#during('calling', () => call(this.orgId)));
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

const SCORER: Scorer = {
  ...{
    id: 'a scorer',
    project_id: 'a project',
    key: 'helpful',
    name: 'Helpful',
    type: 'llm_judge',
    dual_sided: false,
  },
  config: { rubric: 'The answer helps.', _provider: PROVIDER },
  ...{ precision_threshold: null, recall_threshold: null, created_at: AT, updated_at: AT },
};

const judgedCases = (count: number): PlannedCase[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: `case ${index}`, name: `Case ${index}`, input: {}, expected: null },
    ...{ threshold: 0.5, weight: 1, scorer: SCORER, ...plainRules(`case ${index}`) },
  }));

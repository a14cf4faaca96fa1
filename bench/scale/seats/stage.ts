import type { Provider } from '../../../shared/domain/byok/providers.ts';
import { evaluateChunk } from '../../../shared/domain/evaluation/evaluateChunk.ts';
import type { ChunkMessage } from '../../../shared/domain/messages.ts';
import { byokKeyStore } from '../../../shared/storage/accounts/byokKeys.ts';
import { evaluationStore } from '../../../shared/storage/evaluation/evaluations.ts';
import { runStore } from '../../../shared/storage/runs/runs.ts';
import type { Simulation } from '../../../test/faults/simulation.ts';
import { admission, aLog, makeStoredSuite, runOf } from '../../../test/shared/storage/stored.ts';
import { ContendedTable } from '../contendedTable.ts';
import { Gauge } from '../virtualTime.ts';
import { AT, type JudgedSuite, makeJudgedSuite } from './cases.ts';
import { FairQueue } from './fairQueue.ts';
import { Instance } from './instance.ts';

export const PROVIDERS = ['openai', 'anthropic'] as const satisfies readonly Provider[];

export const EVALUATORS = 200;

/** An organisation with a suite of judged cases and a key. */
export interface Tenant {
  readonly made: Awaited<ReturnType<typeof makeStoredSuite>>;
  readonly cases: number;
  readonly calls: Gauge;
  /** By the judges, chunks and cases of their runs. */
  readonly suites: Map<string, Promise<JudgedSuite>>;
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
  /** Evaluator time in ms of messages for which no call was made: their chunk waits for a seat, or somebody took it. */
  unusedMs = 0;
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
    const tenant = { made, cases, calls: new Gauge(sim), suites: new Map() };
    this.#tenants.set(made.orgId, tenant);
    const fields = { name: null, key_prefix: 'sk', is_default: true, last_used_at: null, created_at: AT };
    for (const provider of PROVIDERS) {
      const id = sim.random.uuid();
      await byokKeyStore(memory).create({ id, org_id: made.orgId, provider, ...fields }, 'sealed', aLog);
    }
    return tenant;
  }

  /** A planned run of this many chunks, each of the tenant's number of cases for these judges in turn; without time. */
  async run(
    tenant: Tenant,
    { chunks = 1, providers = ['openai'] }: { chunks?: number; providers?: readonly Provider[] } = {},
  ): Promise<ChunkMessage[]> {
    const { sim } = this;
    const { memory } = this.table;
    const { orgId } = tenant.made;
    const name = `${providers} ${chunks} ${tenant.cases}`;
    const made = () =>
      makeJudgedSuite({ memory, newId: () => sim.random.uuid() }, tenant.made, {
        providers,
        cases: chunks * tenant.cases,
      });
    // One after the other: they edit the same project.
    const others = [...tenant.suites.values()].at(-1) ?? Promise.resolve();
    const suite = tenant.suites.get(name) ?? others.then(made);
    tenant.suites.set(name, suite);
    const judged = await suite;
    const evaluations = evaluationStore(memory, sim.now);
    const admitted = admission(judged.made, { startedAtMs: sim.now(), revisions: judged.pair });
    const { id } = runOf(await runStore(memory, () => sim.random.uuid()).admit(admitted));
    const evaluation = await evaluations.find(orgId, id);
    if (evaluation === undefined) throw new Error('the run is not there');
    const numbers = Array.from({ length: chunks }, (_, chunk) => chunk);
    const bar = { passThreshold: 1, gates: {}, keepOutputs: 'none', suiteDigest: null } as const;
    const outputs = { digest: null, surplus: [], surplusOutputs: 0, groups: [], counts: [] };
    const ends = numbers.map((chunk) => (chunk + 1) * tenant.cases);
    const plan = { ...bar, outputs, ends, totalCases: chunks * tenant.cases, isAbandoned: false };
    const judges = Object.fromEntries(providers.map((provider) => [provider, numbers]));
    await evaluations.savePlan(evaluation, { ...plan, judges });
    const message = { kind: 'chunk', org_id: orgId, run_id: id, waits: 0, held: 0 } as const;
    return numbers.map((chunk) => ({ ...message, chunk }));
  }

  async #evaluate(message: ChunkMessage): Promise<void> {
    const instance = this.#instances.pop() ?? new Instance(this, (orgId) => this.#judge(orgId));
    instance.orgId = message.org_id;
    const [sinceMs, calledBefore] = [this.sim.now(), instance.called];
    await evaluateChunk(instance.deps, message).catch(() => {
      this.failures++;
    });
    if (instance.called === calledBefore) this.unusedMs += this.sim.now() - sinceMs;
    this.#instances.push(instance);
  }

  #judge(orgId: string): Promise<void> {
    this.calls++;
    const calls = this.#tenants.get(orgId)?.calls;
    if (calls === undefined) throw new Error('nobody asked');
    return calls.during(() => this.sim.sleep(this.sim.random.int(...this.#settings.callMs)));
  }
}

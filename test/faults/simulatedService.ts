import type { SQSRecord } from 'aws-lambda';
import type { PlanId } from '../../shared/contracts/auth.ts';
import type { Vault } from '../../shared/domain/byok/ports.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import type { Log } from '../../shared/runtime/log.ts';
import { createRuntime, type Runtime } from '../../shared/runtime/runtime.ts';
import { ALL_PENDING_SHARDS } from '../../shared/storage/evaluation/pendingRuns.ts';
import type { Table } from '../../shared/storage/table/table.ts';
import { vaultFromConfig } from '../../shared/vault/fromConfig.ts';
import { Auditor } from './auditor.ts';
import { faultyTable } from './faultyTable.ts';
import { type JudgeOf, makeOrganisation, type Organisation } from './fixtures.ts';
import { type Call, contextOf, type EndpointId, eventOf, Functions } from './functions.ts';
import { type Faults, InjectedFault, NO_FAULTS, Process } from './processes.ts';
import { SimulatedProvider } from './provider.ts';
import { scriptedJudge } from './scriptedJudge.ts';
import type { Engine, HttpAnswer, ServiceSettings } from './settings.ts';
import { SimulatedQueue } from './simulatedQueue.ts';
import type { Simulation } from './simulation.ts';
import { faultyVault } from './vault.ts';

interface Instance {
  readonly process: Process;
  readonly functions: Functions;
}

const HTTP_TIMEOUT_MS = 30_000;
const FUNCTION_TIMEOUT_MS = 900_000;
const RECEIVES_MAX = 5;
const SWEEP_MS = 60_000;
const FAILURES = new Set([
  'unexpected_error',
  'message_failed',
  'message_unsent',
  'message_invalid',
  'run_unswept',
]);

/** The service and what surrounds it, in simulated time. */
export class SimulatedService {
  readonly sim: Simulation;
  readonly settings: ServiceSettings;
  readonly table: Table;
  readonly provider: SimulatedProvider;
  readonly queue: SimulatedQueue;
  readonly deadLetters: SimulatedQueue;
  readonly lines: string[] = [];
  readonly answers: { readonly orgId: string; readonly text: string }[] = [];
  readonly direct: Runtime;
  faults: Faults = NO_FAULTS;
  readonly orgs: Organisation[] = [];
  readonly auditor: Auditor;
  /** Organisations whose BYOK keys the vault will never open again. */
  readonly shutFor = new Set<string>();
  readonly #vault: Vault;
  invocations = 0;
  deaths = 0;
  readonly #idle = new Map<string, Instance[]>();
  readonly #busy = new Set<Process>();
  #count = 0;

  constructor(sim: Simulation, engine: Engine, table: Table, settings: ServiceSettings) {
    const { endpoint, tableName, vaultKeyFile } = engine;
    this.sim = sim;
    this.settings = settings;
    this.table = table;
    this.provider = new SimulatedProvider(sim, settings.provider);
    const faults = () => this.faults;
    const { visibilityMs, batchMax, retryMs, evaluators: batchesAtOnce } = settings;
    const consumed = { visibilityMs, batchMax, batchesAtOnce, ...(retryMs !== undefined && { retryMs }) };
    this.deadLetters = new SimulatedQueue(sim, { ...consumed, name: 'dead' }, faults);
    const deadLetters = { queue: this.deadLetters, receivesMax: RECEIVES_MAX };
    this.queue = new SimulatedQueue(sim, { ...consumed, name: 'runs', deadLetters }, faults);
    const config = readConfig({
      TABLE_NAME: tableName,
      DYNAMODB_ENDPOINT: endpoint,
      VAULT_KEY_FILE: vaultKeyFile,
      // They wait in real time. How many requests one may send is not what is tried here.
      RATE_LIMITS: 'off',
      QUEUE_URL: 'http://127.0.0.1:9/000000000000/evaluations',
    });
    const newId = () => sim.random.uuid();
    this.auditor = new Auditor(sim, table, this.provider);
    this.#vault = vaultFromConfig(config);
    this.direct = createRuntime(config, { table: this.table, now: sim.now, newId, log: this.#log });
  }

  async addOrganisation(judge: JudgeOf): Promise<Organisation> {
    this.provider.votes = judge.votes ?? 1;
    const org = await makeOrganisation(this.direct, judge);
    this.orgs.push(org);
    return org;
  }

  /** The first organisation, in most scenarios the only one. */
  get org(): Organisation {
    const [org] = this.orgs;
    if (org === undefined) throw new Error('There is no organisation');
    return org;
  }

  /** Connects the queues and the timer: from here on messages are consumed and pending runs are swept. */
  start(): void {
    const consumer = (id: 'evaluate' | 'deadLetters') => async (records: readonly SQSRecord[]) => {
      const answer = await this.#invoke(`evaluator/${id}`, FUNCTION_TIMEOUT_MS, (functions, requestId) =>
        functions[id]({ Records: [...records] }, contextOf(requestId)),
      );
      return answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    };
    this.queue.consume = consumer('evaluate');
    this.deadLetters.consume = consumer('deadLetters');
    if (this.settings.hasSweeper) this.#sweepLater();
    this.sim.watch = () => {
      for (const process of this.#busy) if (process.hangs) this.sim.violated(`${process.name} hangs`);
    };
  }

  #sweepLater(): void {
    this.sim.after(SWEEP_MS, 'sweep', () => {
      this.#sweepLater();
      // On AWS a function for each shard, on a laptop one for all.
      const events = this.settings.isShared
        ? [{}]
        : ALL_PENDING_SHARDS.map((shard) => ({ detail: { shard } }));
      for (const event of events) this.#sweep(event);
    });
  }

  #sweep(event: { readonly detail?: { readonly shard: number } }): void {
    this.#invoke('evaluator/sweep', FUNCTION_TIMEOUT_MS, ({ sweep }) => sweep(event)).catch(
      (error: unknown) => {
        if (!(error instanceof InjectedFault)) this.sim.violated(`the sweep failed: ${error}`);
      },
    );
  }

  /** Undefined without an answer. */
  async http(id: EndpointId, call: Call, { orgId, apiKey } = this.org): Promise<HttpAnswer | undefined> {
    const event = eventOf(call, apiKey);
    const answer = await this.#invoke(id, HTTP_TIMEOUT_MS, (functions, requestId) =>
      functions.endpoint(id)(event, contextOf(requestId)),
    );
    if (answer === undefined) return undefined;
    this.answers.push({ orgId, text: answer.body ?? '' });
    const body = answer.body === undefined ? undefined : JSON.parse(answer.body);
    return { status: answer.statusCode ?? 0, body, headers: answer.headers ?? {} };
  }

  /** False where the function died or failed, or waited for one that died: then the payment provider asks again. */
  async changePlan(plan: PlanId, { orgId } = this.org): Promise<boolean> {
    const changed = this.#invoke('billing/webhook', HTTP_TIMEOUT_MS, (functions) =>
      functions.changePlan(orgId, plan),
    );
    const answer = await changed.catch((error: unknown) => {
      if (!(error instanceof InjectedFault) && !/^Error: Gave up/.test(String(error))) throw error;
    });
    return answer !== undefined;
  }

  async #invoke<T>(
    id: string,
    timeoutMs: number,
    work: (functions: Functions, requestId: string) => Promise<T>,
  ): Promise<T | undefined> {
    const { isShared } = this.settings;
    const instance = this.#instance(isShared ? 'service' : id);
    const { process, functions } = instance;
    this.invocations++;
    this.#busy.add(process);
    let isOver = false;
    const died = new Promise<undefined>((resolve) => {
      const onDeath = () => {
        if (!isOver) this.deaths++;
        resolve(undefined);
      };
      process.begin(onDeath);
      this.sim.after(timeoutMs, `deadline of ${process.name}`, () => {
        if (isOver) return;
        if (isShared) onDeath();
        else process.kill('its time was up');
      });
    });
    try {
      return await Promise.race([work(functions, `${process.name}/${++this.#count}`), died]);
    } finally {
      isOver = true;
      this.invocations--;
      process.end();
      if (!isShared || process.dead) this.#busy.delete(process);
      if (!process.dead && !isShared) this.#idle.get(id)?.push(instance);
    }
  }

  #instance(id: string): Instance {
    const idle = this.#idle.get(id) ?? [];
    this.#idle.set(id, idle);
    const found = this.settings.isShared ? idle[0] : idle.pop();
    if (found !== undefined && !found.process.dead) return found;
    const made = this.#start(id);
    if (this.settings.isShared) this.#idle.set(id, [made]);
    return made;
  }

  #start(id: string): Instance {
    const { sim, settings } = this;
    const faults = () => this.faults;
    const process = new Process(sim, `${id}-${++this.#count}`, faults, settings.skewMs);
    const before = (dying: Process, operation: string) => {
      if (!settings.kills?.(dying, operation, this.faults)) return;
      dying.kill(`of ${operation}`);
      throw new InjectedFault('dead');
    };
    const watch = { before, written: this.auditor.written };
    const table = faultyTable(sim, this.table, process, faults, watch);
    const runtime = { ...this.direct, table, now: process.now };
    const judge = (settings.judge ?? scriptedJudge)(this.provider, process);
    const random = () => sim.random.next();
    const queue = this.queue.sender(process);
    const vault = faultyVault(sim, this.#vault, process, faults, this.shutFor);
    const { sleep } = process;
    return { process, functions: new Functions({ runtime, queue, judge, vault, sleep, random }) };
  }

  #log: Log = (level, code, fields) => {
    this.lines.push(JSON.stringify({ level, code, ...fields }));
    if (FAILURES.has(code) && fields?.error !== 'InjectedFault') {
      this.sim.violated(`logged ${code}: ${JSON.stringify(fields)}`);
    }
  };
}

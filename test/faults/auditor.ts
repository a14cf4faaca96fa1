import type { WeighedCase } from '../../shared/domain/evaluation/ports.ts';
import { unpackJson } from '../../shared/storage/blobs.ts';
import { readEvaluatedResults } from '../../shared/storage/endedChunks.ts';
import { below, chunkKey, type Key, pendingKey, runKey } from '../../shared/storage/keys.ts';
import { readRun } from '../../shared/storage/runItems.ts';
import type { Item, Table } from '../../shared/storage/table.ts';
import type { SimulatedProvider } from './provider.ts';
import type { Simulation } from './simulation.ts';

export interface AuditedRun {
  readonly id: string;
  readonly suiteId: string;
  readonly number: number;
  readonly label: string;
  readonly attempt: string;
  readonly status: string;
  /** What the table holds of it. */
  readonly text: string;
  readonly givesBack: boolean;
  /** Of a run that has ended. */
  readonly results: string | undefined;
}

const RUN_SK = /^RUN#(\d+)$/;
const SUITE_PK = /#SUITE#(.+)$/;

/** The same for the same item: the engine answers fields in any order. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => {
    if (inner instanceof Set) return [...inner].sort();
    if (inner instanceof Uint8Array) return Buffer.from(inner).toString('base64');
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });

/** Looks at the table itself after every write, and notes the first thing that must never be. */
export class Auditor {
  readonly #sim: Simulation;
  readonly #table: Table;
  readonly #orgId: string;
  readonly #provider: SimulatedProvider;
  readonly runs = new Map<string, AuditedRun>();
  readonly #labels = new Map<string, string>();

  constructor(sim: Simulation, table: Table, orgId: string, provider: SimulatedProvider) {
    this.#sim = sim;
    this.#table = table;
    this.#orgId = orgId;
    this.#provider = provider;
  }

  get pending(): number {
    return [...this.runs.values()].filter(({ status }) => status === 'pending').length;
  }

  written = async (keys: readonly Key[], items: readonly Item[]): Promise<void> => {
    const ofRuns = keys.filter(({ sk }) => RUN_SK.test(sk));
    for (const { pk, sk } of ofRuns) {
      const suiteId = SUITE_PK.exec(pk)?.[1] ?? '';
      await this.#lookAt(suiteId, Number(RUN_SK.exec(sk)?.[1]));
    }
    if (keys.some(({ sk }) => sk.startsWith('USAGE#'))) await this.#checkUsage();
    for (const item of items) if (String(item.sk).startsWith('JUDGED#')) this.#judged(item);
  };

  async #lookAt(suiteId: string, number: number): Promise<void> {
    const key = `${suiteId}/${number}`;
    const before = this.runs.get(key);
    const item = await this.#table.get(runKey(this.#orgId, suiteId, number));
    if (item === undefined) {
      if (before !== undefined) this.#sim.violated(`run ${before.label} is gone`);
      return;
    }
    const text = textOf(item);
    if (before?.text === text) return;
    if (before !== undefined && before.status !== 'pending') {
      return this.#sim.violated(`run ${before.label} changed after its end: ${before.text} → ${text}`);
    }
    const run = readRun(item, { suiteId, number });
    const label = String(run.trigger_meta.label);
    const attempt = String(item.attempt);
    this.#labels.set(attempt, label);
    const listed = await this.#table.get(pendingKey(run.created_at, run.id));
    const ended = run.status !== 'pending';
    if (ended === (listed !== undefined)) {
      this.#sim.violated(`run ${label} is ${run.status}, and its place in the pending list says otherwise`);
    }
    const evaluated = item.evaluated === true;
    this.runs.set(key, {
      ...{ id: run.id, suiteId, number, label, attempt, status: run.status, text },
      givesBack: evaluated && (await this.#isAbandoned(suiteId, attempt)),
      results: evaluated ? await this.resultsOf(suiteId, attempt) : undefined,
    });
    if (ended) this.#sim.note(`run ${label} is ${run.status}`);
  }

  async resultsOf(suiteId: string, attempt: string): Promise<string> {
    return textOf(await readEvaluatedResults(this.#table, { orgId: this.#orgId, suiteId, attempt }));
  }

  /** A run that could not be evaluated: a chunk of it failed, or it was never planned. */
  async #isAbandoned(suiteId: string, attempt: string): Promise<boolean> {
    const chunks = await this.#table.query(below(chunkKey(this.#orgId, suiteId, attempt)));
    const ended = chunks.filter((chunk) => chunk.ended === true);
    return ended.length === 0 || ended.some((chunk) => chunk.failed === true);
  }

  async usage(): Promise<number> {
    const months = await this.#table.query({ pk: `ORG#${this.#orgId}`, prefix: 'USAGE#' });
    return months.reduce((sum, { used }) => sum + Number(used), 0);
  }

  async #checkUsage(): Promise<void> {
    const used = await this.usage();
    const runs = [...this.runs.values()];
    const counted = runs.filter(({ givesBack }) => !givesBack).length;
    if (used !== counted) {
      this.#sim.violated(`usage is ${used}, and ${counted} of ${runs.length} runs count`);
    }
  }

  #judged(item: Item): void {
    const [, attempt = ''] = String(item.sk).split('#');
    const result = unpackJson(item.bytes as Uint8Array) as WeighedCase;
    this.#provider.verdictSaved(this.#labels.get(attempt) ?? '', result.case_name);
  }
}

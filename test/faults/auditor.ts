import type { KeptVerdict } from '../../shared/domain/evaluation/ports.ts';
import { PLAN } from '../../shared/domain/plans.ts';
import { blamedResult } from '../../shared/domain/runs/results/state.ts';
import type { CaseResult } from '../../shared/scoring/kit/types.ts';
import { openCasesIn } from '../../shared/storage/runs/openCases.ts';
import { unpackResults } from '../../shared/storage/runs/results/packing.ts';
import { readStoredResults } from '../../shared/storage/runs/results/storedResults.ts';
import { readRun } from '../../shared/storage/runs/runItems.ts';
import { usageStore } from '../../shared/storage/runs/usage.ts';
import { unpackJson } from '../../shared/storage/table/blobs.ts';
import { below, chunkKey, type Key, pendingKey, runKey, TTL } from '../../shared/storage/table/keys.ts';
import type { Item, Table } from '../../shared/storage/table/table.ts';
import { BarHistory } from './edits/barHistory.ts';
import type { Sent } from './edits/sent.ts';
import { faultOfOpenCases } from './openCases.ts';
import { faultOfPayload } from './payloads.ts';
import type { SimulatedProvider } from './provider.ts';
import type { Simulation } from './simulation.ts';

export interface AuditedRun {
  readonly id: string;
  readonly orgId: string;
  readonly suiteId: string;
  readonly number: number;
  readonly month: string;
  readonly label: string;
  readonly runToken: string;
  readonly status: string;
  /** From its beginning to its end. */
  readonly tookMs: number;
  /** Its items as text. */
  readonly text: string;
  /** The run's cases, once planned. */
  readonly plan: string | undefined;
  /** Before it ended. */
  readonly wasPlanned: boolean;
  readonly givesBack: boolean;
  /** What a pending run took of the bound of judged cases. */
  readonly openCases: number;
  /** The same when it was stored, in all shards. */
  readonly tookCases: number;
  readonly storedAtMs: number;
  /** Of a run that has ended. */
  readonly results: string | undefined;
}

const PAYLOAD_SK = /^(OUTPUTS|PAYLOAD)#/;
const RUN_SK = /^RUN#(\d+)$/;
const SUITE_PK = /^ORG#([^#]+)#SUITE#([^#]+)$/;
const ORG_PK = /^ORG#([^#]+)/;

/** Equal for equal items: engines return fields in any order. */
const textOf = (value: unknown): string => JSON.stringify(ordered(value));

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  if (value instanceof Set) return [...value].sort();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.keys(fields)
    .sort()
    .map((name) => [name, ordered(fields[name])]);
}

/** A waiver changes no figure of a run that has ended. */
const runText = ({ waived: _, ...item }: Item): string => textOf(item);

/** An ended chunk, where the service's and the candidate's doing are alike. Changed faults lie under a name with one mark. */
function withoutFaults({ holder, results, ...item }: Item): Item {
  const unmarked = String(holder).replace(/~$/, '');
  if (!(results instanceof Uint8Array)) return { ...item, holder: unmarked };
  return { ...item, holder: unmarked, results: unpackResults(results).map(blamedResult) };
}

/** Reads the table after every write and records the first violated invariant. */
export class Auditor {
  readonly #sim: Simulation;
  readonly #table: Table;
  readonly #provider: SimulatedProvider;
  readonly runs = new Map<string, AuditedRun>();
  /** Runs that an organisation had used of a month before the simulation: by its id, a space, and the month. */
  readonly usedBefore = new Map<string, number>();
  /** Organisations that stay on Free. */
  readonly blocked = new Set<string>();
  readonly bars: BarHistory;
  /** What was sent for a run, by its label, and since when. */
  readonly sent = new Map<string, { readonly sent: Sent; readonly sinceMs: number }>();
  readonly #endedChunks = new Map<string, string>();
  readonly #labels = new Map<string, string>();

  constructor(sim: Simulation, table: Table, provider: SimulatedProvider) {
    this.#sim = sim;
    this.#table = table;
    this.#provider = provider;
    this.bars = new BarHistory(table);
  }

  get pending(): number {
    return [...this.runs.values()].filter(({ status }) => status === 'pending').length;
  }

  written = async (keys: readonly Key[], items: readonly Item[]): Promise<void> => {
    for (const key of keys.filter(({ sk }) => RUN_SK.test(sk))) await this.#lookAt(key);
    const counting = keys.filter(({ sk }) => RUN_SK.test(sk) || sk.startsWith('USAGE#'));
    const orgIds = new Set(counting.map(({ pk }) => ORG_PK.exec(pk)?.[1] ?? ''));
    for (const orgId of orgIds) await this.checkUsage(orgId);
    const taking = keys.filter(({ sk }) => RUN_SK.test(sk) || sk === 'OPENCASES');
    for (const orgId of new Set(taking.map(({ pk }) => ORG_PK.exec(pk)?.[1] ?? ''))) {
      await this.checkOpenCases(orgId);
    }
    for (const key of keys.filter(({ sk }) => sk.startsWith('CHUNK#'))) await this.#chunk(key);
    for (const key of keys.filter(({ sk }) => sk.startsWith('SUITE#'))) await this.#bar(key);
    const payload = items.find(({ sk }) => PAYLOAD_SK.test(String(sk)));
    if (payload !== undefined && !(Number(payload[TTL]) > 0)) {
      this.#sim.violated(`${payload.sk} has no time to live`);
    }
    for (const item of items) if (String(item.sk).startsWith('JUDGED#')) this.#judged(item);
    for (const key of keys.filter(({ sk }) => sk.startsWith('VERDICT#'))) await this.#verdict(key);
  };

  async #lookAt({ pk, sk }: Key): Promise<void> {
    const [, orgId = '', suiteId = ''] = SUITE_PK.exec(pk) ?? [];
    const number = Number(RUN_SK.exec(sk)?.[1]);
    const name = `${suiteId}/${number}`;
    const before = this.runs.get(name);
    const item = await this.#table.get(runKey(orgId, suiteId, number));
    if (item === undefined) {
      if (before !== undefined) this.#sim.violated(`run ${before.label} is gone`);
      return;
    }
    const text = runText(item);
    if (before?.text === text) return;
    if (before !== undefined && before.status !== 'pending') {
      return this.#sim.violated(`run ${before.label} changed after its end: ${before.text} → ${text}`);
    }
    const run = await this.#read(item, { orgId, suiteId, number }, before);
    if (before?.plan !== undefined && run.status === 'pending' && run.plan !== before.plan) {
      this.#sim.violated(`run ${run.label} was planned twice: ${before.plan} → ${run.plan}`);
    }
    this.runs.set(name, run);
    if (run.status !== 'pending') this.#sim.note(`run ${run.label} is ${run.status}`);
    const left = await faultOfPayload(this.#table, run);
    if (left !== undefined) this.#sim.violated(left);
  }

  async #read(
    item: Item,
    place: Pick<AuditedRun, 'orgId' | 'suiteId' | 'number'>,
    before: AuditedRun | undefined,
  ): Promise<AuditedRun> {
    const { orgId, suiteId } = place;
    const run = readRun(item, place);
    const label = String(run.trigger_meta.label);
    const runToken = String(item.attempt);
    this.#labels.set(runToken, label);
    const listed = await this.#table.get(pendingKey(run.created_at, run.id));
    const ended = run.status !== 'pending';
    if (ended === (listed !== undefined)) {
      this.#sim.violated(`run ${label} is ${run.status}, and its place in the pending list says otherwise`);
    }
    const evaluated = item.evaluated === true;
    const openCases = openCasesIn(item);
    return {
      ...place,
      id: run.id,
      month: run.created_at.slice(0, 7),
      label,
      runToken,
      status: run.status,
      tookMs: run.duration_ms,
      openCases,
      tookCases: before?.tookCases ?? openCases,
      storedAtMs: before?.storedAtMs ?? this.#sim.now(),
      text: runText(item),
      plan: item.plan === undefined ? undefined : textOf(item.plan),
      wasPlanned: item.plan !== undefined || before?.wasPlanned === true,
      givesBack: evaluated && (await this.#isAbandoned(orgId, suiteId, runToken)),
      results: evaluated ? await this.resultsOf({ orgId, suiteId, runToken }) : undefined,
    };
  }

  async resultsOf(run: Pick<AuditedRun, 'orgId' | 'suiteId' | 'runToken'>): Promise<string> {
    return JSON.stringify(await readStoredResults(this.#table, run, { evaluated: true }));
  }

  /** A run that could not be evaluated: a chunk of it failed, or it was never planned. */
  async #isAbandoned(orgId: string, suiteId: string, runToken: string): Promise<boolean> {
    const chunks = await this.#table.query(below(chunkKey(orgId, suiteId, runToken)));
    const ended = chunks.filter((chunk) => chunk.ended === true);
    return ended.length === 0 || ended.some((chunk) => chunk.failed === true);
  }

  async checkOpenCases(orgId: string): Promise<void> {
    const fault = await faultOfOpenCases(this.#table, orgId, this.runs.values());
    if (fault !== undefined) this.#sim.violated(fault);
  }

  /** A run counts from the moment it is accepted, in the month it was, unless it could not be evaluated. */
  async checkUsage(orgId: string): Promise<void> {
    const items = await this.#table.query({ pk: `ORG#${orgId}`, prefix: 'USAGE#' });
    const months = items.map(({ sk }) => String(sk).split('#')[1] ?? '');
    const runs = [...this.runs.values()].filter((run) => run.orgId === orgId);
    for (const month of new Set([...runs.map((run) => run.month), ...months])) {
      const before = this.usedBefore.get(`${orgId} ${month}`) ?? 0;
      const counted = before + runs.filter((run) => run.month === month && !run.givesBack).length;
      const used = await usageStore(this.#table).used(orgId, month);
      if (used !== counted) this.#sim.violated(`usage of ${month} is ${used}, and ${counted} runs count`);
      if (this.blocked.has(orgId) && used > PLAN.free.monthlyRuns)
        this.#sim.violated(`${used} runs of Free in ${month}`);
    }
  }

  /** The end of a chunk never changes, but once for the faults of its results, when all chunks of its run have ended. */
  async #chunk(key: Key): Promise<void> {
    const item = await this.#table.get(key);
    const before = this.#endedChunks.get(key.sk);
    const text = item?.ended === true ? textOf(withoutFaults(item)) : undefined;
    if (before === undefined && text !== undefined) this.#endedChunks.set(key.sk, text);
    if (before !== undefined && before !== text) this.#sim.violated(`${key.sk} changed: ${before} → ${text}`);
  }

  async #bar(head: Key): Promise<void> {
    const suiteId = String((await this.#table.get(head))?.suite_id);
    const orgId = ORG_PK.exec(head.pk)?.[1] ?? '';
    if (this.bars.knows(suiteId)) await this.bars.record(orgId, suiteId, this.#sim.now());
  }

  async #verdict(key: Key): Promise<void> {
    const item = await this.#table.get(key);
    const { reason } = unpackJson(item?.bytes as Uint8Array) as KeptVerdict;
    const asked = / because of (.*)$/.exec(reason)?.[1] ?? '';
    this.#provider.verdictSaved(this.#labels.get(String(item?.attempt)) ?? '', asked);
  }

  /** The error of a sample need not say which one it is of. */
  #judged(item: Item): void {
    const [, runToken = ''] = String(item.sk).split('#');
    const { reason, case_name } = unpackJson(item.bytes as Uint8Array) as CaseResult;
    const label = this.#labels.get(runToken) ?? '';
    const isOnly = this.sent.get(label)?.sent.output !== undefined;
    const asked = isOnly ? case_name : / because of (.*)$/.exec(reason)?.[1];
    if (asked !== undefined) this.#provider.verdictSaved(label, asked);
  }
}

import { suiteKey } from '../../../shared/storage/table/keys.ts';
import type { Item, Table } from '../../../shared/storage/table/table.ts';
import { type Bar, barDigest, readCase } from './bar.ts';
import { casesInForce, pushUnderWay } from './casesInForce.ts';

const CASE_SK = /^CASE#[^#]+$/;

/** Every bar that each suite has had, from the writes to the table. */
export class BarHistory {
  readonly #table: Table;
  readonly #bars = new Map<string, Bar[]>();
  /** The last push of each suite, by its id. */
  readonly #pushes = new Map<string, string>();
  readonly #digests = new Map<Bar, string>();
  readonly #caseDigests = new Map<string, string>();
  readonly scorers = new Map<string, object>();

  constructor(table: Table) {
    this.#table = table;
  }

  knows(suiteId: string): boolean {
    return this.#bars.has(suiteId);
  }

  /** Reads the suite as it is now. */
  async record(orgId: string, suiteId: string, nowMs: number): Promise<void> {
    const suite = await this.#table.get(suiteKey(orgId, suiteId));
    if (suite === undefined) return;
    const push = await pushUnderWay(this.#table, orgId, suite);
    // What it writes out is in force since it began.
    if (push !== undefined && this.#pushes.get(suiteId) === push.id) return;
    if (push !== undefined) this.#pushes.set(suiteId, push.id);
    const { items, ids } = await casesInForce(this.#table, { orgId, suiteId, push });
    const bars = this.#bars.get(suiteId) ?? [];
    const last = bars.at(-1);
    if (last !== undefined) last.untilMs = nowMs;
    bars.push(barOf(suite, items, ids, nowMs));
    this.#bars.set(suiteId, bars);
  }

  latest(suiteId: string): Bar | undefined {
    return this.#bars.get(suiteId)?.at(-1);
  }

  /** Those in force at some moment, both ends included. */
  during(suiteId: string, fromMs: number, untilMs: number): Bar[] {
    const bars = this.#bars.get(suiteId) ?? [];
    return bars.filter((bar) => bar.fromMs <= untilMs && bar.untilMs >= fromMs);
  }

  digest(bar: Bar): string {
    const digest = this.#digests.get(bar) ?? barDigest(bar, this.scorers, this.#caseDigests);
    this.#digests.set(bar, digest);
    return digest;
  }
}

function barOf(suite: Item, items: readonly Item[], ids: readonly string[], fromMs: number): Bar {
  const places = new Map(ids.map((id, place) => [id, place]));
  const active = items.filter(({ sk, is_active }) => CASE_SK.test(String(sk)) && is_active === true);
  // A case is listed in the transaction that makes it.
  const cases = active.filter(({ id }) => places.has(String(id))).map(readCase);
  return {
    fromMs,
    untilMs: Number.POSITIVE_INFINITY,
    passThreshold: Number(suite.pass_threshold),
    gates: suite.gates as Bar['gates'],
    keepOutputs: String(suite.keep_outputs),
    cases: cases.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0)),
  };
}

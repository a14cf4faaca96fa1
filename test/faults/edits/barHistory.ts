import type { EvalCase } from '../../../shared/contracts/cases.ts';
import type { SuiteInForce } from '../../../shared/domain/suites/chains/chains.ts';
import { currentOf } from '../../../shared/domain/suites/chains/chains.ts';
import { completeCases } from '../../../shared/domain/suites/chains/completeMembers.ts';
import type { StoredSuite } from '../../../shared/domain/suites/stored.ts';
import { chainStore } from '../../../shared/storage/revisions/chains.ts';
import { suiteReader } from '../../../shared/storage/suites/readers/suiteReader.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import { type Bar, barDigest, readCase } from './bar.ts';

/** Every bar that each suite has had, from the writes to the table. */
export class BarHistory {
  readonly #table: Table;
  readonly #bars = new Map<string, Bar[]>();
  /** What was in force last, by the suite's id. */
  readonly #tokens = new Map<string, string>();
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
    const found = await suiteReader(this.#table).holding(orgId, suiteId);
    if (found === undefined || this.#tokens.get(suiteId) === found.head.position.token) return;
    this.#tokens.set(suiteId, found.head.position.token);
    const bars = this.#bars.get(suiteId) ?? [];
    const last = bars.at(-1);
    if (last !== undefined) last.untilMs = nowMs;
    bars.push(digestOfSuite(found.revision.fields.suite, await this.#casesOf(orgId, found), nowMs));
    this.#bars.set(suiteId, bars);
  }

  async #casesOf(orgId: string, found: SuiteInForce): Promise<EvalCase[]> {
    const present = currentOf(chainStore(this.#table), orgId, found);
    return completeCases(present, await present.ordered());
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

const digestOfSuite = (suite: StoredSuite, cases: readonly EvalCase[], fromMs: number): Bar => ({
  fromMs,
  untilMs: Number.POSITIVE_INFINITY,
  passThreshold: suite.pass_threshold,
  gates: suite.gates,
  keepOutputs: suite.keep_outputs,
  baseline: suite.baseline?.current ?? null,
  cases: cases.filter(({ is_active }) => is_active).map(readCase),
});

import { randomUUID } from 'node:crypto';
import { test } from '@jest/globals';
import fc from 'fast-check';
import type { PlanId } from '../../../../shared/contracts/auth.ts';
import { newApiKey, sha256OfKey } from '../../../../shared/domain/accounts/apiKey.ts';
import { signUp } from '../../../../shared/domain/accounts/signUp.ts';
import { reportOrganisation } from '../../../../shared/domain/billing/reportOverage.ts';
import { NOTHING_LEFT } from '../../../../shared/domain/evaluation/conclude.ts';
import { PLAN, type PlanInForce } from '../../../../shared/domain/plans.ts';
import { monthOf, timestamp } from '../../../../shared/domain/time.ts';
import { accountStore } from '../../../../shared/storage/accounts/accounts.ts';
import { putApiKey } from '../../../../shared/storage/accounts/apiKeyItems.ts';
import { accountMaker } from '../../../../shared/storage/accounts/newAccounts.ts';
import { overageStore } from '../../../../shared/storage/billing/overageReports.ts';
import { changePlan } from '../../../../shared/storage/billing/planChanges.ts';
import { projectUsageStore } from '../../../../shared/storage/billing/projectUsage.ts';
import { evaluationStore } from '../../../../shared/storage/evaluation/evaluations.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { usageStore } from '../../../../shared/storage/runs/usage.ts';
import { runKey } from '../../../../shared/storage/table/keys.ts';
import type { Item, Table } from '../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import '../../../support/seed.ts';
import { sized } from '../../../support/soak.ts';
import { addUsed } from '../../../support/usage.ts';
import { resultOf } from '../results.ts';
import { admission, finishedRun, type MadeSuite, makeStoredSuite, runOf } from '../stored.ts';

const MONTH_END_MS = Date.parse('2036-06-01T00:00:00.000Z');
const MONTHS = ['2036-05', '2036-06'] as const;
const NEVER = new Promise<never>(() => {});

const anyPlan = fc.constantFrom('free', 'pro', 'scale', 'enterprise');
/** After so many operations an actor is dead. */
const dies = fc.oneof({ weight: 4, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }, fc.nat(12));
const anyRun = fc.record({
  atMs: fc.integer({ min: MONTH_END_MS - 40, max: MONTH_END_MS + 20 }),
  /** Its first transaction meets another one, so that it counts in a shard. */
  meets: fc.boolean(),
  kind: fc.constantFrom('scored', 'scored', 'queued', 'refunded'),
  /** Whether its key does. */
  holdsPlan: fc.boolean(),
  operations: dies,
});
type AnyRun = typeof anyRun extends fc.Arbitrary<infer T> ? T : never;

const anyPlay = fc.record({
  scheduler: fc.scheduler(),
  first: anyPlan,
  /** Runs left before the quota or the overage of the first plan begins. */
  left: fc.nat(4),
  runs: fc.array(anyRun, { minLength: 1, maxLength: 9 }),
  changes: fc.array(fc.record({ plan: anyPlan, operations: dies }), { maxLength: 4 }),
  reports: fc.array(dies, { maxLength: 3 }),
});
type Play = typeof anyPlay extends fc.Arbitrary<infer T> ? T : never;

/** The table for one of several at once, whose operations the scheduler puts in any order. */
function tableOf(
  table: Table,
  scheduler: fc.Scheduler,
  actor: { operations: number; meets?: boolean },
): Table {
  let left = actor.operations;
  let met = actor.meets !== true;
  return new Proxy(table, {
    get(real, name: keyof Table & string) {
      const member = real[name];
      if (typeof member !== 'function') return member;
      return async (...args: never[]) => {
        if (left-- <= 0) return NEVER;
        await scheduler.schedule(Promise.resolve(), name);
        if (name === 'transact' && !met) {
          met = true;
          return { committed: false, failed: new Map() };
        }
        return (member as (...given: never[]) => unknown).apply(real, args);
      };
    },
  });
}

/** One organisation near the end of its plan's runs, around the end of a month. */
class Organisation {
  readonly table = new MemoryTable(() => MONTH_END_MS);
  /** Overage by the ids of its reports, as the provider keeps it. */
  readonly reported = new Map<string, number>();
  readonly preloaded: PlanInForce;
  readonly preload: number;
  readonly faults: string[] = [];
  #made!: MadeSuite;
  /** One that holds the plan, and one beyond those that do. */
  #keys: readonly [string, string] = ['', ''];

  constructor({ first, left }: Play) {
    this.preloaded = { id: first, version: first === 'free' ? 1 : 2 };
    this.preload = first === 'enterprise' ? left : PLAN[first].monthlyRuns - left;
  }

  get orgId(): string {
    return this.#made.orgId;
  }

  async begin(): Promise<void> {
    const deps = { accounts: accountMaker(this.table), now: () => MONTH_END_MS };
    const { organisation, api_key } = await signUp(
      { ...deps, newId: randomUUID },
      { name: 'Any', plan: 'free' },
    );
    const beyond = sha256OfKey(newApiKey());
    const { key, ...fields } = api_key;
    const withoutPlan = { ...fields, id: randomUUID(), sha256: beyond };
    await this.table.transact(
      putApiKey({ ...organisation, version: 1, plan_version: 1 }, withoutPlan, false),
    );
    this.#keys = [sha256OfKey(key), beyond];
    const ids = [organisation.id];
    this.#made = await makeStoredSuite(this.table, { newId: () => ids.pop() ?? randomUUID() });
    await this.change(this.table, this.preloaded.id);
    for (const month of MONTHS) await addUsed(this.table, this.orgId, month, this.preload);
  }

  change(table: Table, plan: PlanId) {
    return changePlan(table, { orgId: this.orgId, plan: () => plan, atMs: MONTH_END_MS, alongside: {} });
  }

  /** A request: authenticated, and stored a while later. */
  async run(table: Table, { atMs, kind, holdsPlan }: AnyRun): Promise<void> {
    const principal = await accountStore(table, () => atMs).principalOfKey(this.#keys[holdsPlan ? 0 : 1]);
    if (principal === undefined) throw new Error('the key is gone');
    const plan = { id: principal.plan, version: principal.planVersion };
    const times = { startedAtMs: atMs, completedAtMs: atMs };
    const finished = finishedRun(this.#made, [resultOf(0, 'x')], { ...times, plan });
    const labelled = { ...finished.run, trigger_meta: plan };
    const store = runStore(table, randomUUID);
    const stored =
      kind === 'scored'
        ? await store.commit({ ...finished, run: labelled })
        : await store.admit(
            admission(this.#made, {
              startedAtMs: atMs,
              plan,
              run: { ...labelled, status: 'pending', pass_rate: 0 },
            }),
          );
    if (stored.outcome === 'quota_exceeded' && stored.used < 500) this.faults.push(`a 402 at ${stored.used}`);
    if (stored.outcome !== 'stored' || kind !== 'refunded') return;
    const evaluations = evaluationStore(table, () => atMs);
    const evaluation = await evaluations.find(this.orgId, runOf(stored).id);
    const ended = { completed_at: timestamp(atMs), duration_ms: 0, refundsUsage: true };
    if (evaluation !== undefined) await evaluations.conclude(evaluation, { ...NOTHING_LEFT, ...ended });
  }

  report(table: Table): Promise<void> {
    return reportOrganisation(
      {
        overage: overageStore(table),
        billing: { find: async () => ({ customerId: 'cus' }) },
        payments: { reportOverage: async ({ id, from, to }) => void this.reported.set(id, to - from) },
        record: () => {},
        now: () => MONTH_END_MS,
      },
      this.orgId,
    );
  }

  /** What the runs that are stored, and no others, come to. */
  async check(): Promise<void> {
    const { pk } = runKey(this.orgId, this.#made.suite.id, 1);
    const items = await this.table.query({ pk, prefix: 'RUN#' });
    await this.report(this.table);
    for (const month of MONTHS) await this.#checkMonth(month, items);
  }

  async #checkMonth(month: string, items: readonly Item[]): Promise<void> {
    const stored = items.filter(({ created_at }) => monthOf(String(created_at)) === month);
    const labels = stored
      .filter(({ given_back }) => given_back !== true)
      .map(({ trigger_meta }): PlanInForce => JSON.parse(String(trigger_meta)));
    const runs = labels.sort((a, b) => a.version - b.version);
    // Those from before the play are the first, and within what their plan includes.
    const due = runs.filter(
      ({ id }, index) => typeof PLAN[id].overage === 'object' && this.preload + index >= PLAN[id].monthlyRuns,
    ).length;
    const ofMonth = [...this.reported].filter(([id]) => id.includes(`:${month}:`));
    const reported = ofMonth.reduce((sum, [, overage]) => sum + overage, 0);
    const used = await usageStore(this.table).used(this.orgId, month);
    const made = this.preload + runs.length;
    if (used !== made) this.faults.push(`${used} runs are counted, and ${made} were stored`);
    const projects = await projectUsageStore(this.table).byProject(this.orgId, month);
    const ofProject = (id: string | null) => projects.find((one) => one.id === id)?.runs ?? 0;
    const shown = [ofProject(null), ofProject(this.#made.suite.project_id)];
    if (shown.join() !== [this.preload, runs.length].join())
      this.faults.push(`${shown.join(' and ')} are outside and in the project, of ${made} runs`);
    if (projects.reduce((sum, one) => sum + one.runs, 0) !== used)
      this.faults.push('the runs of the projects are not those of the organisation');
    // A refund may come after the report.
    const isExact = stored.length === labels.length ? reported === due : reported >= due;
    if (!isExact) this.faults.push(`${reported} runs are reported, and ${due} are overage`);
    const versions = new Set(labels.map(({ version }) => version));
    if (versions.size === 1 && runs[0]?.id === 'free' && made > 500)
      this.faults.push(`Free has ${made} runs`);
  }
}

/** In any order of runs, plan changes and reports, wherever one of them dies. */
const everyRunIsBilledOnce = fc.asyncProperty(anyPlay, async (play) => {
  const { scheduler, runs, changes, reports } = play;
  const organisation = new Organisation(play);
  await organisation.begin();
  const { table } = organisation;
  const begun = [
    ...runs.map((run) => organisation.run(tableOf(table, scheduler, run), run)),
    ...changes.map((change) => organisation.change(tableOf(table, scheduler, change), change.plan)),
    ...reports.map((operations) => organisation.report(tableOf(table, scheduler, { operations }))),
  ];
  const failed: unknown[] = [];
  for (const one of begun) one.catch((error) => failed.push(error));
  await scheduler.waitIdle();
  await organisation.check();
  const faults = [...organisation.faults, ...failed];
  if (faults.length > 0) throw new Error(faults.join('; '));
});

test('each run is counted and billed once, in any order of runs, plan changes, reports and ends of months', () =>
  fc.assert(everyRunIsBilledOnce, { numRuns: sized(150, 10_000) }));

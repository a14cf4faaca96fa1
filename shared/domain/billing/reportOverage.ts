import type { PositionStore } from '../shards/ports.ts';
import { walkShard } from '../shards/walk.ts';
import { MINUTE_MS, monthOf, timestamp } from '../time.ts';
import type {
  BillingLog,
  BillingStore,
  OverageMonth,
  OverageReport,
  OverageStore,
  Payments,
} from './ports.ts';

export interface ReportDeps {
  readonly overage: OverageStore;
  readonly billing: Pick<BillingStore, 'find'>;
  readonly payments: Pick<Payments, 'reportOverage'>;
  readonly record: BillingLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface ReportAllDeps extends ReportDeps {
  readonly positions: PositionStore;
}

/** The provider recognises an identifier for 24 h at least. An older report, sent again, might be counted twice. */
const SENT_AGAIN_FOR_MS = 23 * 3_600_000;
/** An unconfirmed report, the overage since, and one report that another invocation left. */
const REPORTS_MAX = 3;

/** This month and the one before, whose last runs may not be reported yet. */
export function reportedMonths(nowMs: number): readonly string[] {
  const now = new Date(nowMs);
  const previous = timestamp(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1));
  return [monthOf(previous), monthOf(timestamp(nowMs))];
}

/** Time for one shard, less than its function's timeout. The next invocation does the rest. */
const WORK_MS = 14 * MINUTE_MS;
const AT_ONCE = 16;

/** A failure for one organisation does not stop the others; it is thrown at the end. */
export async function reportAllOverage(deps: ReportAllDeps, shards: readonly number[]): Promise<void> {
  let failed = 0;
  const report = async (orgId: string): Promise<void> => {
    try {
      await reportOrganisation(deps, orgId);
    } catch (error) {
      failed++;
      deps.record('overage_report_failed', { org_id: orgId, error: String(error) });
    }
  };
  for (const shard of shards) {
    await walkShard(deps, {
      name: `overage-${shard}`,
      page: (after) => deps.overage.subscribers(shard, { after, limit: AT_ONCE }),
      act: async (orgIds) => void (await Promise.all(orgIds.map(report))),
      workMs: WORK_MS,
    });
  }
  if (failed > 0) throw new Error(`The overage of ${failed} organisations could not be reported`);
}

export async function reportOrganisation(deps: ReportDeps, orgId: string): Promise<void> {
  for (const month of reportedMonths(deps.now())) await reportMonth(deps, orgId, month);
}

/** Exactly once: a report is stored, sent and confirmed; after a crash it is sent again under the same id. */
async function reportMonth(deps: ReportDeps, orgId: string, month: string): Promise<void> {
  for (let reports = 0; reports < REPORTS_MAX; reports++) {
    const overage = await deps.overage.month(orgId, month);
    const report = overage.report ?? (await nextReport(deps, orgId, month, overage));
    if (report === undefined) return;
    await send(deps, orgId, month, report);
  }
}

/** Undefined when there is no overage to report, or another invocation reports it. */
async function nextReport(
  { overage, billing, now }: ReportDeps,
  orgId: string,
  month: string,
  { overage: to, reported: from }: OverageMonth,
): Promise<OverageReport | undefined> {
  if (to <= from) return undefined;
  const customerId = (await billing.find(orgId))?.customerId ?? null;
  if (customerId === null) return undefined;
  const id = `${orgId}:${month}:${from}-${to}`;
  return overage.intend(orgId, month, { id, customerId, from, to, at: now() });
}

async function send(deps: ReportDeps, orgId: string, month: string, report: OverageReport): Promise<void> {
  const { overage, payments, record, now } = deps;
  const news = { org_id: orgId, month, report: report.id, runs: report.to - report.from };
  if (now() - report.at > SENT_AGAIN_FOR_MS) {
    // The provider may have counted it or not. The report is given up: an invoice may be too low, never too high.
    await overage.close(orgId, month, report, 'unconfirmed');
    record('overage_unconfirmed', news);
    return;
  }
  await payments.reportOverage(report);
  await overage.close(orgId, month, report, 'confirmed');
  record('overage_reported', news);
}

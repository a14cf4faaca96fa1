import { handler as getRun } from '../../../functions/runs/get.ts';
import { handler as listResults } from '../../../functions/runs/results.ts';
import type { RunResult } from '../../../shared/contracts/results/results.ts';
import type { Run } from '../../../shared/contracts/runs.ts';
import type { AuditedRun } from '../auditor.ts';
import { direct, type SuiteFixture } from '../fixtures.ts';
import { insist } from '../insist.ts';
import type { SimulatedService } from '../simulatedService.ts';
import { auditRelative } from './auditRelative.ts';
import { auditExcerpts, auditResults } from './auditResults.ts';
import { auditVerdict } from './auditVerdict.ts';
import type { Bar, BarCase } from './bar.ts';
import { isRefused, match, outputsDigest } from './matching.ts';
import type { Sent } from './sent.ts';

export interface Expected {
  /** Suites change while their runs are under way. */
  readonly edited?: boolean;
  /** The scenario contains nothing that may prevent a verdict. */
  readonly conclusive?: boolean;
  /** A judge of its own answers, whose calls are not counted. */
  readonly hasOwnJudge?: boolean;
}

/** A run that has ended, with all that an oracle knows of it. */
export interface EndedRun {
  readonly name: string;
  readonly audited: AuditedRun;
  readonly run: Run;
  readonly results: readonly RunResult[];
  readonly sent: Sent;
  readonly fixture: SuiteFixture;
}

export async function auditRun(
  service: SimulatedService,
  audited: AuditedRun,
  fixture: SuiteFixture,
  expected: Expected,
): Promise<void> {
  const { auditor, direct: runtime } = service;
  const { id, label } = audited;
  const call = { params: { runId: id } };
  const { apiKey } = fixture.org;
  const run: Run = (await direct(getRun.withRuntime(runtime), call, apiKey)).data;
  const results: RunResult[] = (await direct(listResults.withRuntime(runtime), call, apiKey)).data;
  const name = `run ${label} (${id})`;
  insist(run.status !== 'pending', `${name} is pending`);
  insist(run.completed_at !== null && run.completed_at >= run.created_at, `${name} ended too early`);
  if (audited.results !== undefined) {
    insist(audited.results === (await auditor.resultsOf(audited)), `results of ${name} changed`);
  }
  insist(
    !expected.conclusive || !audited.givesBack,
    `${name} was given back, and nothing kept it from its verdict`,
  );
  const { sent, sinceMs } = auditor.sent.get(label) ?? {};
  insist(sent !== undefined && sinceMs !== undefined, `${name} was never sent`);
  // Its bar was in force while the request was under way, however long the run waited afterwards.
  const bars = auditor.bars.during(fixture.suite.id, sinceMs, audited.storedAtMs);
  const ended = { name, audited, run, results, sent, fixture };
  auditTaken(ended, bars);
  if (audited.givesBack) {
    insist(run.status === 'aborted' && run.inconclusive, `${name} was given back, and is conclusive`);
    if (run.suite_digest === null) return;
  }
  const same = bars.filter((some) => auditor.bars.digest(some) === run.suite_digest);
  const [bar] = same;
  insist(bar !== undefined, `${name} was judged by ${run.suite_digest}, which the suite did not have`);
  auditFit(ended, bar);
  if (!expected.edited) {
    const ids = results.map(({ case_id }) => case_id);
    insist(idsOf(bar).join() === fixture.caseIds.join(), `${name} has other cases`);
    insist(ids.join() === idsOf(bar, byGravity).join(), `${name} has other cases, or in another order`);
  }
  auditResults(service, ended, bar, expected);
  if (!audited.givesBack) auditExcerpts(ended, same);
  auditVerdict(ended, bar, await auditRelative(service, ended, same));
}

const byGravity = (one: BarCase, other: BarCase): number =>
  Number(other.mustPass) - Number(one.mustPass) || other.weight - one.weight;

const idsOf = ({ cases }: Bar, order: (one: BarCase, other: BarCase) => number = () => 0): string[] =>
  cases.toSorted(order).map(({ id }) => id);

/** What was judged is what was sent, by the bar that was in force. */
function auditFit({ name, run, sent }: EndedRun, bar: Bar): void {
  insist(
    sent.suite_digest === undefined || sent.suite_digest === run.suite_digest,
    `${name} met another bar`,
  );
  insist(!isRefused(bar, sent, Date.parse(run.created_at)), `${name} does not fit its bar`);
  const matched = match(bar, sent);
  const { surplus, surplus_outputs, outputs_digest, pass_threshold } = run;
  insist(surplus_outputs === matched.surplusOutputs, `${name} has ${surplus_outputs} surplus outputs`);
  insist(
    surplus.toSorted().join() === matched.surplus.toSorted().join(),
    `${name} names ${surplus} as surplus`,
  );
  insist(outputs_digest === outputsDigest(matched, sent), `${name} has another digest of its outputs`);
  insist(pass_threshold === bar.passThreshold, `${name} had the pass threshold ${pass_threshold}`);
}

/** A pending run takes each sample that was sent for a case with a judge. */
function auditTaken({ name, audited, fixture, sent }: EndedRun, bars: readonly Bar[]): void {
  const { scorers, votes } = fixture.org;
  const judgedIn = (bar: Bar) => {
    const { byCase } = match(bar, sent);
    const judged = bar.cases.filter(({ scorerId }) => scorerId === scorers.judge);
    return (judged.flatMap(({ id }) => byCase.get(id) ?? []).length * (votes + 1)) / 2;
  };
  const { tookCases } = audited;
  // Of a run that was scored at once no case is open.
  const due = [...bars.map(judgedIn)];
  insist(due.includes(tookCases), `${name} took ${tookCases} judged cases, and its suite had ${due}`);
}

import { handler as listBaselines } from '../../../functions/baselines/list.ts';
import { handler as getRun } from '../../../functions/runs/get.ts';
import { handler as listResults } from '../../../functions/runs/results.ts';
import type { Baseline } from '../../../shared/contracts/baseline/baselines.ts';
import { baselineId } from '../../../shared/domain/revisions/ids.ts';
import {
  isComparable,
  type ModelPair,
  modelDifference,
  modelNewlyFailing,
  newlyFailing,
} from '../../shared/scoring/verdict/baseline/model.ts';
import { direct } from '../fixtures.ts';
import { insist } from '../insist.ts';
import type { SimulatedService } from '../simulatedService.ts';
import type { EndedRun } from './auditRun.ts';
import type { Bar } from './bar.ts';
import { type JudgedSide, pairsOf } from './comparing.ts';

const CLOSE = 1e-6;

/**
 * What a run says of its baseline follows from the runs that were accepted, which was in force with its bar while the
 * request was under way. Answers the statuses of relative gates.
 */
export async function auditRelative(
  service: SimulatedService,
  ended: EndedRun,
  bars: readonly Bar[],
): Promise<Readonly<Record<string, string>>> {
  const { name, run, results, sent, fixture, audited } = ended;
  const [bar] = bars;
  insist(bar !== undefined, `${name} has no bar`);
  if (audited.givesBack) return {};
  const inForce = bars.map(({ baseline }) => (baseline === null ? null : baselineId(run.suite_id, baseline)));
  insist(inForce.includes(run.baseline_id), `${name} has the baseline ${run.baseline_id}, not ${inForce}`);
  const isNone = run.baseline_id === null;
  insist(isNone === (run.comparison === null), `${name} has a baseline or a comparison alone`);
  const side = { results, bar, isSingle: sent.output !== undefined };
  const compared = isNone ? undefined : await comparedWith(service, ended, side);
  if (compared !== undefined && run.comparison !== null) {
    const { newly_failing_count: count, newly_failing, comparable, difference } = run.comparison;
    const { pairs, runs } = compared;
    const due = newlyFailing(pairs, runs);
    const isSame = count === due.length && newly_failing.every((key) => due.includes(key));
    insist(isSame, `${name} says ${count} got worse, ${newly_failing}, and the results say ${due}`);
    const isDue = isComparable(pairs, runs, bar.gates.min_comparable);
    insist(comparable === isDue, `${name} is comparable: ${comparable}`);
    const fall = modelDifference(pairs, runs);
    insist(Math.abs(difference - fall) < CLOSE, `${name} differs by ${difference}`);
  }
  auditWaived(ended);
  await auditCarried(service, ended);
  if (bar.gates.max_newly_failing === undefined) return {};
  insist(fixture.suite.id === run.suite_id, `${name} is of another suite`);
  const status = compared && modelNewlyFailing(compared.pairs, compared.runs, bar);
  return { max_newly_failing: status ?? 'inconclusive' };
}

async function resultsOf({ direct: runtime }: SimulatedService, runId: string, apiKey: string) {
  const call = { params: { runId } };
  const { data: run } = await direct(getRun.withRuntime(runtime), call, apiKey);
  const { data: results } = await direct(listResults.withRuntime(runtime), call, apiKey);
  return { run, results };
}

async function comparedWith(
  service: SimulatedService,
  { run, fixture }: EndedRun,
  side: JudgedSide,
): Promise<{ readonly pairs: readonly ModelPair[]; readonly runs: number }> {
  const { auditor, direct: runtime } = service;
  const { apiKey, scorers } = fixture.org;
  const call = { params: { suiteId: run.suite_id }, query: { pageSize: '100' } };
  const list: Baseline[] = (await direct(listBaselines.withRuntime(runtime), call, apiKey)).data;
  const found = list.find(({ id }) => id === run.baseline_id);
  insist(found !== undefined, `the baseline ${run.baseline_id} of ${run.id} is not listed`);
  const known = auditor.bars.during(run.suite_id, 0, Number.POSITIVE_INFINITY);
  const bar = known.find((one) => auditor.bars.digest(one) === found.suite_digest);
  insist(bar !== undefined, `the suite never had the bar ${found.suite_digest}`);
  const sides: JudgedSide[] = [];
  const digests = new Set<string>();
  for (const id of found.run_ids) {
    const accepted = await resultsOf(service, id, apiKey);
    const { sent } = auditor.sent.get(accepted.run.trigger_meta.label) ?? {};
    // Copies count once.
    if (digests.has(accepted.run.outputs_digest)) continue;
    digests.add(accepted.run.outputs_digest);
    sides.push({ results: accepted.results, bar, isSingle: sent?.output !== undefined });
  }
  const pairs = pairsOf(side, sides, (scorerId) => scorerId === scorers.judge);
  return { pairs, runs: sides.length };
}

/** A waiver changes nothing but what it says. */
function auditWaived({ name, run }: EndedRun): void {
  const { waiver } = run;
  if (waiver === null) return;
  insist(run.status === 'aborted' && !run.inconclusive, `${name} is ${run.status}, and waived`);
  const isSame = waiver.suite_digest === run.suite_digest && waiver.outputs_digest === run.outputs_digest;
  insist(isSame, `${name} is waived by other digests`);
}

/** What failed was seen where the waiver was made. */
async function auditCarried(
  service: SimulatedService,
  { name, run, results, fixture }: EndedRun,
): Promise<void> {
  if (run.waiver === null || run.waiver.run_id === run.id) return;
  const waived = await resultsOf(service, run.waiver.run_id, fixture.org.apiKey);
  const failed = new Set(
    waived.results.flatMap((one: (typeof results)[number]) =>
      one.passed || one.advisory ? [] : [one.case_id],
    ),
  );
  const unseen = results.filter(
    ({ passed, advisory, case_id }) => !passed && !advisory && !failed.has(case_id),
  );
  insist(
    unseen.length === 0,
    `${name} carries a waiver, and nobody has seen ${unseen.map(({ key }) => key)} fail`,
  );
}

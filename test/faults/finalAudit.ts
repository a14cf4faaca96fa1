import { handler as getRun } from '../../functions/runs/get.ts';
import { handler as listRuns } from '../../functions/runs/list.ts';
import { handler as listResults } from '../../functions/runs/results.ts';
import type { Run, RunResult } from '../../shared/contracts/runs.ts';
import { verdictOf } from '../../shared/scoring/engine.ts';
import { PENDING_SHARDS, pendingShard } from '../../shared/storage/table/keys.ts';
import type { AuditedRun } from './auditor.ts';
import type { Clients, Submission } from './clients.ts';
import { auditDays } from './days.ts';
import { direct, type SuiteFixture } from './fixtures.ts';
import { faultOfOpenCases } from './openCases.ts';
import { scoreOf } from './provider.ts';
import type { SimulatedService } from './simulatedService.ts';
import { Violation } from './simulation.ts';

export interface Expected {
  /** Suites change while their runs are under way. */
  readonly edited?: boolean;
  /** The scenario contains nothing that may prevent a verdict. */
  readonly conclusive?: boolean;
}

const PAGE = 100;
const LEASE_MS = 135_000;

export function insist(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Violation(what);
}

/** Checks every run at the end of the simulation, through the API. */
export async function auditTheEnd(
  service: SimulatedService,
  clients: Clients,
  suites: readonly SuiteFixture[],
  expected: Expected,
): Promise<void> {
  const { auditor, orgs, table } = service;
  const runs = [...auditor.runs.values()];
  for (const run of runs) await auditRun(service, run, suites, expected);
  for (let shard = 0; shard < PENDING_SHARDS; shard++) {
    insist((await table.query(pendingShard(shard))).length === 0, 'the list of pending runs is not empty');
  }
  for (const { orgId } of orgs) {
    await auditor.checkUsage(orgId);
    const left = await faultOfOpenCases(table, orgId, []);
    insist(left === undefined, `all runs have ended, and ${left}`);
    service.sim.check();
    const slots = await table.query({ pk: `ORG#${orgId}`, prefix: 'SLOT#' });
    const lateMs = service.sim.now() + LEASE_MS + service.settings.skewMs;
    insist(!slots.some((slot) => Number(slot.leased_until) > lateMs), 'a lease outlives its call');
  }
  for (const suite of suites) await auditList(service, suite, runs);
  for (const submission of clients.submissions) auditAnswers(submission, clients.submissions, runs);
}

async function auditList(
  { direct: runtime, table }: SimulatedService,
  { suite, org }: SuiteFixture,
  runs: readonly AuditedRun[],
): Promise<void> {
  const own = runs.filter(({ suiteId }) => suiteId === suite.id).toSorted((a, b) => b.number - a.number);
  const numbers = own.map(({ number }) => number);
  insist(new Set(numbers).size === numbers.length, `runs are numbered ${numbers}`);
  if ((await table.get({ pk: `ORG#${org.orgId}#SUITE#${suite.id}`, sk: 'SUITE' })) === undefined) return;
  const call = { params: { suiteId: suite.id }, query: { pageSize: String(PAGE) } };
  const page = await direct(listRuns.withRuntime(runtime), call, org.apiKey);
  const total = page.pagination?.total ?? page.total;
  insist(total === numbers.length, `the list says ${total} runs, and there are ${numbers.length}`);
  const listed: Run[] = page.data;
  const isWhole = listed.map(({ id }) => id).join() === own.map(({ id }) => id).join();
  insist(isWhole, 'the list leaves runs out, or has another order');
  const times = listed.map(({ created_at }) => created_at);
  insist(times.join() === times.toSorted().toReversed().join(), `times do not rise with numbers: ${times}`);
  await auditDays(table, { suite, org }, listed);
}

async function auditRun(
  service: SimulatedService,
  audited: AuditedRun,
  suites: readonly SuiteFixture[],
  expected: Expected,
): Promise<void> {
  const { auditor, direct: runtime, provider } = service;
  const { edited = false, conclusive = false } = expected;
  const { id, label, suiteId } = audited;
  const fixture = suites.find(({ suite }) => suite.id === suiteId);
  insist(fixture !== undefined, `run ${label} belongs to no suite`);
  const { apiKey } = fixture.org;
  const call = { params: { runId: id } };
  const run: Run = (await direct(getRun.withRuntime(runtime), call, apiKey)).data;
  const results: RunResult[] = (await direct(listResults.withRuntime(runtime), call, apiKey)).data;
  insist(run.status !== 'pending', `run ${label} is pending`);
  insist(run.completed_at !== null && run.completed_at >= run.created_at, `run ${label} ended too early`);
  if (audited.results !== undefined) {
    insist(audited.results === (await auditor.resultsOf(audited)), `results of ${label} changed`);
  }
  insist(
    !conclusive || !audited.givesBack,
    `run ${label} was given back, and nothing kept it from its verdict`,
  );
  if (audited.givesBack) {
    insist(run.status === 'aborted' && run.inconclusive, `run ${label} was given back, and is conclusive`);
    // Never planned: its cases are unknown.
    if (results.length === 0) return;
  }
  const name = `run ${label} (${id})`;
  const ids = results.map(({ case_id }) => case_id);
  insist(new Set(ids).size === ids.length, `${name} has a case twice`);
  insist(ids.length === run.total_cases, `${name} has ${ids.length} results of ${run.total_cases}`);
  if (!edited) insist(ids.join() === fixture.caseIds.join(), `${name} has other cases, or in another order`);
  insist(audited.givesBack || auditor.wasActive(suiteId, ids), `${name} has cases that were never together`);
  auditFigures(name, run, results);
  auditErrors(service, audited, run, results, expected);
  if (!audited.givesBack && !edited) {
    const weighed = results.map(({ passed, scorer_output }) => ({
      ...{ weight: 1, passed, errored: scorer_output.error !== undefined },
    }));
    const verdict = verdictOf(weighed, fixture.shape.passThreshold ?? 0.5);
    insist(verdict.status === run.status, `${name} is ${run.status}, and its results say ${verdict.status}`);
  }
  for (const [index, result] of results.entries()) {
    const isJudged = fixture.shape.isJudged(index);
    if (edited || result.scorer_output.error !== undefined) continue;
    const score = isJudged ? scoreOf(result.case_name) : Number(!/bad/.test(result.case_name));
    insist(result.score === score, `${name}: ${result.case_name} scored ${result.score}`);
    const calls = provider.calls.get(`${label}/${result.case_name}`) ?? 0;
    insist(!isJudged || calls > 0, `${name}: ${result.case_name} has a verdict that nobody gave`);
    insist(
      !conclusive || calls < 2,
      `${name}: ${result.case_name} was asked ${calls} times, and nothing failed`,
    );
  }
}

/** An error names the cause of a missing verdict, which must have occurred. */
function auditErrors(
  { provider, shutFor, settings }: SimulatedService,
  { label, orgId, givesBack }: AuditedRun,
  { created_at }: Run,
  results: readonly RunResult[],
  { conclusive = false }: Expected,
): void {
  const errors = results.flatMap(({ scorer_output }) => scorer_output.error ?? []);
  insist(!conclusive || errors.length === 0, `run ${label} has errors, and nothing failed: ${errors}`);
  const isEvaluated = !errors.includes('EVALUATION_FAILED');
  insist(givesBack || isEvaluated, `run ${label} counts, and was not evaluated to its end`);
  const isRejected = errors.includes('BYOK_KEY_REJECTED');
  const mayBeRejected = shutFor.has(orgId) || provider.keys.rejectsOneOf(orgId);
  insist(!isRejected || mayBeRejected, `run ${label} says that a good key was rejected`);
  const heldForMs = Date.parse(created_at) - settings.skewMs - provider.keys.heldSinceMs(orgId);
  const isMissing = errors.includes('BYOK_KEY_MISSING');
  insist(!isMissing || !(heldForMs > 0), `run ${label} missed a key that was stored before it began`);
}

function auditFigures(name: string, run: Run, results: readonly RunResult[]): void {
  const passed = results.filter((result) => result.passed);
  insist(run.passed_cases === passed.length, `${name} says ${run.passed_cases} passed of ${passed.length}`);
  insist(run.failed_cases === run.total_cases - passed.length, `${name} counts its failed cases wrongly`);
  const errored = results.filter(({ scorer_output }) => scorer_output.error !== undefined);
  insist(run.errored_cases === errored.length, `${name} counts its errored cases wrongly`);
  insist(!errored.some((result) => result.passed), `an errored case of ${name} passes`);
}

function auditAnswers(
  { label, key, suite, answers }: Submission,
  all: readonly Submission[],
  runs: readonly AuditedRun[],
): void {
  const own = runs.filter((run) => run.label === label);
  insist(own.length <= 1, `${label} is ${own.length} runs`);
  const isRefused = answers.some(({ status }) => status === 402 || status === 429);
  insist(!isRefused || own.length === 0 || key !== undefined, `${label} was refused, and is a run`);
  const [run] = own;
  insist(run === undefined || run.orgId === suite.org.orgId, `${label} is a run of another organisation`);
  for (const { status, body } of answers) {
    if (status !== 200 && status !== 202) continue;
    insist(run !== undefined && body.id === run.id, `${label} was told of ${body.id}, which is not its run`);
    if (status === 200) insist(body.status === run.status, `${label} was told ${body.status}`);
  }
  if (key === undefined) return;
  const isSame = (other: Submission) => other.key === key && other.suite.org === suite.org;
  const told = all.filter(isSame).flatMap((other) => other.answers);
  const verdicts = told.filter(({ status }) => status === 200).map(({ body }) => JSON.stringify(body));
  insist(new Set(verdicts).size <= 1, `the requests with key ${key} were told different verdicts`);
}

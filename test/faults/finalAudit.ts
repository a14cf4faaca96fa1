import { zstdDecompressSync } from 'node:zlib';
import { handler as getRun } from '../../functions/runs/get.ts';
import { handler as listRuns } from '../../functions/runs/list.ts';
import { handler as listResults } from '../../functions/runs/results.ts';
import type { Run, RunResult } from '../../shared/contracts/runs.ts';
import { verdictOf } from '../../shared/scoring/engine.ts';
import { PENDING_SHARDS, pendingShard } from '../../shared/storage/keys.ts';
import type { AuditedRun } from './auditor.ts';
import type { Clients, Submission } from './clients.ts';
import { direct, type SuiteFixture } from './fixtures.ts';
import { scoreOf } from './provider.ts';
import { Violation } from './simulation.ts';
import type { World } from './world.ts';

const PAGE = 100;
const LEASE_MS = 95_000;

function insist(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Violation(what);
}

/** When nothing is left to happen: what every run came to, seen as a client sees it. */
export async function auditTheEnd(
  world: World,
  clients: Clients,
  suites: readonly SuiteFixture[],
  { edited = false }: { edited?: boolean } = {},
): Promise<void> {
  const { auditor, direct: runtime, org, table } = world;
  const runs = [...auditor.runs.values()];
  for (const run of runs) await auditRun(world, run, suites, edited);
  const counted = runs.filter(({ givesBack }) => !givesBack).length;
  insist((await auditor.usage()) === counted, 'usage is not what was concluded');
  for (let shard = 0; shard < PENDING_SHARDS; shard++) {
    insist((await table.query(pendingShard(shard))).length === 0, 'the list of pending runs is not empty');
  }
  const slots = await table.query({ pk: `ORG#${org.orgId}`, prefix: 'SLOT#' });
  const late = slots.filter((slot) => Number(slot.leased_until) > world.sim.now() + LEASE_MS);
  insist(late.length === 0, 'a lease outlives its call');
  for (const { suite } of suites) {
    const numbers = runs.filter(({ suiteId }) => suiteId === suite.id).map(({ number }) => number);
    const wanted = numbers.map((_, index) => index + 1);
    insist(numbers.toSorted((a, b) => a - b).join() === wanted.join(), `runs are numbered ${numbers}`);
    if ((await table.get({ pk: `ORG#${org.orgId}#SUITE#${suite.id}`, sk: 'SUITE' })) === undefined) continue;
    const call = { params: { suiteId: suite.id }, query: { pageSize: String(PAGE) } };
    const page = await direct(listRuns.withRuntime(runtime), call, org.apiKey);
    const total = page.pagination?.total ?? page.total;
    insist(total === numbers.length, `the list says ${total} runs, and there are ${numbers.length}`);
    insist(page.data.length === Math.min(PAGE, numbers.length), 'the list leaves runs out');
  }
  for (const submission of clients.submissions) auditAnswers(submission, clients.submissions, runs);
}

async function auditRun(
  { auditor, direct: runtime, org, provider }: World,
  audited: AuditedRun,
  suites: readonly SuiteFixture[],
  edited: boolean,
): Promise<void> {
  const { id, label, suiteId, attempt } = audited;
  const call = { params: { runId: id } };
  const run: Run = (await direct(getRun.withRuntime(runtime), call, org.apiKey)).data;
  const results: RunResult[] = (await direct(listResults.withRuntime(runtime), call, org.apiKey)).data;
  const fixture = suites.find(({ suite }) => suite.id === suiteId);
  insist(fixture !== undefined, `run ${label} belongs to no suite`);
  insist(run.status !== 'pending', `run ${label} is pending`);
  insist(run.completed_at !== null && run.completed_at >= run.created_at, `run ${label} ended too early`);
  if (audited.results !== undefined) {
    insist(audited.results === (await auditor.resultsOf(suiteId, attempt)), `results of ${label} changed`);
  }
  if (audited.givesBack) {
    insist(run.status === 'aborted' && run.inconclusive, `run ${label} was given back, and is conclusive`);
    // Never planned: which cases it would have had is not known any more.
    if (results.length === 0) return;
  }
  const name = `run ${label} (${id})`;
  const ids = results.map(({ case_id }) => case_id);
  insist(new Set(ids).size === ids.length, `${name} has a case twice`);
  insist(ids.length === run.total_cases, `${name} has ${ids.length} results of ${run.total_cases}`);
  if (!edited) insist(ids.join() === fixture.caseIds.join(), `${name} has other cases, or in another order`);
  const passed = results.filter((result) => result.passed);
  insist(run.passed_cases === passed.length, `${name} says ${run.passed_cases} passed of ${passed.length}`);
  insist(run.failed_cases === run.total_cases - passed.length, `${name} counts its failed cases wrongly`);
  const errored = results.filter(({ scorer_output }) => scorer_output.error !== undefined);
  insist(run.errored_cases === errored.length, `${name} counts its errored cases wrongly`);
  insist(
    errored.every((result) => !result.passed),
    `an errored case of ${name} passes`,
  );
  if (!audited.givesBack && !edited) {
    const weighed = results.map((result) => ({
      weight: 1,
      passed: result.passed,
      errored: result.scorer_output.error !== undefined,
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
  }
}

function auditAnswers(
  { label, key, answers }: Submission,
  all: readonly Submission[],
  runs: readonly AuditedRun[],
): void {
  const own = runs.filter((run) => run.label === label);
  insist(own.length <= 1, `${label} is ${own.length} runs`);
  const [run] = own;
  for (const { status, body } of answers) {
    if (status !== 200 && status !== 202) continue;
    insist(run !== undefined && body.id === run.id, `${label} was told of ${body.id}, which is not its run`);
    if (status === 200) insist(body.status === run.status, `${label} was told ${body.status}`);
  }
  if (key === undefined) return;
  const told = all.filter((other) => other.key === key).flatMap((other) => other.answers);
  const verdicts = told.filter(({ status }) => status === 200).map(({ body }) => JSON.stringify(body));
  insist(new Set(verdicts).size <= 1, `the requests with key ${key} were told different verdicts`);
}

/** Nothing that is stored, sent, logged or answered holds the key, packed or not. */
export function auditSecrecy(world: World, stored: readonly unknown[], secret: string): void {
  const places: Record<string, readonly string[]> = {
    table: stored.map((item) => JSON.stringify(item, (_, value) => unpacked(value))),
    queue: [...world.queue.bodies, ...world.deadLetters.bodies],
    log: world.lines,
    answers: world.answers,
  };
  for (const [place, texts] of Object.entries(places)) {
    insist(!texts.some((text) => text.includes(secret)), `a key is to be read in the ${place}`);
  }
}

function unpacked(value: unknown): unknown {
  if (value instanceof Set) return [...value];
  if (!(value instanceof Uint8Array)) return value;
  try {
    return zstdDecompressSync(value).toString();
  } catch {
    return Buffer.from(value).toString('latin1');
  }
}

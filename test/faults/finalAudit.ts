import { handler as listRuns } from '../../functions/runs/list.ts';
import type { Run } from '../../shared/contracts/runs.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';
import { PENDING_SHARDS, pendingShard } from '../../shared/storage/table/keys.ts';
import type { AuditedRun } from './auditor.ts';
import type { Clients, Submission } from './clients.ts';
import { auditDays } from './days.ts';
import { auditRun, type Expected } from './edits/auditRun.ts';
import { auditRefusals } from './edits/refusals.ts';
import { direct, type SuiteFixture } from './fixtures.ts';
import { faultOfCaseKeys, faultOfScorerKeys } from './heldKeys.ts';
import { insist } from './insist.ts';
import { faultOfOpenCases } from './openCases.ts';
import { faultOfPayload } from './payloads.ts';
import type { SimulatedService } from './simulatedService.ts';

const PAGE = 100;
const LEASE_MS = 135_000;

/** Checks every run at the end of the simulation, through the API. */
export async function auditTheEnd(
  service: SimulatedService,
  clients: Clients,
  suites: readonly SuiteFixture[],
  expected: Expected,
): Promise<void> {
  const { auditor, orgs, table } = service;
  const runs = [...auditor.runs.values()];
  for (const run of runs) {
    const fixture = suites.find(({ suite }) => suite.id === run.suiteId);
    insist(fixture !== undefined, `run ${run.label} belongs to no suite`);
    await auditRun(service, run, fixture, expected);
    const left = await faultOfPayload(table, run);
    insist(left === undefined, left ?? '');
  }
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
  for (const suite of suites) {
    await auditList(service, suite, runs);
    await auditKeys(service, suite);
  }
  for (const submission of clients.submissions) {
    auditAnswers(submission, clients.submissions, runs);
    auditRefusals(service, submission);
  }
}

async function auditKeys({ table }: SimulatedService, { suite, org }: SuiteFixture): Promise<void> {
  const { orgId, project } = org;
  const faults = [
    await faultOfCaseKeys(table, { orgId, suiteId: suite.id }),
    await faultOfScorerKeys(table, { orgId, projectId: project.id }),
  ];
  for (const fault of faults) insist(fault === undefined, fault ?? '');
}

async function auditList(
  { direct: runtime, table, settings }: SimulatedService,
  { suite, org }: SuiteFixture,
  runs: readonly AuditedRun[],
): Promise<void> {
  const own = runs.filter(({ suiteId }) => suiteId === suite.id).toSorted((a, b) => b.number - a.number);
  const numbers = own.map(({ number }) => number);
  insist(new Set(numbers).size === numbers.length, `runs are numbered ${numbers}`);
  if ((await suiteReader(table).holding(org.orgId, suite.id)) === undefined) return;
  const call = { params: { suiteId: suite.id }, query: { pageSize: String(PAGE) } };
  const page = await direct(listRuns.withRuntime(runtime), call, org.apiKey);
  const total = page.pagination?.total ?? page.total;
  insist(total === numbers.length, `the list says ${total} runs, and there are ${numbers.length}`);
  const listed: Run[] = page.data;
  const isComplete = listed.map(({ id }) => id).join() === own.map(({ id }) => id).join();
  insist(isComplete, 'the list leaves runs out, or has another order');
  const early = listed.find(({ created_at }, index) => {
    return Date.parse(created_at) > (own[index]?.storedAtMs ?? 0) + settings.skewMs;
  });
  insist(early === undefined, `${early?.id} was stored before it was created, at ${early?.created_at}`);
  await auditDays(table, { suite, org }, listed);
}

function auditAnswers(
  { label, key, suite, answers }: Submission,
  all: readonly Submission[],
  runs: readonly AuditedRun[],
): void {
  const own = runs.filter((run) => run.label === label);
  insist(own.length <= 1, `${label} is ${own.length} runs`);
  const isRefused = answers.some(({ status }) => [400, 402, 409, 429].includes(status));
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
  const allAnswers = all.filter(isSame).flatMap((other) => other.answers);
  const verdicts = allAnswers.filter(({ status }) => status === 200).map(({ body }) => JSON.stringify(body));
  insist(new Set(verdicts).size <= 1, `the requests with key ${key} were told different verdicts`);
}

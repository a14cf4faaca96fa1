import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeJudgedGate } from '../../../functions/judged/gate.ts';
import { makeGate } from '../../../functions/runs/gate.ts';
import { api } from '../../../support/api.ts';
import { engineOnFullDisk, noise } from '../../../support/fullDisk.ts';
import { seriesOf } from '../../../support/prometheus.ts';
import { failure, hang } from '../../../support/providers.ts';
import { eventually, startService, temporaryFolder } from '../../../support/service.ts';
import { ended, type ProcessStage, startStage, submit } from '../../../support/stage.ts';

const METRICS_TOKEN = createHash('sha256').update('metrics').digest('hex');

let stage: ProcessStage;
beforeAll(async () => {
  stage = await startStage({ METRICS_TOKEN, LOG_LEVEL: 'error' });
});
afterAll(() => stage.stop());

const scrape = async (): Promise<string> => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const answer = await fetch(`${stage.service.baseUrl}/metrics`, { headers });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  return answer.text();
};

/** What a call adds to a series. */
async function added(series: string, act: () => Promise<unknown>): Promise<number> {
  const before = seriesOf(await scrape()).get(series) ?? 0;
  await act();
  return (seriesOf(await scrape()).get(series) ?? 0) - before;
}

test('all metrics are in the format of Prometheus from the start on, and verdicts and judges begin at 0', async () => {
  await scrape();
  const series = seriesOf(await scrape());
  const names = new Set([...series.keys()].map((name) => name.replace(/\{.*/, '')));
  expect([...names].sort()).toEqual([
    'evalgate_build_info',
    'evalgate_cases_judged_total',
    'evalgate_dead_letters',
    'evalgate_judge_slots',
    'evalgate_queue_age_seconds',
    'evalgate_queue_depth',
    'evalgate_requests_total',
    'evalgate_runs_total',
    'evalgate_storage_errors_total',
  ]);
  expect(series.get('evalgate_runs_total{verdict="inconclusive"}')).toBe(0);
  expect(series.get('evalgate_judge_slots{provider="azure_openai"}')).toBe(0);
});

test('runs count once by their verdict, also when they are answered twice, and whatever the log leaves out', async () => {
  const gate = await makeGate(stage.service.baseUrl);
  await gate.add({});
  const replayed = () =>
    gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: 'ok' }, { 'idempotency-key': 'a-run' });
  expect(await added('evalgate_runs_total{verdict="cleared"}', replayed)).toBe(1);
  expect(await added('evalgate_runs_total{verdict="cleared"}', replayed)).toBe(0);
  expect(await added('evalgate_runs_total{verdict="aborted"}', () => gate.run('no'))).toBe(1);
});

test('a queued run whose judge errors counts as inconclusive, and its error by provider and code', async () => {
  const gate = await makeJudgedGate(stage, { provider: 'anthropic' });
  stage.providers.always('anthropic', failure(401));
  const run = async () =>
    ended(gate.client, await submit(gate.client, { suite: gate.suite.slug, output: 'x' }));
  const outcome = 'evalgate_cases_judged_total{provider="anthropic",outcome="BYOK_KEY_REJECTED"}';
  const before = seriesOf(await scrape());
  await run();
  const after = seriesOf(await scrape());
  const grown = [...after].filter(([name, value]) => value > (before.get(name) ?? 0)).map(([name]) => name);
  expect(grown).toEqual(expect.arrayContaining([outcome, 'evalgate_runs_total{verdict="inconclusive"}']));
  stage.providers.reset();
});

test('while a judge is silent, a slot is taken and the message of the run grows old', async () => {
  const gate = await makeJudgedGate(stage, { provider: 'openai' });
  stage.providers.always('openai', hang());
  await submit(gate.client, { suite: gate.suite.slug, output: 'x' });
  const values = async () => {
    const series = seriesOf(await scrape());
    return [series.get('evalgate_judge_slots{provider="openai"}'), series.get('evalgate_queue_age_seconds')];
  };
  await eventually(async () => {
    const [slots = 0, age = 0] = await values();
    return slots === 1 && age > 0;
  });
});

test('routes count by their patterns, and neither ids nor unknown paths nor names make a series', async () => {
  const client = api(stage.service.baseUrl, stage.service.apiKey);
  const route = 'evalgate_requests_total{route="GET /v1/projects/{slug}",status="404"}';
  expect(await added(route, () => client('GET', '/v1/projects/secret-name'))).toBe(1);
  const before = seriesOf(await scrape()).size;
  for (const path of ['/v1/projects/other-name', '/wp-login.php', '/v1/x"} 1', '/v1/%22%0A'])
    await fetch(stage.service.baseUrl + path);
  const text = await scrape();
  expect(text).not.toMatch(/secret-name|other-name|wp-login|x"}|%22/);
  expect(seriesOf(text).size - before).toBeLessThanOrEqual(2);
});

test('a scrape waits for nothing of the table, and so counts under no rate limit', async () => {
  process.kill(stage.service.enginePid(), 'SIGSTOP');
  try {
    await scrape();
  } finally {
    process.kill(stage.service.enginePid(), 'SIGCONT');
  }
});

test('a token that is too short ends the start with a sentence that does not have it', async () => {
  const dataDir = temporaryFolder();
  const start = startService({ dataDir, env: { METRICS_TOKEN: 'short-and-secret' } });
  await expect(start).rejects.toThrow(/METRICS_TOKEN must have at least 32 visible ASCII characters/);
  await expect(start).rejects.not.toThrow(/short-and-secret/);
  rmSync(dataDir, { recursive: true });
});

test('writes that the disk refuses count as storage errors', async () => {
  const [dataDir, folder] = [temporaryFolder(), temporaryFolder()];
  const service = await startService({ dataDir, env: { DYNOXIDE_PATH: engineOnFullDisk(folder) } });
  const client = api(service.baseUrl, service.apiKey);
  const { suite, add } = await makeGate(service.baseUrl, {}, client);
  const { scorer_id } = await add({});
  let status = 201;
  for (let count = 0; status === 201; count++) {
    const body = { name: `case ${count}`, input: { noise: noise(count) }, scorer_id };
    status = (await client('POST', `/v1/suites/${suite.id}/cases`, body)).status;
  }
  // Without a token, and from this machine.
  const series = seriesOf(await (await fetch(`${service.baseUrl}/metrics`)).text());
  expect(status).toBe(507);
  expect(series.get('evalgate_storage_errors_total')).toBeGreaterThan(0);
  expect(series.get('evalgate_log_errors_total{code="unexpected_error"}')).toBeGreaterThan(0);
  await service.stop();
  for (const made of [dataDir, folder]) rmSync(made, { recursive: true });
});

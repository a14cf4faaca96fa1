import { expect, test } from '@jest/globals';
import { type Api, api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { makeKey } from '../apiKeys/organisation.ts';
import { makeBaselineGate } from './baselineGate.ts';

const url = sharedServiceUrl();
const NOBODYS = {
  run: 'run_2sEBDyJbT4nV4ZuFbFaeoVMAwOCx',
  suite: '3f9a2b1c-9d5e-4f7a-8b6c-1d2e3f4a5b6c',
};

const WAIVER = () => ({
  reason: 'It is wanted today.',
  expires_at: new Date(Date.now() + 86_400_000).toISOString(),
});

/** What changes a baseline or a waiver. */
const changing = (runId: string, suiteId: string): [string, string, object?][] => [
  ['POST', `/v1/suites/${suiteId}/baselines`, { run_ids: [runId] }],
  ['DELETE', `/v1/suites/${suiteId}/baseline`],
  ['POST', `/v1/runs/${runId}/waiver`, WAIVER()],
  ['DELETE', `/v1/runs/${runId}/waiver`],
];

const reading = (runId: string, suiteId: string): [string, string][] => [
  ['GET', `/v1/suites/${suiteId}/baseline`],
  ['GET', `/v1/suites/${suiteId}/baselines`],
  ['GET', `/v1/runs/${runId}/comparison`],
  ['GET', `/v1/suites/${suiteId}/revisions`],
];

async function answers(client: Api, calls: readonly (readonly [string, string, object?])[]) {
  const all: [number, unknown][] = [];
  for (const [method, path, body] of calls) {
    const answer = await client(method, path, body);
    all.push([answer.status, answer.body?.error]);
  }
  return all;
}

/** With a baseline, and an aborted run that is waived. */
async function released() {
  const made = await makeBaselineGate(url);
  const { client, suite } = made.gate;
  await made.accept([(await made.gate.run('one two three four')).id]);
  const { id } = await made.gate.run('one');
  expect((await client('POST', `/v1/runs/${id}/waiver`, WAIVER())).status).toBe(201);
  return { ...made, client, suite, runId: id };
}

test('keys of the scopes run and suites change neither baselines nor waivers, and read both', async () => {
  const { client, suite, runId } = await released();
  const before = await answers(client, reading(runId, suite.id));
  for (const scope of ['run', 'suites'] as const) {
    const scoped = api(url, (await makeKey(client, { scope })).key);
    const refused = await answers(scoped, changing(runId, suite.id));
    for (const [status, error] of refused)
      expect([status, error]).toEqual([403, expect.objectContaining({ code: 'SCOPE_REQUIRED' })]);
    expect(await answers(scoped, reading(runId, suite.id))).toEqual(before);
  }
  expect((await client('GET', `/v1/runs/${runId}`)).body.data.waiver).toMatchObject({ active: true });
});

test('to another organisation, and to a key of another project, none of it exists', async () => {
  const { client, suite, runId } = await released();
  const other = await makeProject(client);
  const elsewhere = api(url, (await makeKey(client, { project: other.slug })).key);
  for (const as of [await signUp(url), elsewhere]) {
    const calls = (run: string, of: string) => [...changing(run, of), ...reading(run, of)];
    const theirs = await answers(as, calls(runId, suite.id));
    expect(theirs).toEqual(await answers(as, calls(NOBODYS.run, NOBODYS.suite)));
    for (const [status] of theirs) expect(status).toBe(404);
  }
});

test('a run that is sent again by its key shows the same baseline and comparison, and its waiver as it is', async () => {
  const { accept, client, gate, suite } = await released();
  const send = (key: string) =>
    client('POST', '/v1/run', { suite: suite.slug, output: 'one two' }, { 'idempotency-key': key });
  const first = await send('again');
  expect(first.body).toMatchObject({ comparison: { newly_failing_count: 2 }, waiver: null });
  await accept([(await gate.run('one two')).id]);
  const { body } = await client('POST', `/v1/runs/${first.body.id}/waiver`, WAIVER());
  const again = await send('again');
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.body).toEqual({ ...first.body, waiver: body.data });
});

import { expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { addWordCases, type Gate, makeGate } from '../runs/gate.ts';

const url = sharedServiceUrl();
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const REASON = 'Approved by Ada: the new tone is wanted.';

/** Clears where two of three words are said. */
async function gateOfWords(fields: object = {}): Promise<Gate> {
  const gate = await makeGate(url, { pass_threshold: 0.9, ...fields });
  await addWordCases(gate, ['one', 'two', 'three']);
  return gate;
}

const waive = (client: Api, runId: string, fields: object = {}) =>
  client('POST', `/v1/runs/${runId}/waiver`, { reason: REASON, expires_at: inDays(7), ...fields });
const revoke = (client: Api, runId: string) => client('DELETE', `/v1/runs/${runId}/waiver`);
const waiverOf = async (client: Api, runId: string) =>
  (await client('GET', `/v1/runs/${runId}`)).body.data.waiver;

test('a waived run shows its waiver by its id and in the list, and nothing else of it changes', async () => {
  const { client, suite, run } = await gateOfWords();
  const { id, suite_digest, outputs_digest } = await run('one two');
  const { waiver: none, ...before } = (await client('GET', `/v1/runs/${id}`)).body.data;
  expect(none).toBe(null);
  const expires_at = inDays(7);
  const { status, body } = await waive(client, id, { expires_at });
  expect(status).toBe(201);
  expect(body.data).toEqual({
    id: expect.any(String),
    run_id: id,
    suite_digest,
    outputs_digest,
    reason: REASON,
    waived_by: { type: 'api_key', key_id: expect.any(String), label: expect.any(String) },
    created_at: expect.any(String),
    expires_at,
    active: true,
  });
  const { waiver, ...after } = (await client('GET', `/v1/runs/${id}`)).body.data;
  expect([waiver, after]).toEqual([body.data, before]);
  const [listed] = (await client('GET', `/v1/suites/${suite.id}/runs`)).body.data;
  expect(listed.waiver).toEqual(body.data);
  expect((await client('GET', `/v1/suites/${suite.id}`)).body.data.version).toBe(
    (await client('GET', `/v1/suites/${suite.id}`)).body.data.version,
  );
});

test('a later run of the same bar and outputs carries the waiver, until it is revoked where it was made', async () => {
  const { client, run } = await gateOfWords();
  const first = await run('one two');
  const earlier = await run('one two');
  const waiver = (await waive(client, first.id)).body.data;
  const later = await run('one two');
  expect(later).toMatchObject({ status: 'aborted', waiver });
  expect(await waiverOf(client, earlier.id)).toBe(null);
  expect((await run('one three')).waiver).toBe(null);
  expect((await revoke(client, later.id)).status).toBe(404);
  expect((await revoke(client, first.id)).status).toBe(204);
  expect((await revoke(client, first.id)).status).toBe(404);
  expect([await waiverOf(client, first.id), await waiverOf(client, later.id)]).toEqual([null, null]);
  expect((await run('one two')).waiver).toBe(null);
});

test('another bar is not waived, and one whose names alone have changed is', async () => {
  const { client, project, suite, run } = await gateOfWords();
  const first = await run('one two');
  await waive(client, first.id);
  const path = `/v1/projects/${project.slug}/suites/${suite.slug}`;
  await client('PATCH', path, { name: 'Another name' });
  expect((await run('one two')).waiver).toMatchObject({ run_id: first.id });
  await client('PATCH', path, { pass_threshold: 0.8 });
  expect(await run('one two')).toMatchObject({ status: 'aborted', waiver: null });
});

test('a second waiver replaces the first one', async () => {
  const { client, run } = await gateOfWords();
  const { id } = await run('one two');
  const first = (await waive(client, id)).body.data;
  const second = (await waive(client, id, { reason: 'It is wanted for longer.' })).body.data;
  expect(second.id).not.toBe(first.id);
  expect(await waiverOf(client, id)).toEqual(second);
  expect((await run('one two')).waiver).toEqual(second);
});

const whyOf = ({ status, body }: Awaited<ReturnType<typeof waive>>) => [
  status,
  body.error?.code,
  body.error?.details?.why,
];

test('a run is not waivable that was cleared, is inconclusive, or lacks a case that must pass', async () => {
  const gate = await gateOfWords();
  const { client } = gate;
  const refusal = (why: string) => [409, 'RUN_NOT_WAIVABLE', why];
  expect(whyOf(await waive(client, (await gate.run('one two three')).id))).toEqual(refusal('not_aborted'));
  const { id: must } = await gate.add({}, { name: 'Must', must_pass: true });
  expect(whyOf(await waive(client, (await gate.run('one two three')).id))).toEqual(
    refusal('must_pass_failed'),
  );
  await client('DELETE', `/v1/cases/${must}`);
  await client('PATCH', `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`, {
    gates: { min_judged_cases: 9 },
  });
  expect(whyOf(await waive(client, (await gate.run('one two three')).id))).toEqual(refusal('inconclusive'));
});

test('a waiver has a reason and an end within 30 days', async () => {
  const { client, run } = await gateOfWords();
  const { id } = await run('one two');
  const wrong: object[] = [
    { reason: 'too short' },
    { reason: ' '.repeat(20) },
    { reason: 'x'.repeat(2_001) },
    { expires_at: inDays(-1) },
    { expires_at: inDays(31) },
    { expires_at: 'tomorrow' },
    { expires_at: undefined },
    { until: 'tomorrow' },
  ];
  for (const fields of wrong) expect((await waive(client, id, fields)).status).toBe(400);
  expect(await waiverOf(client, id)).toBe(null);
  const utc = inDays(2);
  const offset = utc.replace('Z', '+00:00');
  expect((await waive(client, id, { expires_at: offset })).body.data.expires_at).toBe(utc);
});

test('only its organisation waives a run, and with its suite a run’s waiver is gone', async () => {
  const { client, project, suite, run } = await gateOfWords();
  const { id } = await run('one two');
  const stranger = await signUp(url);
  const [theirs, nothing] = [await waive(stranger, id), await waive(client, 'run_1')];
  expect([theirs.status, theirs.body]).toEqual([404, nothing.body]);
  expect((await revoke(stranger, id)).status).toBe(404);
  await waive(client, id);
  expect(await waiverOf(client, id)).toMatchObject({ active: true });
  await client('DELETE', `/v1/projects/${project.slug}/suites/${suite.slug}`);
  expect((await waive(client, id)).status).toBe(404);
  expect(await waiverOf(client, id)).toBe(null);
});

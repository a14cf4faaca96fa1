import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeProject } from '../../support/builders.ts';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { failure } from '../../support/providers.ts';
import { keysOf, makeKey } from '../byokKeys/keys.ts';
import { resultsOf } from '../runs/gate.ts';
import { type JudgedGate, makeJudgedGate, newRawKey } from './gate.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

let gate: JudgedGate;
beforeEach(async () => {
  gate = await makeJudgedGate(stage, { key: false });
});
afterEach(() => stage.providers.reset());

/** The key that the next run's judge calls with, or the error of its case. */
async function keyOfNextRun(): Promise<string | undefined> {
  const before = stage.providers.calls.length;
  const { id } = await gate.run('Paris', { judge_again: true });
  const sent = stage.providers.calls.slice(before).map(({ apiKey }) => apiKey);
  expect(sent.length).toBeLessThanOrEqual(1);
  return sent[0] ?? (await resultsOf(gate.client, id))[0].scorer_output.error;
}

const addKey = async (fields: object = {}) => {
  const key = newRawKey();
  const { id } = await makeKey(gate.client, { key, ...fields });
  return { key, id, revoke: () => gate.client('DELETE', `/v1/byok-keys/${id}`) };
};

test('the newest key is used where none is the default, and a default before newer keys', async () => {
  const first = await addKey();
  expect(await keyOfNextRun()).toBe(first.key);
  const second = await addKey();
  expect(await keyOfNextRun()).toBe(second.key);
  const chosen = await addKey({ is_default: true });
  await addKey();
  expect(await keyOfNextRun()).toBe(chosen.key);
});

test('a changed default takes effect on the next run, under either name of the provider', async () => {
  await addKey({ is_default: true });
  const next = await addKey({ is_default: true, provider: 'provider_a' });
  expect(await keyOfNextRun()).toBe(next.key);
});

test('a revoked key gives way to the newest that is left, and the last one to BYOK_KEY_MISSING', async () => {
  const older = await addKey();
  const newer = await addKey();
  const chosen = await addKey({ is_default: true });
  for (const [revoked, used] of [
    [chosen, newer.key],
    [newer, older.key],
    [older, 'BYOK_KEY_MISSING'],
  ] as const) {
    expect((await revoked.revoke()).status).toBe(204);
    expect(await keyOfNextRun()).toBe(used);
  }
  const fresh = await addKey();
  expect(await keyOfNextRun()).toBe(fresh.key);
});

test("a project's default, or newest, key comes before the organisation's, and gives way to it once revoked", async () => {
  const own = await addKey({ is_default: true });
  expect(await keyOfNextRun()).toBe(own.key);
  const { slug } = gate.project;
  const older = await addKey({ project: slug });
  expect(await keyOfNextRun()).toBe(older.key);
  const chosen = await addKey({ project: slug, is_default: true });
  await addKey({ project: slug });
  const anthropic = await addKey({ project: slug, provider: 'anthropic', is_default: true });
  expect(await keyOfNextRun()).toBe(chosen.key);
  await anthropic.revoke();
  const keys = (await gate.client('GET', `/v1/byok-keys?project=${slug}`)).body.data;
  for (const { id } of keys) await gate.client('DELETE', `/v1/byok-keys/${id}`);
  expect(await keyOfNextRun()).toBe(own.key);
});

test("another project's key is never sent", async () => {
  await makeProject(gate.client, { name: 'Other', slug: 'other' });
  await addKey({ project: 'other', is_default: true });
  expect(await keyOfNextRun()).toBe('BYOK_KEY_MISSING');
});

test.each(['project', 'organisation'])('a rejected key is named by its owner: the %s', async (owner) => {
  if (owner === 'project') await addKey();
  await addKey(owner === 'project' ? { project: gate.project.slug } : {});
  stage.providers.always('openai', failure(401));
  const { id } = await gate.run('Paris', { judge_again: true });
  const [{ scorer_output, reason }] = await resultsOf(gate.client, id);
  expect(scorer_output.error).toBe('BYOK_KEY_REJECTED');
  expect(reason).toContain(`(with the ${owner}'s key)`);
});

test("another provider's key is never sent", async () => {
  await addKey({ provider: 'anthropic', is_default: true });
  expect(await keyOfNextRun()).toBe('BYOK_KEY_MISSING');
  expect(stage.providers.calls).toEqual([]);
});

test("another organisation's key is never sent", async () => {
  await makeJudgedGate(stage);
  expect(await keyOfNextRun()).toBe('BYOK_KEY_MISSING');
});

test('only the key that was used shows when', async () => {
  const other = await addKey();
  const used = await addKey({ is_default: true });
  const before = new Date().toISOString();
  await gate.run('Paris');
  const at = new Map((await keysOf(gate.client)).map(({ id, last_used_at }) => [id, last_used_at]));
  expect(at.get(other.id)).toBeNull();
  expect(at.get(used.id) >= before && at.get(used.id) <= new Date().toISOString()).toBe(true);
});

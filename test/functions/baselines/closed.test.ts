import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { abandonRun } from '../../../shared/domain/evaluation/abandon.ts';
import { evaluationStore } from '../../../shared/storage/evaluation/evaluations.ts';
import { chainStore } from '../../../shared/storage/revisions/chains.ts';
import type { Key } from '../../../shared/storage/table/keys.ts';
import type { Item } from '../../../shared/storage/table/table.ts';
import { dropExpired } from '../../support/dropExpired.ts';
import { evaluatorByHand } from '../../support/evaluatorByHand.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import type { Gate } from '../runs/gate.ts';
import { type BaselineGate, makeBaselineGate } from './baselineGate.ts';

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());

const ALL = 'one two three four';
const strict = { pass_threshold: 0, gates: { max_newly_failing: 4 } };
const gateOf = (fields: object = strict) => makeBaselineGate(service.baseUrl, { ...fields });

/** The items of a suite whose keys begin so. */
const itemsOf = async ({ suite }: Gate, prefix: string): Promise<Item[]> =>
  (await service.items()).filter(
    ({ pk, sk }) => String(pk).endsWith(suite.id) && String(sk).startsWith(prefix),
  );
const keyOf = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });

async function drop(gate: Gate, prefix: string): Promise<void> {
  const items = await itemsOf(gate, prefix);
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) await service.table.delete(keyOf(item));
}

async function cut(gate: Gate, prefix: string): Promise<void> {
  for (const item of await itemsOf(gate, prefix)) {
    const bytes = item.bytes as Uint8Array;
    await service.table.put({ ...item, bytes: bytes.slice(0, bytes.length >> 1) });
  }
}

async function accepted(fields?: object): Promise<BaselineGate> {
  const made = await gateOf(fields);
  const { status } = await made.accept([(await made.gate.run(ALL)).id]);
  expect(status).toBe(201);
  return made;
}

const usedBy = async ({ client }: Gate) => (await client('GET', '/v1/billing/usage')).body.current_usage;

test('no run clears by a gate whose baseline is gone', async () => {
  const { gate, comparison } = await accepted();
  await drop(gate, 'BASELINECASES#');
  const run = await gate.run(ALL);
  expect(run).toMatchObject({ status: 'aborted', inconclusive: true, comparison: { comparable: false } });
  expect((await comparison(run.id)).status).toBe(404);
});

test('without such a gate a run whose baseline is gone has its verdict, and states that nothing is comparable', async () => {
  const { gate } = await accepted({ pass_threshold: 0.5 });
  await drop(gate, 'BASELINECASES#');
  expect(await gate.run(ALL)).toMatchObject({ status: 'cleared', comparison: { comparable: false } });
});

test('a baseline that was cut is an error: no run, and nothing counted', async () => {
  const { gate, comparison } = await accepted();
  await cut(gate, 'BASELINECASES#');
  const before = await usedBy(gate);
  const { client, suite } = gate;
  expect((await client('POST', '/v1/run', { suite: suite.slug, output: ALL })).status).toBe(500);
  expect(await usedBy(gate)).toBe(before);
  const [run] = (await client('GET', `/v1/suites/${suite.id}/runs`)).body.data;
  expect((await comparison(run.id)).status).toBe(500);
});

test('a queued run that cannot be compared ends without a verdict, and is not counted', async () => {
  const { gate } = await accepted();
  await cut(gate, 'BASELINECASES#');
  const before = await usedBy(gate);
  const { client, suite, project } = gate;
  const { id } = (await client('POST', '/v1/run', { suite: suite.slug, output: ALL, async: true })).body;
  const evaluator = evaluatorByHand(service);
  evaluator.send({ kind: 'plan', org_id: project.org_id, run_id: id });
  expect(await evaluator.step()).toBe(false);
  const read = async () => (await client('GET', `/v1/runs/${id}`)).body.data;
  expect((await read()).status).toBe('pending');
  const { runtime, table } = service;
  const evaluations = evaluationStore(table, runtime.now);
  const evaluation = await evaluations.find(project.org_id, id);
  if (evaluation === undefined) throw new Error('the run is gone');
  await abandonRun({ ...runtime, evaluations, chains: chainStore(table) }, evaluation);
  expect(await read()).toMatchObject({
    status: 'aborted',
    inconclusive: true,
    verdict: null,
    fault: 'bar',
    baseline_id: null,
  });
  expect(await usedBy(gate)).toBe(before);
});

test('a baseline outlives its runs, and is none of a deleted suite', async () => {
  const { gate, current, listed, comparison } = await accepted({
    pass_threshold: 0,
    gates: { max_newly_failing: 0 },
  });
  const { data } = (await current()).body;
  service.clock.ms = Date.now() + 400 * 86_400_000;
  try {
    await dropExpired(service, service.clock.ms);
    expect((await gate.client('GET', `/v1/runs/${data.run_ids[0]}`)).status).toBe(404);
    expect((await current()).body.data).toEqual(data);
    const worse = await gate.run('one');
    expect(worse).toMatchObject({ status: 'aborted', comparison: { newly_failing_count: 3 } });
    expect((await comparison(worse.id)).body.data.counts.newly_failing).toBe(3);
    const { client, project, suite } = gate;
    await client('DELETE', `/v1/projects/${project.slug}/suites/${suite.slug}`);
    expect([(await current()).status, (await listed()).status, (await comparison(worse.id)).status]).toEqual([
      404, 404, 404,
    ]);
  } finally {
    service.clock.ms = undefined;
  }
});

test('a waiver ends by itself: the run shows it, and no later run carries it', async () => {
  const { gate } = await gateOf({ pass_threshold: 1 });
  const { client } = gate;
  const first = await gate.run('one');
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  await client('POST', `/v1/runs/${first.id}/waiver`, { reason: 'It is wanted today.', expires_at });
  const carrying = await gate.run('one');
  expect(carrying.waiver).toMatchObject({ active: true });
  service.clock.ms = Date.parse(expires_at);
  try {
    for (const { id } of [first, carrying])
      expect((await client('GET', `/v1/runs/${id}`)).body.data.waiver).toMatchObject({ active: false });
    expect((await gate.run('one')).waiver).toBe(null);
  } finally {
    service.clock.ms = undefined;
  }
});

test('a run carries the waiver that lasts, though a later one has ended', async () => {
  const { gate } = await gateOf({ pass_threshold: 1 });
  const { client } = gate;
  const [long, short] = [await gate.run('one'), await gate.run('one')];
  for (const [id, days] of [
    [long.id, 20],
    [short.id, 1],
  ] as const) {
    const expires_at = new Date(Date.now() + days * 86_400_000).toISOString();
    await client('POST', `/v1/runs/${id}/waiver`, { reason: 'It is wanted today.', expires_at });
  }
  service.clock.ms = Date.now() + 2 * 86_400_000;
  try {
    expect((await gate.run('one')).waiver).toMatchObject({ run_id: long.id, active: true });
  } finally {
    service.clock.ms = undefined;
  }
});

test('a waiver that cannot be read is not carried', async () => {
  const { gate } = await gateOf({ pass_threshold: 1 });
  const { client } = gate;
  const { id } = await gate.run('one');
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  await client('POST', `/v1/runs/${id}/waiver`, { reason: 'It is wanted today.', expires_at });
  await drop(gate, 'WAIVER#');
  expect((await gate.run('one')).waiver).toBe(null);
  expect((await client('GET', `/v1/runs/${id}`)).body.data.waiver).toBe(null);
});

test('a pending run is neither accepted, compared nor waived', async () => {
  const { gate, accept, comparison } = await gateOf();
  const { client, suite } = gate;
  const { id } = (await client('POST', '/v1/run', { suite: suite.slug, output: ALL, async: true })).body;
  const refused = await accept([id]);
  expect([refused.status, refused.body.error.details.issues]).toEqual([
    400,
    [{ path: 'run_ids.0', message: expect.stringMatching(`^${id} is pending`) }],
  ]);
  expect((await comparison(id)).status).toBe(400);
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const waived = await client('POST', `/v1/runs/${id}/waiver`, { reason: 'It is wanted today.', expires_at });
  expect([waived.status, waived.body.error.details]).toEqual([409, { why: 'pending' }]);
});

test('of a deleted suite no baseline, waiver or bar stays when its runs are gone, and of one that lives all do', async () => {
  const secret = 'Only this reason says quixotic';
  const [gone, living] = [await gateOf({ pass_threshold: 1 }), await gateOf({ pass_threshold: 1 })];
  for (const { gate, accept } of [gone, living]) {
    await accept([(await gate.run(ALL)).id], { reason: secret });
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const { id } = await gate.run('one');
    await gate.client('POST', `/v1/runs/${id}/waiver`, { reason: secret, expires_at });
  }
  const { client, project, suite } = gone.gate;
  await client('DELETE', `/v1/projects/${project.slug}/suites/${suite.slug}`);
  const evaluator = evaluatorByHand(service);
  try {
    for (const days of [31, 500]) {
      service.clock.ms = Date.now() + days * 86_400_000;
      await dropExpired(service, service.clock.ms);
      for (let purge = 0; purge < 3; purge++) await evaluator.purge();
    }
  } finally {
    service.clock.ms = undefined;
  }
  const left = (await service.items()).filter((item) => JSON.stringify(item).includes(suite.id));
  expect(left.map(({ sk }) => sk)).toEqual([]);
  const kinds = (await itemsOf(living.gate, '')).map(({ sk }) => String(sk).split('#')[0]);
  for (const kind of ['BASELINE', 'BASELINECASES', 'WAIVER', 'DIGEST']) expect(kinds).toContain(kind);
});

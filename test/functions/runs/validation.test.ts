import { beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { type Gate, makeGate } from './gate.ts';

const MEGABYTE = 1_048_576;

let gate: Gate;
beforeAll(async () => {
  gate = await makeGate(sharedServiceUrl());
  await gate.add({ config: { values: ['o'] } });
});

const post = (fields: object) =>
  gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: 'o', ...fields });

/** An object whose JSON text takes this many bytes. */
const objectOf = (bytes: number) => ({ x: 'm'.repeat(bytes - '{"x":""}'.length) });

test.each([
  ['suite', 'is missing', { suite: undefined }],
  ['suite', 'is empty', { suite: '' }],
  ['suite', 'is no string', { suite: 7 }],
  ['suite', 'is null', { suite: null }],
  ['output', 'is missing', { output: undefined }],
  ['output', 'is null', { output: null }],
  ['output', 'is an object', { output: { text: 'o' } }],
  ['output', 'is a number', { output: 1 }],
  ['output', 'is over 1 MB', { output: 'o'.repeat(MEGABYTE + 1) }],
  ['output', 'is over 1 MB in bytes, not in characters', { output: 'é'.repeat(MEGABYTE / 2) + 'o' }],
  ['project', 'is no string', { project: 1 }],
  ['project', 'is empty', { project: '' }],
  ['input', 'is an array', { input: [] }],
  ['input', 'is a string', { input: '{}' }],
  ['input', 'is null', { input: null }],
  ['input', 'is over 256 kB', { input: objectOf(262_145) }],
  ['trigger', 'is unknown', { trigger: 'cron' }],
  ['trigger', 'is in upper case', { trigger: 'CLI' }],
  ['trigger', 'is null', { trigger: null }],
  ['trigger_meta', 'is an array', { trigger_meta: [1] }],
  ['trigger_meta', 'is a string', { trigger_meta: 'abc' }],
  ['trigger_meta', 'is null', { trigger_meta: null }],
  ['trigger_meta', 'is over 16 kB', { trigger_meta: objectOf(16_385) }],
  ['async', 'is no boolean', { async: 'false' }],
  ['async', 'is null', { async: null }],
])('%s that %s is refused with 400 that names it', async (field, _how, body) => {
  const answer = await post(body);
  expect(answer.status).toBe(400);
  expect(answer.body.error.code).toBe('VALIDATION_ERROR');
  expect(answer.body.error.details.issues).toEqual([{ path: field, message: expect.any(String) }]);
});

test('every field that is wrong is named in one answer', async () => {
  const answer = await post({ suite: '', output: 1, input: [], trigger: 'x', trigger_meta: 1, async: 1 });
  const paths = answer.body.error.details.issues.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(['suite', 'output', 'input', 'trigger', 'trigger_meta', 'async']);
});

test('a refused request leaves no run behind', async () => {
  const fresh = await makeGate(sharedServiceUrl());
  await fresh.add({});
  await fresh.client('POST', '/v1/run', { suite: fresh.suite.slug, output: 1 });
  await fresh.client('POST', '/v1/run', { suite: fresh.suite.slug, output: 'ok', async: 'true' });
  const runs = await fresh.client('GET', `/v1/suites/${fresh.suite.id}/runs`);
  expect(runs.body.pagination.total).toBe(0);
});

test.each([
  ['an output of exactly 1 MB', { output: 'o'.repeat(MEGABYTE) }],
  [
    'an output of exactly 1 MB whose JSON text is six times that',
    { output: '\u0001'.repeat(MEGABYTE - 1_024) },
  ],
  ['an input of exactly 256 kB', { input: objectOf(262_144) }],
  ['a trigger_meta of exactly 16 kB', { trigger_meta: objectOf(16_384) }],
  ['async: false', { async: false }],
  ['an empty input and trigger_meta', { input: {}, trigger_meta: {} }],
])('%s is taken', async (_what, fields) => {
  const answer = await post(fields);
  expect(answer.status).toBe(200);
  expect(answer.body.total_cases).toBe(1);
});

test.each(['page=0', 'page=-1', 'page=1.5', 'page=x', 'page=', 'pageSize=0', 'pageSize=101', 'pageSize=1e1'])(
  'a list of runs with %s is refused with 400 that names it',
  async (query) => {
    const answer = await gate.client('GET', `/v1/suites/${gate.suite.id}/runs?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.issues[0].path).toBe(query.split('=')[0]);
  },
);

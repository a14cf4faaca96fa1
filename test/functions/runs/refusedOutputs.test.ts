import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { expectInvalid } from '../../support/expectations.ts';
import { type Gate, makeGate } from './gate.ts';

let gate: Gate;
beforeAll(async () => {
  gate = await makeGate(sharedServiceUrl());
  await gate.add({}, { name: 'a' });
});

const post = (fields: object) =>
  gate.client('POST', '/v1/run', gzipSync(JSON.stringify({ suite: gate.suite.slug, ...fields })), {
    'content-encoding': 'gzip',
  });
const items = (length: number) => Array.from({ length }, () => ({ case: 'a', output: 'x'.repeat(1_000) }));

test.each([
  ['output', 'neither', {}],
  ['outputs', 'both', { output: 'ok', outputs: [{ case: 'a', output: 'ok' }] }],
  ['outputs', 'no item', { outputs: [] }],
  ['outputs', 'a map', { outputs: { a: 'ok' } }],
  ['outputs', '20,001 items', { outputs: items(20_001) }],
  ['outputs.0.expected', 'an item with expected', { outputs: [{ case: 'a', output: 'ok', expected: 'ok' }] }],
  ['outputs.0.error', 'output and error', { outputs: [{ case: 'a', output: 'ok', error: '429' }] }],
  ['outputs.0.output', 'output 5', { outputs: [{ case: 'a', output: 5 }] }],
  [
    'outputs.0.metadata.latency_ms',
    'a time below 0',
    { outputs: [{ case: 'a', output: '', metadata: { latency_ms: -1 } }] },
  ],
  [
    'outputs.0.metadata',
    'metadata of 3 kB',
    { outputs: [{ case: 'a', output: '', metadata: { x: 'm'.repeat(3_072) } }] },
  ],
  ['outputs.19999.case', 'a wrong item at the end', { outputs: [...items(19_999), { output: 'ok' }] }],
  [
    'outputs.0.input.n',
    'a number that JSON rounds',
    '{"outputs":[{"case":"a","output":"","input":{"n":9007199254740993}}]}',
  ],
  ['outputs.0.output', 'half a character', '{"outputs":[{"case":"a","output":"\\ud800"}]}'],
])('names %s: %s', async (path, _, fields) => {
  const body = typeof fields === 'string' ? fields.replace('{', `{"suite":"${gate.suite.slug}",`) : undefined;
  const answer =
    body === undefined ? await post(fields as object) : await gate.client('POST', '/v1/run', body);
  expectInvalid(answer, path);
});

test('none of them was stored or counted', async () => {
  const usage = await gate.client('GET', '/v1/billing/usage');
  const runs = await gate.client('GET', `/v1/suites/${gate.suite.id}/runs`);
  expect([usage.body.current_usage, runs.body.pagination.total]).toEqual([0, 0]);
});

import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../../support/api.ts';
import { expectInvalid } from '../../../support/expectations.ts';
import { ALL, makeTrust, right, type Trust } from './trust.ts';

let trust: Trust;
let before: Awaited<ReturnType<Trust['counted']>>;
beforeAll(async () => {
  trust = await makeTrust(sharedServiceUrl());
  await trust.run(ALL);
});
beforeEach(async () => {
  before = await trust.counted();
});
/** Of every refusal: nothing is stored and nothing is counted. */
afterEach(async () => {
  expect(await trust.counted()).toEqual(before);
});

const of = (fields: object) => [{ case: 'a', ...fields }];
const saying = (metadata: unknown) => of({ output: 'a', metadata });

const BAD: readonly (readonly [title: string, outputs: unknown, path: string])[] = [
  ['no item', [], 'outputs'],
  ['surplus items only', [{ case: 'zzz', output: 'a' }], 'outputs'],
  ['an item of another suite’s case only', [{ case: crypto.randomUUID(), output: 'a' }], 'outputs'],
  ['null', null, 'outputs'],
  ['a text', 'a', 'outputs'],
  ['a map', { a: 'a' }, 'outputs'],
  ['a map that looks like a list', { 0: ALL[0], length: 1 }, 'outputs'],
  ['an item that is a text', [...ALL, 'a'], 'outputs.4'],
  ['an item that is null', [null, ...ALL], 'outputs.0'],
  ['an item that is a list', [[...ALL]], 'outputs.0'],
  ['an empty item', [{ output: 'a' }], 'outputs.0.case'],
  ['a case that is a number', [{ case: 5, output: 'a' }], 'outputs.0.case'],
  ['a case that is null', [{ case: null, output: 'a' }], 'outputs.0.case'],
  ['a case that is empty', [{ case: '', output: 'a' }], 'outputs.0.case'],
  ['a case of 201 characters', [{ case: 'c'.repeat(201), output: 'a' }], 'outputs.0.case'],
  ['neither output nor error', of({}), 'outputs.0.output'],
  ['output and error', of({ output: 'a', error: '429' }), 'outputs.0.error'],
  ['output 5', of({ output: 5 }), 'outputs.0.output'],
  ['output null', of({ output: null }), 'outputs.0.output'],
  ['an output that is an object', of({ output: { answer: 'a' } }), 'outputs.0.output'],
  ['an output of 1 MB and a byte', of({ output: 'é'.repeat(524_288).concat('x') }), 'outputs.0.output'],
  ['an error that is empty', of({ error: '' }), 'outputs.0.error'],
  ['an error of 2,001 characters', of({ error: 'e'.repeat(2_001) }), 'outputs.0.error'],
  ['an error that is true', of({ error: true }), 'outputs.0.error'],
  ['an input that is a text', of({ output: 'a', input: 'a' }), 'outputs.0.input'],
  ['an input that is a list', of({ output: 'a', input: [] }), 'outputs.0.input'],
  ['an input that is null', of({ output: 'a', input: null }), 'outputs.0.input'],
  ['an input of 257 kB', of({ output: 'a', input: { x: 'i'.repeat(263_168) } }), 'outputs.0.input'],
  ['metadata that is a list', saying([]), 'outputs.0.metadata'],
  ['metadata that is null', saying(null), 'outputs.0.metadata'],
  ['metadata of 3 kB', saying({ x: 'm'.repeat(3_072) }), 'outputs.0.metadata'],
  ['a latency below 0', saying({ latency_ms: -1 }), 'outputs.0.metadata.latency_ms'],
  ['a latency that is a text', saying({ latency_ms: '812' }), 'outputs.0.metadata.latency_ms'],
  ['a latency that is null', saying({ latency_ms: null }), 'outputs.0.metadata.latency_ms'],
  ['tokens below 0', saying({ input_tokens: -0.5 }), 'outputs.0.metadata.input_tokens'],
  ['tokens that are a list', saying({ output_tokens: [1] }), 'outputs.0.metadata.output_tokens'],
  ['a cost below 0', saying({ cost_usd: -1e-9 }), 'outputs.0.metadata.cost_usd'],
  ['an item with expected', of({ output: 'a', expected: 'a' }), 'outputs.0.expected'],
  [
    'an item with expected null',
    [...ALL.slice(1), ...of({ error: 'e', expected: null })],
    'outputs.3.expected',
  ],
  ['a twice', right('a', 'b', 'a'), 'outputs.2'],
];

describe.each([
  ['', {}],
  [', async', { async: true }],
])('outputs are refused%s', (_, fields) => {
  test.each(BAD)('with %s', async (__, outputs, path) => {
    expectInvalid(await trust.send(outputs, fields), path);
  });

  test('with a case named once by id and once by key, or twice by id, naming the case and how many it takes', async () => {
    const { id } = trust.cases.a;
    const named = [
      ['a', id],
      [id, 'a'],
      [id, id.toUpperCase()],
    ].map((names) => names.map((name) => ({ case: name, output: 'a' })));
    for (const items of named) {
      const answer = await trust.send([...right('b'), ...items], fields);
      expectInvalid(answer, 'outputs.2');
      expect(answer.body.error.details.issues[0].message).toMatch(/"a".*\b1\b/);
    }
  });

  test('beside output, and where there is neither', async () => {
    expectInvalid(await trust.send(ALL, { ...fields, output: 'a' }), 'outputs');
    expectInvalid(await trust.send(undefined, fields), 'output');
    expectInvalid(await trust.send(undefined, { ...fields, output: null }), 'output');
  });

  test('for a suite or a project that is not there', async () => {
    for (const elsewhere of [{ suite: 'u' }, { project: 'other' }, { suite: trust.suite.id }]) {
      expect((await trust.send(ALL, { ...fields, ...elsewhere })).status).toBe(404);
    }
  });
});

test('everything that is wrong is named at once, each item by its place', async () => {
  const outputs = [{ case: 5, output: 5 }, ...right('b'), ...saying({ latency_ms: -1, cost_usd: -1 })];
  expectInvalid(
    await trust.send(outputs, { trigger: 'cron' }),
    'outputs.0.case',
    'outputs.0.output',
    'outputs.2.metadata.latency_ms',
    'outputs.2.metadata.cost_usd',
    'trigger',
  );
});

test('20,001 items are refused, and of 20,000 one that is wrong is found', async () => {
  const gzipped = (outputs: readonly object[]) =>
    trust.client('POST', '/v1/run', gzipSync(JSON.stringify({ suite: 't', outputs })), {
      'content-encoding': 'gzip',
    });
  const surplus = (length: number) => Array.from({ length }, () => ({ case: 'zzz', output: 'x' }));
  const answer = await gzipped([...ALL, ...surplus(19_997)]);
  expectInvalid(answer, 'outputs');
  expect(answer.body.error.details.issues[0].message).toContain('20,000');
  expectInvalid(await gzipped([...surplus(19_999), { case: 'a', output: 5 }]), 'outputs.19999.output');
});

test('an input that thousands of outputs share is refused where its digests would cost a function its time', async () => {
  const input = { text: 'i'.repeat(250_000) };
  const shared = (length: number) => Array.from({ length }, () => ({ case: 'zzz', output: 'x' }));
  const answer = await trust.send([...ALL, ...shared(2_000)], { input });
  expectInvalid(answer, 'input');
  expect(answer.body.error.details.issues[0].message).toContain('shared by 2004 outputs');
});

test('names that objects have of their own are names like any other', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'length', 'hasOwnProperty']) {
    expectInvalid(await trust.send([{ case: name, output: 'a' }]), 'outputs');
  }
  const proto = `{"suite":"t","outputs":[{"__proto__":{"case":"a"},"output":"a"}]}`;
  expectInvalid(await trust.client('POST', '/v1/run', proto), 'outputs.0.case');
});

test.each([
  ['a number that JSON rounds', '"input":{"n":9007199254740993}', 'outputs.0.input.n'],
  ['a number of metadata that JSON rounds', '"metadata":{"n":9007199254740993}', 'outputs.0.metadata.n'],
])('what can’t be kept as it was sent is refused: %s', async (_, field, path) => {
  const body = `{"suite":"t","outputs":[{"case":"a","output":"a",${field}}]}`;
  expectInvalid(await trust.client('POST', '/v1/run', body), path);
});

test('half a character is refused by its place', async () => {
  const body = `{"suite":"t","outputs":[{"case":"a","output":"\\ud800"}]}`;
  expectInvalid(await trust.client('POST', '/v1/run', body), 'outputs.0.output');
});

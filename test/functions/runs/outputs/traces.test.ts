import { beforeAll, describe, expect, test } from '@jest/globals';
import { ANTHROPIC, CHAT } from '../../../shared/scoring/trace/fixtures.ts';
import { MATCHER_CASES } from '../../../shared/scoring/trajectory/matchers.ts';
import { sharedServiceUrl } from '../../../support/api.ts';
import { makeCase, makeScorer, makeSuite } from '../../../support/builders.ts';
import { expectInvalid } from '../../../support/expectations.ts';
import { ended } from '../../../support/stage.ts';
import { type Item, makeTrust, resultsByKey, right, type Trust } from './trust.ts';

const OTHERS = right('b', 'c', 'd');
const CANARY = 'canary-7f3a';
const call = (tool: string, more: object = {}) => ({ type: 'call', tool, ...more });

let trust: Trust;
beforeAll(async () => {
  trust = await makeTrust(sharedServiceUrl());
  const scorer = await makeScorer(trust.client, trust.project, {
    name: 'Calls',
    type: 'trajectory',
    config: { calls: [{ tool: 'lookup' }], forbidden: ['delete_*'] },
  });
  await trust.patchCase('a', { scorer_id: scorer.id, threshold: 0, expected: null });
});

const sent = (fields: object): Item[] => [{ case: 'a', ...fields }, ...OTHERS];

async function resultOf(fields: object, more: object = {}) {
  const verdict = await trust.run(sent(fields), { ...more });
  return { verdict, a: (await resultsByKey(trust, verdict.id)).a };
}

describe('a run with traces', () => {
  test('is judged by the calls, and keeps no message and no result', async () => {
    await trust.patchSuite({ keep_outputs: 'all' });
    const messages = [
      { role: 'user', content: CANARY },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'lookup', arguments: '{"order":"A1"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c', content: CANARY },
      { role: 'assistant', content: 'Done.' },
    ];
    const { a } = await resultOf({ messages });
    expect(a).toMatchObject({
      passed: true,
      output_excerpt: 'Done.',
      trace_excerpt: 'lookup({"order":"A1"})',
    });
    expect(JSON.stringify(a)).not.toContain(CANARY);
  });

  test('fails for a forbidden call at a threshold of 0, also beside an error', async () => {
    const trace = [call('lookup'), call('delete_account')];
    for (const fields of [
      { output: '', trace },
      { error: '429', trace },
    ]) {
      const { a } = await resultOf(fields);
      expect(a).toMatchObject({ passed: false, errored: false, missing: false, score: 0 });
      expect(a.reason).toContain('forbidden: delete_account (call 2)');
    }
  });

  test('is missing an output that came without its trace', async () => {
    const { verdict, a } = await resultOf({ output: 'Done.' });
    expect(a).toMatchObject({ passed: false, errored: false, missing: true });
    expect(a.scorer_output).toEqual({ missing: true, error: 'TRACE_MISSING' });
    expect(verdict).toMatchObject({ missing_cases: 1, errored_cases: 0, inconclusive: false });
  });

  test('has the digest of its calls, whatever their format, ids and order at once', async () => {
    const digest = async (fields: object) =>
      (await resultOf({ output: 'Done.', ...fields })).verdict.outputs_digest;
    const own = [
      call('lookup', { step: 1, arguments: { a: 1, b: 2 } }),
      call('log', { step: 1, arguments: {} }),
    ];
    const tools = [
      { type: 'tool_use', id: 'x', name: 'log', input: {} },
      { type: 'tool_use', id: 'y', name: 'lookup', input: { b: 2, a: 1 } },
    ];
    expect(await digest({ messages: tools })).toBe(await digest({ trace: own }));
    expect(await digest({ trace: [] })).not.toBe(await digest({ trace: own }));
    expect(await digest({ trace: [] })).not.toBe(await digest({}));
  });

  test('of one output is held to it in each case', async () => {
    const trace = [call('lookup')];
    const { status, body } = await trust.client('POST', '/v1/run', { suite: 't', trace });
    expect(status).toBe(200);
    const { a, b } = await resultsByKey(trust, body.id);
    expect([a.passed, b.passed]).toEqual([true, false]);
    expect(b).toMatchObject({ missing: true, scorer_output: { missing: true, error: 'ANSWER_MISSING' } });
  });
});

test('a run that waits is judged by the same calls, and has the same digests', async () => {
  const trace = [call('lookup', { step: 1 }), call('delete_account', { step: 1, error: 'denied' })];
  for (const fields of [
    { output: 'Done.', trace },
    { error: '429', trace },
    { output: 'Done.' },
    { trace },
  ]) {
    const { verdict, a } = await resultOf(fields);
    const { status, body } = await trust.send(sent(fields), { async: true });
    expect(status).toBe(202);
    expect(await ended(trust.client, body.id)).toMatchObject({ outputs_digest: verdict.outputs_digest });
    const { id: _, run_id: __, duration_ms: ___, ...queued } = (await resultsByKey(trust, body.id)).a;
    expect(a).toMatchObject(queued);
  }
  const one = { suite: 't', trace: [call('lookup')] };
  const scored = await trust.client('POST', '/v1/run', one);
  const { body } = await trust.client('POST', '/v1/run', { ...one, async: true });
  expect(await ended(trust.client, body.id)).toMatchObject({ outputs_digest: scored.body.outputs_digest });
  const queued = await resultsByKey(trust, body.id);
  expect(queued.a).toMatchObject({ passed: true });
  const { b } = await resultsByKey(trust, scored.body.id);
  expect(queued.b).toMatchObject({ missing: true, reason: b.reason, output_digest: b.output_digest });
});

test('what the matchers of other tools get wrong is decided right', async () => {
  const { client, project } = trust;
  const suite = await makeSuite(client, project, { slug: 'matchers', name: 'Matchers' });
  for (const [at, { config }] of MATCHER_CASES.entries()) {
    const scorer = await makeScorer(client, project, { name: `Matcher ${at}`, type: 'trajectory', config });
    await makeCase(client, suite, scorer, { key: `m${at}`, name: `m${at}` });
  }
  const outputs = MATCHER_CASES.map(({ sent }, at) => ({ case: `m${at}`, output: '', ...sent }));
  const { body } = await client('POST', '/v1/run', { suite: 'matchers', outputs });
  const byKey = await resultsByKey(trust, body.id);
  expect(
    MATCHER_CASES.map(({ title }, at) => [title, byKey[`m${at}`].passed, byKey[`m${at}`].errored]),
  ).toEqual(MATCHER_CASES.map(({ title, passes }) => [title, passes, false]));
});

test('arguments that nest too deep are the mistake of the model that wrote them: the run is judged', async () => {
  const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const lookup = (input: unknown) => ({ type: 'tool_use', id: 't', name: 'lookup', input });
  for (const [levels, score] of [
    [64, 1],
    [65, 0],
    [20_000, 0],
  ] as const) {
    const items = sent({ messages: [{ role: 'assistant', content: [lookup({ a: 'DEEP' })] }] });
    const text = JSON.stringify({ suite: 't', outputs: items }).replace('"DEEP"', lists(levels - 1));
    const { status, body } = await trust.client('POST', '/v1/run', text);
    expect([levels, status]).toEqual([levels, 200]);
    expect((await resultsByKey(trust, body.id)).a).toMatchObject({ score, errored: false });
  }
  const deep = JSON.parse(lists(66));
  expectInvalid(await trust.send(sent({ trace: [], input: { deep } })), 'body');
  const image = { type: 'image', source: { deep } };
  expectInvalid(
    await trust.send(sent({ messages: [{ role: 'assistant', content: [image] }] })),
    `outputs.0.messages.0.content.0.source.deep${'.0'.repeat(63)}`,
  );
});

test.each([
  ['trace', { trace: null }, 'outputs.0.trace'],
  ['two traces', { trace: [], messages: [] }, 'outputs.0.messages'],
  ['a wrong call', { trace: [{ type: 'call' }] }, 'outputs.0.trace.0.tool'],
  [
    'an id that two calls of a step have',
    { messages: ['lookup', 'pay'].map((name) => ({ type: 'tool_use', id: 't', name, input: {} })) },
    'outputs.0.messages.1',
  ],
  [
    'a wrong message',
    { messages: [...CHAT, ...ANTHROPIC] },
    `outputs.0.messages.${CHAT.length + 1}.content.0.type`,
  ],
])('400 names the place of %s', async (_, fields, path) => {
  expectInvalid(await trust.send(sent(fields)), path);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ANTHROPIC, CHAT, OWN, RESPONSES } from '../../shared/scoring/trace/fixtures.ts';
import type { Api } from '../../support/api.ts';
import { textsOfItems } from '../../support/textsOfItems.ts';
import { type Gate, resultsOf } from '../runs/gate.ts';
import { startUpgrading, type Upgrading } from './upgrading.ts';

let upgrading: Upgrading;
beforeAll(async () => {
  upgrading = await startUpgrading();
});
afterAll(() => upgrading.stop());

const CANARY = 'canary7f3a9c';
/** Fields of results, of messages' texts, and of ids by which entries name each other. */
const CARRIERS = new Set([
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'approval_request_id',
  'caller_id',
  'container_id',
  'parent',
  'text',
  'content',
  'output',
  'stdout',
  'stderr',
  'logs',
  'result',
  'error',
  'error_code',
  'thinking',
  'signature',
  'fingerprint',
  'image_url',
  'url',
]);

const marked = (list: readonly object[]): unknown[] =>
  JSON.parse(
    JSON.stringify(list, (name, value) =>
      typeof value === 'string' && CARRIERS.has(name) ? `${value} ${CANARY}` : value,
    ),
  );

const FORMS: readonly (readonly [string, Readonly<Record<string, readonly unknown[]>>])[] = [
  ['our own form', { trace: marked(OWN) }],
  ['OpenAI chat', { messages: marked(CHAT) }],
  ['OpenAI Responses', { messages: marked(RESPONSES) }],
  ['Anthropic', { messages: marked(ANTHROPIC) }],
];

/** A suite whose cases keep all that is kept, and a client that notes what it is answered. */
async function makeGate(sample_count: number): Promise<{ gate: Gate; answers: string[] }> {
  const made = await upgrading.gate();
  const answers: string[] = [];
  const client: Api = async (...call) => {
    const answer = await made.client(...call);
    answers.push(JSON.stringify([...answer.headers, answer.body]));
    return answer;
  };
  const gate = { ...made, client };
  const path = `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`;
  expect((await client('PATCH', path, { keep_outputs: 'all' })).status).toBe(200);
  const read = { tool: 'never', result: [{ path: '$', op: 'exists' }] };
  const config = { calls: [{ tool: 'never' }], forbidden: ['refund', read], max_calls: 1 };
  await made.add({ name: 'Calls', type: 'trajectory', config }, { key: 'a', name: 'A', sample_count });
  return { gate, answers };
}

/** All items of the table, and all lines of the log. */
async function kept(): Promise<string> {
  const { service } = upgrading;
  return [...textsOfItems(await service.items()), JSON.stringify(service.log)].join('\n');
}

async function expectNone(answers: readonly string[]): Promise<void> {
  const all = `${answers.join('\n')}\n${await kept()}`;
  expect(all).toContain('lookup');
  const at = all.indexOf(CANARY);
  expect(at === -1 ? '' : all.slice(Math.max(0, at - 200), at + 200)).toBe('');
}

test.each(FORMS)(
  'no item, log line or answer of a run holds results, messages or ids of its traces: %s',
  async (_, form) => {
    const [one, sampled] = [await makeGate(1), await makeGate(2)];
    const item = { case: 'a', output: 'Done.', ...form };
    const runs: readonly (readonly [Awaited<ReturnType<typeof makeGate>>, object])[] = [
      [one, { output: 'Done.', ...form }],
      [one, { outputs: [item] }],
      [one, { outputs: [{ case: 'a', error: 'lookup ended in 429', ...form }] }],
      [sampled, { outputs: [item, item] }],
    ];
    for (const [{ gate, answers }, sent] of runs) {
      await upgrading.run(gate, 'sync', sent);
      const id = await upgrading.run(gate, 'async', sent);
      await expectNone(answers);
      expect(JSON.stringify(upgrading.evaluator.messages)).not.toContain(CANARY);
      await upgrading.evaluator.work();
      const [, result] = await resultsOf(gate.client, id);
      expect(result).toMatchObject({ passed: false, errored: false, missing: false });
      expect(result.trace_excerpt).toContain('lookup');
      await gate.client('GET', `/v1/runs/${id}`);
      await expectNone(answers);
    }
    const { gate, answers } = one;
    const body = { suite: gate.suite.slug, outputs: [item] };
    for (let time = 0; time < 2; time++)
      expect((await gate.client('POST', '/v1/run', body, { 'idempotency-key': 'key' })).status).toBe(200);
    const broken = Object.entries(form).map(([field, list]) => [
      field,
      [...list, { role: 'tool', tool_call_id: CANARY, content: CANARY }],
    ]);
    const refused = { ...body, outputs: [{ ...item, ...Object.fromEntries(broken) }] };
    expect((await gate.client('POST', '/v1/run', refused)).status).toBe(400);
    await expectNone(answers);
  },
);

const ANSWERED = 'resultcanary5b1d';
const answered = (list: readonly object[]): unknown[] =>
  JSON.parse(
    JSON.stringify(list, (name, value) =>
      ['result', 'output', 'content'].includes(name) && typeof value === 'string'
        ? `${value} ${ANSWERED}`
        : value,
    ),
  );

test.each([
  [
    'our own form',
    { trace: answered(OWN.map((entry) => ({ ...entry, ...(entry.type === 'call' && { result: 'none' }) }))) },
  ],
  ['OpenAI Responses', { messages: answered(RESPONSES) }],
] as const)(
  'results that a rule reads wait with a pending run, and are nowhere after it: %s',
  async (_, form) => {
    const made = await upgrading.gate();
    const path = `/v1/projects/${made.project.slug}/suites/${made.suite.slug}`;
    expect((await made.client('PATCH', path, { keep_outputs: 'all' })).status).toBe(200);
    const result = [{ path: '$', op: 'equals', value: 'approved' }];
    const rule = { name: 'Looked up', when: { tool: '*' }, before: { tool: '*', result } };
    const config = { calls: [], allow_extra: true, rules: [rule] };
    await made.add({ name: 'Rules', type: 'trajectory', config }, { key: 'a', name: 'A' });
    const sent = { outputs: [{ case: 'a', output: 'Done.', ...form }] };
    const sync = await upgrading.run(made, 'sync', sent);
    const id = await upgrading.run(made, 'async', sent);
    expect(await kept()).toContain(ANSWERED);
    await upgrading.evaluator.work();
    for (const run of [sync, id]) {
      const results = await resultsOf(made.client, run);
      const [judged] = results.filter(({ case_name }: { case_name: string }) => case_name === 'A');
      expect(judged).toMatchObject({ passed: false, reason: expect.stringContaining('Looked up: ') });
      expect(JSON.stringify(results)).not.toContain(ANSWERED);
    }
    expect(await kept()).not.toContain(ANSWERED);
    expect(JSON.stringify(upgrading.evaluator.messages)).not.toContain(ANSWERED);
  },
);

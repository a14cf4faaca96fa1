import { beforeAll, describe, expect, test } from '@jest/globals';
import { api, sharedServiceUrl } from '../../support/api.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { expectInvalid, expectNotFound } from '../../support/expectations.ts';
import { type Gate, makeGate, resultsOf } from '../runs/gate.ts';

const url = sharedServiceUrl();
let gate: Gate;
beforeAll(async () => {
  gate = await makeGate(url);
});

type Fields = Readonly<Record<string, unknown>>;
interface Tried {
  readonly scorer: Fields;
  readonly sent: Fields;
  readonly expected?: unknown;
}

const make = (fields: Fields) => makeScorer(gate.client, gate.project, fields);
const attempt = (scorerId: string, body: unknown) => gate.client('POST', `/v1/scorers/${scorerId}/try`, body);

const HOSTILE = { type: 'regex', config: { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$', flags: '' } };
const CALL = { type: 'call', tool: 'lookup' };
const TRIED: [string, Tried][] = [
  ['equal text', { scorer: {}, sent: { output: 'Yes' }, expected: 'Yes' }],
  ['other text', { scorer: {}, sent: { output: 'No' }, expected: { answer: 'Yes' } }],
  ['no expected value', { scorer: {}, sent: { output: 'No' } }],
  ['a pattern', { scorer: { type: 'regex', config: { pattern: '^a+$' } }, sent: { output: 'aaa' } }],
  ['a hostile pattern', { scorer: HOSTILE, sent: { output: 'a'.repeat(60) } }],
  [
    'both sides of what is contained',
    {
      scorer: {
        type: 'contains',
        config: { values: ['a', 'b'], mode: 'any' },
        dual_sided: true,
        precision_threshold: 0.1,
        recall_threshold: 1,
      },
      sent: { output: 'only a', threshold: 0.1 },
    },
  ],
  [
    'a schema',
    {
      scorer: { type: 'json_schema', config: { schema: { type: 'object', required: ['id'] } } },
      sent: { output: '{"name": 1}' },
    },
  ],
  [
    'similar text and a threshold',
    {
      scorer: { type: 'similarity', config: { metric: 'levenshtein' } },
      sent: { output: 'abcd', threshold: 0.75 },
      expected: 'abce',
    },
  ],
  [
    'a figure',
    {
      scorer: { type: 'metric', config: { field: 'latency_ms', max: 9 } },
      sent: { output: '', metadata: { latency_ms: 10 } },
    },
  ],
  [
    'no figure',
    { scorer: { type: 'metric', config: { field: 'latency_ms', max: 9 } }, sent: { output: '' } },
  ],
  [
    'a trace',
    { scorer: { type: 'trajectory', config: { calls: [{ tool: 'lookup' }] } }, sent: { trace: [CALL] } },
  ],
  [
    'no trace',
    { scorer: { type: 'trajectory', config: { calls: [{ tool: 'lookup' }] } }, sent: { output: 'done' } },
  ],
];

test.each(TRIED)(
  'a scorer judges one output as a run does: %s',
  async (_, { scorer: fields, sent, expected = null }) => {
    const { client, suite, project } = await makeGate(url);
    const scorer = await makeScorer(client, project, fields);
    const { threshold = 0.5, ...item } = sent;
    const evalCase = await makeCase(client, suite, scorer, { key: 'it', expected, threshold });
    const run = await client('POST', '/v1/run', { suite: suite.slug, outputs: [{ case: 'it', ...item }] });
    const [result] = await resultsOf(client, run.body.id);
    expect(result.case_id).toBe(evalCase.id);
    const usage = async () => (await client('GET', '/v1/billing/usage')).body.current_usage;
    const before = await usage();
    const tried = await client('POST', `/v1/scorers/${scorer.id}/try`, { ...sent, expected });
    expect(tried.status).toBe(200);
    const { score, passed, reason, scorer_output } = result;
    expect(tried.body.data).toEqual({ score, passed, reason, scorer_output });
    expect(await usage()).toBe(before);
    expect((await client('GET', `/v1/suites/${suite.id}/runs`)).body.pagination.total).toBe(1);
  },
);

describe('a trial', () => {
  test('of a judge is refused, whatever keys there are', async () => {
    const judge = await make({
      type: 'llm_judge',
      config: { _provider: 'openai', rubric: 'Is it polite?' },
    });
    const refused = await attempt(judge.id, { output: 'Please.' });
    expectInvalid(refused, 'scorerId');
    expect(JSON.stringify(refused.body)).toContain('only runs ask models');
  });

  test.each<[string, Fields]>([
    ['output', {}],
    ['output', { output: 1 }],
    ['output', { output: 'a'.repeat(1_048_577) }],
    ['threshold', { output: '', threshold: 1.1 }],
    ['metadata.latency_ms', { output: '', metadata: { latency_ms: -1 } }],
    ['input', { output: '', input: 'text' }],
    ['expected', { output: '', expected: 'x'.repeat(262_145) }],
    ['messages', { trace: [], messages: [] }],
    ['trace.0.type', { trace: [{}] }],
  ])('names %s where it is wrong', async (field, body) => {
    expectInvalid(await attempt((await make({})).id, body), field);
  });

  test('takes an output of 1 MB, and a scorer at its limit leaves the service to others', async () => {
    const scorer = await make(HOSTILE);
    const hostile = attempt(scorer.id, { output: 'a'.repeat(1_048_576) });
    expect((await attempt((await make({})).id, { output: 'yes', expected: 'yes' })).body.data.passed).toBe(
      true,
    );
    const { status, body } = await hostile;
    expect([status, body.data.passed, typeof body.data.scorer_output.error]).toEqual([200, false, 'string']);
  });

  test('takes scope suites, in the scorer’s project only', async () => {
    const scorer = await make({});
    const other = await makeGate(url);
    const keyOf = async (fields: object) =>
      api(url, (await gate.client('POST', '/v1/api-keys', { name: 'A key', ...fields })).body.data.key);
    const as = async (fields: object) =>
      (await keyOf(fields))('POST', `/v1/scorers/${scorer.id}/try`, { output: '' });
    expect((await as({ scope: 'suites', project: gate.project.slug })).status).toBe(200);
    expect((await as({ scope: 'run' })).status).toBe(403);
    expect((await as({ scope: 'read' })).status).toBe(403);
    expectNotFound(await other.client('POST', `/v1/scorers/${scorer.id}/try`, { output: '' }));
    await gate.client('DELETE', `/v1/scorers/${scorer.id}`);
    expectNotFound(await attempt(scorer.id, { output: '' }));
  });
});

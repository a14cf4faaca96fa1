import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { probedSuite } from '../../../shared/scoring/probes/probe.ts';
import { caseOf, type ProbedCase, STRONG, scorer, WEAK } from '../../shared/scoring/probes/suites.ts';
import { api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { sized } from '../../support/soak.ts';
import { makeKey } from '../apiKeys/organisation.ts';

const url = sharedServiceUrl();
const PRICE = 'It costs 9.90 EUR.';
const NEAR = scorer('similarity', { metric: 'rouge_l' });
const SCORERS = [
  ...WEAK,
  ...STRONG,
  scorer('json_schema', { schema: { type: 'object', required: ['total'] } }),
  scorer('exact_match'),
  scorer('exact_match', { normalize: true }, { dual_sided: true }),
  NEAR,
  scorer('metric', { field: 'latency_ms', max: 9 }),
  scorer('metric', { field: 'finish_reason', equals: 'stop' }),
  scorer('trajectory', { calls: [], forbidden: ['refund'] }),
  scorer('trajectory', { calls: [{ tool: 'search' }] }),
  scorer('json_path', { assertions: [{ path: '$', op: 'exists' }], ignore_reasoning: true }),
];
const JUDGE = scorer('llm_judge', { _provider: 'openai', rubric: 'It is polite.' });

const cases = fc
  .array(
    fc.record({
      own: fc.constantFrom(...SCORERS),
      expected: fc.constantFrom(null, '', 'null', {}, [], PRICE, { total: 3 }),
      weight: fc.integer({ min: 0, max: 4 }),
      threshold: fc.constantFrom(0, 0.5, 1),
      tags: fc.subarray(['a', 'b']),
      role: fc.constantFrom('plain', 'plain', 'must_pass', 'advisory'),
      sample_count: fc.integer({ min: 1, max: 3 }),
      sample_pass_rate: fc.constantFrom(0, 0.5, 1),
    }),
    { minLength: 1, maxLength: 7 },
  )
  .map((all) =>
    all.map(({ own, role, ...fields }, at) =>
      caseOf(own, {
        ...fields,
        key: `c${at}`,
        must_pass: role === 'must_pass',
        advisory: role === 'advisory' && at > 0,
      }),
    ),
  );
const bars = fc.record({
  passThreshold: fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8),
  gates: fc.record(
    {
      min_judged_cases: fc.integer({ min: 1, max: 5 }),
      min_lower_bound: fc.constantFrom(0.1, 0.4),
      tags: fc.constant({ tag: 'a', pass_threshold: 0.5, min_judged_cases: 1 }).map((gate) => [gate]),
    },
    { requiredKeys: [] },
  ),
});
const ADVISORY = {
  owner: 'Ada',
  reason: 'It is being rewritten.',
  expires_at: new Date(Date.now() + 86_400_000).toISOString(),
};

type Bar = ReturnType<typeof fc.sample<{ passThreshold: number; gates: object }>>[number];

function definitionOf(suite: string, all: readonly ProbedCase[], { passThreshold, gates }: Bar) {
  const own = [...new Map(all.map(({ scorer: one }) => [one?.id, one])).values()];
  const keyOf = (one: ProbedCase['scorer']) => `s${own.findIndex((known) => known?.id === one?.id)}`;
  return {
    version: 1,
    suite,
    pass_threshold: passThreshold,
    gates,
    scorers: Object.fromEntries(
      own.map((one) => [keyOf(one), { type: one?.type, config: one?.config, dual_sided: one?.dual_sided }]),
    ),
    cases: all.map(({ id: _, name: __, scorer: one, advisory, ...fields }) => ({
      ...fields,
      input: {},
      scorer: keyOf(one),
      ...(advisory && { advisory: ADVISORY }),
    })),
  };
}

async function pushed(suite: string, all: readonly ProbedCase[], bar: Bar) {
  const client = await signUp(url);
  const project = await makeProject(client);
  const path = `/v1/projects/${project.slug}/suites/${suite}/definition`;
  const definition = definitionOf(suite, all, bar);
  const put = async (options: object = {}, by = client) => {
    const { status, body } = await by('PUT', path, { definition, ...options });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.data;
  };
  const answer = await put();
  const { id } = (await client('GET', `/v1/projects/${project.slug}/suites/${suite}`)).body.data;
  return {
    client,
    put,
    answer,
    definition,
    warnings: (by = client) => by('GET', `/v1/suites/${id}/warnings`),
  };
}

test('a probe gives each answer the status and the counts of a real run', async () => {
  const law = fc.asyncProperty(cases, bars, fc.integer({ min: 0, max: 9 }), async (plain, bar, chance) => {
    const all = chance === 0 ? [...plain, caseOf(JUDGE, { key: 'judged' })] : plain;
    const { client } = await pushed('probed', all, bar);
    const { answers } = await probedSuite(all, bar, ({ advisory }) => advisory);
    for (const { sent, verdict } of answers) {
      const outputs = all.flatMap(({ key, sample_count }) =>
        Array(sample_count).fill({ case: key, ...sent }),
      );
      const { body } = await client('POST', '/v1/run', { suite: 'probed', outputs });
      const figures = ({
        status,
        inconclusive,
        passed_cases,
        failed_cases,
        errored_cases,
        total_cases,
        pass_rate,
      }: NonNullable<typeof verdict>) => ({
        status,
        inconclusive,
        passed_cases,
        failed_cases,
        errored_cases,
        total_cases,
        pass_rate,
      });
      expect({ sent, all, bar, ...(verdict && figures(verdict)) }).toEqual({
        sent,
        all,
        bar,
        ...figures(body),
      });
    }
  });
  await fc.assert(law, { numRuns: sized(40, 200), seed: 49, endOnFailure: true });
});

describe('warnings of a suite', () => {
  const all = [
    caseOf(NEAR, { key: 'price', expected: PRICE }),
    caseOf(scorer('exact_match'), { key: 'none' }),
  ];
  const bar = { passThreshold: 1, gates: { min_judged_cases: 3 } };

  test('are answered by a push, a plan and the endpoint, for scope run without examples and only by plans', async () => {
    const { client, put, answer, definition, warnings } = await pushed('warned', all, bar);
    const codes = ['GATE_CANNOT_PASS', 'CASE_CANNOT_PASS', 'SLIP_PASSES'];
    expect(answer.warnings.map(({ code }: { code: string }) => code)).toEqual(codes);
    expect(answer.warnings[2]).toMatchObject({
      case: 'price',
      example: '"9.91 EUR." in place of "9.90 EUR."',
    });
    const [read, run] = [
      await makeKey(client, { scope: 'read' }),
      await makeKey(client, { scope: 'run' }),
    ].map(({ key }) => api(url, key));
    expect((await warnings(read)).body.data.warnings).toEqual(answer.warnings);
    expect((await warnings(run)).status).toBe(403);
    const moved = { ...definition, pass_threshold: 0.9 };
    const plan = async (sent: object, options: object = {}) =>
      (await put({ definition: sent, dry_run: true, ...options }, run)).warnings;
    const shown = answer.warnings.map(({ example: _, ...warning }: { example?: string }) => warning);
    expect(await plan(moved)).toEqual(shown.slice(0, 2));
    const [price, none] = definition.cases;
    expect(await plan({ ...definition, cases: [{ ...price, weight: 2 }, none] })).toEqual(shown);
    // A plan with scorers of its own learns nothing of cases that it does not bring.
    expect(await plan({ ...moved, cases: moved.cases.slice(1) })).toMatchObject([
      { code: 'GATE_CANNOT_PASS' },
    ]);
    expect(await plan({ ...definition, name: 'Renamed' })).toMatchObject([{ code: 'GATE_CANNOT_PASS' }]);
  });

  test('of more than 2,000 active cases are refused by the endpoint', async () => {
    const many = Array.from({ length: 2_001 }, (_, at) => caseOf(NEAR, { key: `c${at}` }));
    const { warnings } = await pushed('large', many, bar);
    const { status, body } = await warnings();
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

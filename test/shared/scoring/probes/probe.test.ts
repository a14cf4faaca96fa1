import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { probedSuite } from '../../../../shared/scoring/probes/probe.ts';
import { sized } from '../../../support/soak.ts';
import { caseOf, casesWith, codesOf, findingsOf, type ProbedCase, STRONG, scorer, WEAK } from './suites.ts';

const [FORBIDS = scorer('regex'), , SHORT = scorer('regex')] = WEAK;
const [DAYS = scorer('contains')] = STRONG;
const EXACT = scorer('exact_match');

describe('findings of a bar', () => {
  test('an answer without content that is cleared, the empty one before the others, and what stops it', async () => {
    const forbidding = await findingsOf([caseOf(FORBIDS), caseOf(SHORT)]);
    expect(forbidding[0]).toEqual({
      gate: 'pass_rate',
      code: 'NOTHING_CLEARS_IT',
      message:
        'an empty answer, like 4 more without content, would clear this suite: 2 of 2 cases; add a case that an empty answer fails',
    });
    const schemas = scorer('json_schema', { schema: { type: 'object' } });
    const some = [...Array.from({ length: 7 }, () => caseOf(schemas)), caseOf(DAYS)];
    expect((await findingsOf(some, 0.85)).map(({ message }) => message)).toEqual([
      '`{}` would clear this suite: 7 of 8 cases, 87.5 % ≥ 85.0 %; pass_threshold 0.876 stops it',
    ]);
    expect(await findingsOf(some, 0.876)).toEqual([]);
  });

  test('at most five cases that no output passes, with what each lacks', async () => {
    const found = await findingsOf([
      caseOf(EXACT, { key: 'total' }),
      caseOf(scorer('similarity', { metric: 'rouge_l' }), { key: 'number', expected: 5 }),
      caseOf(null, { key: 'gone' }),
      caseOf(scorer('regex', { pattern: '(' }), { key: 'open', advisory: true }),
      ...Array.from({ length: 3 }, (_, at) =>
        caseOf(scorer('similarity', { metric: 'rouge_l' }), { key: `s${at}` }),
      ),
    ]);
    expect(found.map(({ code, case: key, message }) => [code, key, message])).toEqual([
      [
        'CASE_CANNOT_PASS',
        'total',
        'case total: exact_match has no expected to compare with, so that every run is inconclusive',
      ],
      [
        'CASE_CANNOT_PASS',
        'number',
        'case number: its expected is nothing that similarity can compare with, so that every run is inconclusive',
      ],
      ['CASE_CANNOT_PASS', 'gone', 'case gone: its scorer was deleted, so that every run is inconclusive'],
      [
        'CASE_CANNOT_PASS',
        'open',
        'case open: its scorer, regex, cannot be used as it is, so that no output passes it',
      ],
      [
        'CASE_CANNOT_PASS',
        's0',
        expect.stringMatching(/similarity has no expected .*; so it is with 2 more$/),
      ],
    ]);
  });

  test('a fixed answer, without a quotation of what cases expect', async () => {
    const refuses = [caseOf(scorer('regex', { pattern: "can't help" }))];
    expect((await findingsOf(refuses)).map(({ code, message }) => [code, message])).toEqual([
      ['CONSTANT_CLEARS', "the refusal “I'm sorry, but I can't help with that.” would clear this suite"],
    ]);
    const routes = ['billing', 'billing', 'returns'].map((expected) => caseOf(EXACT, { expected }));
    const found = await findingsOf(routes, 0.6);
    expect(found.map(({ message }) => message)).toEqual([
      'the most frequent expected answer would clear this suite',
    ]);
    expect(await codesOf(routes.slice(0, 2), 0.6)).toEqual([]);
  });
});

describe('an answer is no finding', () => {
  const judge = scorer('llm_judge', { _provider: 'openai', rubric: 'It is polite.' });
  test.each<[string, ProbedCase[], number, object]>([
    ['that only a judge stops', [caseOf(FORBIDS), caseOf(judge)], 1, {}],
    ['that a must-pass case stops', [caseOf(FORBIDS), caseOf(DAYS, { must_pass: true })], 0.1, {}],
    ['where every case is advisory', [caseOf(FORBIDS, { advisory: true })], 1, {}],
    ['that a bar of nothing but comparisons may stop', [caseOf(DAYS)], 0, { max_newly_failing: 0 }],
    [
      'of which the score ended by time',
      [caseOf(scorer('regex', { pattern: '^([^!]+)+!$' }))],
      0,
      { min_judged_cases: 2 },
    ],
    ['that some sample has to pass', [caseOf(DAYS, { sample_count: 3, sample_pass_rate: 0 })], 1, {}],
  ])('%s', async (_, cases, threshold, gates) => {
    expect(await codesOf(cases, threshold, gates)).not.toContain('NOTHING_CLEARS_IT');
  });
});

test.each<[string, ProbedCase[], number, object, RegExp]>([
  ['of no weight', [caseOf(FORBIDS, { weight: 0 })], 1, {}, /: 1 of 1 case; add a case/],
  [
    'with a gate that compares runs',
    [caseOf(SHORT), caseOf(DAYS)],
    0.5,
    { max_newly_failing: 0 },
    /^but for its baseline, an empty .* 50.0 % ≥ 50.0 %; pass_threshold 0.501 stops it/,
  ],
  [
    'with nothing but such a gate beside the threshold',
    [caseOf(SHORT)],
    1,
    { regression: { alpha: 0.05, min_drop: 0.02 } },
    /^an empty answer/,
  ],
  [
    'whose text is nothing once it is normalized',
    [caseOf(scorer('exact_match', { normalize: true }), { expected: '\u200b' })],
    1,
    {},
    /^an empty answer/,
  ],
])(
  'a suite %s is cleared by an empty answer, and its warning is right',
  async (_, cases, threshold, gates, words) => {
    const [found] = await findingsOf(cases, threshold, gates);
    expect(found).toMatchObject({ code: 'NOTHING_CLEARS_IT', message: expect.stringMatching(words) });
  },
);

test('what a model thinks aloud is no content where a scorer leaves reasoning out', async () => {
  const short = scorer('regex', { pattern: '^$', ignore_reasoning: true });
  expect(await codesOf([caseOf(short)])).toEqual(['NOTHING_CLEARS_IT']);
});

test('nothing is known of outputs on which a hostile pattern ends by time', async () => {
  const hostile = caseOf(scorer('regex', { pattern: '^([^!]+)+!$|^$' }));
  const { answers } = await probedSuite([hostile], { passThreshold: 1, gates: {} }, () => false);
  const unknown = answers.filter(({ verdict }) => verdict === undefined).map(({ output }) => output.text);
  expect(unknown).toContain('Lorem ipsum dolor sit amet, consectetur adipiscing elit.');
  expect(unknown).not.toContain('');
});

/** Each plants one fault among cases that have none. */
const tagged = { tags: [{ tag: 'safety', pass_threshold: 0, min_judged_cases: 1 }] };
const PLANTS: readonly [string, () => ProbedCase, number, object, 'clears' | 'case'][] = [
  ['weights', () => caseOf(SHORT, { weight: 1_000 }), 0.9, {}, 'clears'],
  ['a threshold', () => caseOf(SHORT), 0.01, {}, 'clears'],
  ['tags without must-pass', () => caseOf(SHORT, { weight: 900, tags: ['safety'] }), 0.8, tagged, 'clears'],
  [
    'an object of any members',
    () => caseOf(scorer('json_schema', { schema: {} }), { weight: 900 }),
    0.9,
    {},
    'clears',
  ],
  ['a threshold of 0', () => caseOf(DAYS, { threshold: 0, weight: 900 }), 0.9, {}, 'clears'],
  ['forbidding patterns', () => caseOf(FORBIDS), 1, {}, 'clears'],
  ['forbidden texts', () => caseOf(WEAK[1] ?? FORBIDS), 1, {}, 'clears'],
  ['a metric', () => caseOf(scorer('metric', { field: 'cost_usd', max: 0.1 })), 1, {}, 'clears'],
  [
    'forbidden calls',
    () => caseOf(scorer('trajectory', { calls: [], forbidden: ['refund'] })),
    1,
    {},
    'clears',
  ],
  ['a case without expected', () => caseOf(EXACT), 1, {}, 'case'],
  ['a deleted scorer', () => caseOf(null), 1, {}, 'case'],
];

const answer = { clears: 'NOTHING_CLEARS_IT', case: 'CASE_CANNOT_PASS' } as const;

test.each(PLANTS)('a fault by %s is found in every suite', async (_, plant, threshold, gates, kind) => {
  const isAlone = kind === 'clears' && threshold === 1;
  const others = casesWith(isAlone ? WEAK : STRONG);
  const law = fc.asyncProperty(others, async (some) => {
    expect(await codesOf([...some, plant()], threshold, gates)).toContain(answer[kind]);
  });
  await fc.assert(law, { numRuns: sized(25, 200) });
});

test('a fault by advisories is found in every suite', async () => {
  const law = fc.asyncProperty(
    casesWith(STRONG, 1, { advisory: true }),
    casesWith(WEAK),
    async (strong, weak) => {
      expect(await codesOf([...strong, ...weak])).toContain('NOTHING_CLEARS_IT');
    },
  );
  await fc.assert(law, { numRuns: sized(25, 200) });
});

test('no suite with a case that wants content is cleared by an answer without content', async () => {
  const law = fc.asyncProperty(
    casesWith(WEAK, 0),
    casesWith(STRONG),
    fc.boolean(),
    async (weak, strong, mustPass) => {
      const all = [...weak, ...strong.map((one) => ({ ...one, must_pass: mustPass }))];
      expect(await codesOf(all, mustPass ? 0.2 : 1)).not.toContain('NOTHING_CLEARS_IT');
    },
  );
  await fc.assert(law, { numRuns: sized(360, 3_000) });
});

test('the pass threshold that a warning names stops what it warns of, and one thousandth less does not', async () => {
  const law = fc.asyncProperty(casesWith(WEAK), casesWith(STRONG), async (weak, strong) => {
    const all = [...weak, ...strong];
    const share =
      weak.reduce((sum, { weight }) => sum + weight, 0) / all.reduce((sum, { weight }) => sum + weight, 0);
    const [found] = await findingsOf(all, share * 0.9);
    const named = Number(/pass_threshold ([\d.]+) stops it/.exec(found?.message ?? '')?.[1]);
    expect(await codesOf(all, named)).not.toContain('NOTHING_CLEARS_IT');
    expect(await codesOf(all, Math.round(named * 1_000 - 1) / 1_000)).toContain('NOTHING_CLEARS_IT');
  });
  await fc.assert(law, { numRuns: sized(40, 400) });
});

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { memberId } from '../../../../../shared/domain/revisions/ids.ts';
import type { Sample } from '../../../../../shared/domain/runs/outputs/submission.ts';
import type { ScoredCase } from '../../../../../shared/domain/runs/ports.ts';
import { foldedCase, sampleDigests } from '../../../../../shared/domain/runs/results/caseResults.ts';
import { excerpt, sourceOf, withExcerpts } from '../../../../../shared/domain/runs/results/excerpts.ts';
import { type CaseSays, join, NOT_READ, split } from '../../../../../shared/domain/runs/results/join.ts';
import type { PlannedCase } from '../../../../../shared/domain/suites/chains/plannedCase.ts';
import { caseResult, scoreSuite } from '../../../../../shared/scoring/engine/score.ts';
import { GONE } from '../../../../../shared/scoring/kit/shownOutputs.ts';
import type { SuiteScorer } from '../../../../../shared/scoring/kit/types.ts';
import { withDefaults } from '../../../../../shared/scoring/registry.ts';
import { now, preparedSuite } from '../../../scoring/cases.ts';
import '../../../../support/seed.ts';
import { sized } from '../../../../support/soak.ts';

const RUNS = { numRuns: sized(50, 1_000) };
const SUITE_ID = '0a1b2c3d-4e5f-4a6b-8c7d-90a1b2c3d4e5';
const CREATED_MS = Date.parse('2036-05-05T10:00:00.000Z');
const LONG = 'x'.repeat(9_000);
const SCHEMA = { type: 'object', required: ['n'], properties: { n: { type: 'string' } } };
const ASSERTIONS = [
  { path: '$.n', op: 'equals', value: { $expected: '/n' } },
  { path: '$[*]', op: 'matches', value: '^.', flags: 'i' },
  { path: '$.l', op: 'not_equals', value: LONG },
];

const CONFIGS: readonly (readonly [type: string, config: object])[] = [
  ['exact_match', {}],
  ['exact_match', { case_sensitive: false, normalize: true }],
  ['contains', { values: ['wanted', 'refund'] }],
  ['contains', { values: ['wanted', LONG], mode: 'any' }],
  ['contains', { values: ['never'], mode: 'none' }],
  ['regex', { pattern: '(\\w+) (\\w+)' }],
  ['regex', { pattern: 'never', should_match: false, flags: 'i' }],
  ['json_schema', { schema: SCHEMA }],
  ['json_path', { assertions: ASSERTIONS, partial: true }],
  ['json_path', { assertions: ASSERTIONS.slice(0, 2) }],
  ['similarity', { metric: 'levenshtein' }],
  ['similarity', { metric: 'rouge_l' }],
  ['metric', { field: 'latency_ms', max: 30 }],
  ['llm_judge', { rubric: 'Is it good?', _provider: 'openai' }],
  // One that is not valid any more, and one of a type that there is no more.
  ['contains', { values: [] }],
  ['unknown', {}],
];

const anyText = fc.oneof(
  fc.constantFrom('wanted text', 'a b', '{"n":"a b"}', '["a","b"]', ''),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed()),
  fc.nat(2_100).map((length) => `wanted ${'é'.repeat(length)}`),
  fc.constant(`wanted ${LONG}`),
);
const anyExpected = fc.oneof(
  anyText,
  fc.constantFrom(null, { n: 'a b' }, ['a', 'b'], { l: LONG }, {}),
  fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value))),
);
const anyInput = fc.oneof(
  fc.constant({}),
  anyText.map((question) => ({ question })),
);

const anyCase = fc.record({
  scorer: fc.option(fc.tuple(fc.constantFrom(...CONFIGS), fc.boolean()), { freq: 12 }),
  expected: anyExpected,
  input: anyInput,
  isAnswered: fc.boolean(),
  samples: fc.array(
    fc.record(
      {
        output: fc.option(anyText, { freq: 9, nil: undefined }),
        input: fc.oneof(fc.constant({}), anyInput),
        metadata: fc.record({ latency_ms: fc.constantFrom(1, 100, 'soon') }),
      },
      { requiredKeys: ['output', 'input'] },
    ),
    { maxLength: 3 },
  ),
  rules: fc.record({
    key: fc.string({ minLength: 1 }),
    name: fc.string(),
    threshold: fc.constantFrom(0, 0.5, 1),
    weight: fc.constantFrom(1, 2.5),
    must_pass: fc.boolean(),
    tags: fc.array(fc.string(), { maxLength: 2 }),
    sample_count: fc.constantFrom(1, 3),
    sample_pass_rate: fc.constantFrom(0.5, 1),
    advisory_until: fc.constantFrom(null, '2036-05-06T10:00:00.000Z', '2036-05-04T10:00:00.000Z'),
  }),
});
type Drawn = typeof anyCase extends fc.Arbitrary<infer D> ? D : never;

function plannedCase({ scorer, expected, input, isAnswered, rules }: Drawn, number: number): PlannedCase {
  const [[type, config] = ['', {}], dual_sided = false] = scorer ?? [];
  const used = {
    id: `${number}`,
    type,
    // As it is stored.
    config: withDefaults({ type, config }),
    dual_sided,
    precision_threshold: null,
    recall_threshold: null,
  };
  const id = memberId(SUITE_ID, number);
  const planned = { ...rules, id, input, expected, scorer: scorer === null ? null : (used as SuiteScorer) };
  // Many outputs are what is expected.
  return { ...planned, expected: isAnswered ? 'wanted text' : expected } as PlannedCase;
}

const JUDGED = { raw_response: '{"score":1}', answered_model: 'a', usage: { input_tokens: 1 } };

function scoredCase(planned: PlannedCase, { samples: drawn }: Drawn) {
  const samples = drawn
    .slice(0, planned.sample_count)
    .map(({ output, ...sent }) =>
      output === undefined ? { error: 'timed out', ...sent } : { output, ...sent },
    ) as Sample[];
  const [scored = []] = scoreSuite(preparedSuite([planned]), { outputsOf: () => samples, now });
  const isJudged = planned.scorer?.type === 'llm_judge';
  const outcome = { score: 1, reason: 'good', output: JUDGED, errored: false } as const;
  const judged = isJudged ? samples.map(() => caseResult(planned, outcome, 7)) : scored;
  const sent = { samples, digests: sampleDigests(planned, samples), scored: judged };
  const folded = foldedCase(planned, sent, CREATED_MS);
  return folded;
}

const anyRun = fc.record({
  cases: fc.array(anyCase, { minLength: 1, maxLength: 6 }),
  keep: fc.constantFrom('none' as const, 'failed' as const, 'all' as const),
  bytesMax: fc.constantFrom(2_000_000, 5_000),
});

async function resultsOf({ cases, keep, bytesMax }: typeof anyRun extends fc.Arbitrary<infer R> ? R : never) {
  const planned = cases.map(plannedCase);
  const scored = planned.map((one, index) => scoredCase(one, cases[index] as Drawn));
  const readTexts = async () => new Map(planned.map((one) => [one.id, one]));
  const results = await withExcerpts(scored, { keep, bytesMax, readTexts });
  return results.map(({ result }, index) => ({ result, planned: planned[index] as PlannedCase }));
}

const stored = (result: ScoredCase, says: CaseSays) => JSON.parse(JSON.stringify(split(result, says)));
const asRead = (result: ScoredCase): ScoredCase => JSON.parse(JSON.stringify(result));

test('a result of any scorer is read as it was while its case and its scorer are known, to the letter', async () => {
  await fc.assert(
    fc.asyncProperty(anyRun, async (run) => {
      for (const { result, planned } of await resultsOf(run)) {
        const says: CaseSays = planned;
        const { result: read, isLost } = join(stored(result, says), says);
        expect(read).toStrictEqual(asRead(result));
        expect(JSON.stringify(read.scorer_output)).toBe(JSON.stringify(result.scorer_output));
        expect(isLost).toBe(false);
      }
    }),
    RUNS,
  );
});

/** What exact_match shows of `expected`, and where the output is the same. */
function withoutExpected(output: Record<string, unknown>, expected: unknown, cut: (text: string) => string) {
  const text = JSON.stringify(expected);
  const shown =
    text.length <= 8_192 ? expected : (typeof expected === 'string' ? expected : text).slice(0, 2_000);
  const same = JSON.stringify(shown, (_, value) => (typeof value === 'string' ? cut(value) : value));
  const isText = ([name, value]: [string, unknown]) =>
    (name === 'expected' || name === 'actual') && JSON.stringify(value) === same;
  return Object.fromEntries(
    Object.entries(output).map((field) => (isText(field) ? [field[0], null] : field)),
  );
}

/** A result whose case's texts have been dropped, said in another way. */
function withoutTexts(result: ScoredCase, { input, expected, scorer }: PlannedCase): ScoredCase {
  const read = asRead(result);
  const isExact = scorer?.type === 'exact_match';
  const own = (output: ScoredCase['scorer_output'], cut: (text: string) => string) =>
    isExact ? withoutExpected(output, expected, cut) : output;
  const excerptOf = (value: unknown) => excerpt(sourceOf(value) ?? '');
  const left = {
    ...read,
    scorer_output: own(read.scorer_output, (text) => text),
    ...(read.samples && {
      samples: read.samples.map((one) => ({ ...one, scorer_output: own(one.scorer_output, excerpt) })),
    }),
    ...(read.expected_excerpt === excerptOf(expected) && { expected_excerpt: null }),
    ...(read.input_excerpt === excerptOf(input) && { input_excerpt: null }),
  };
  const isLost = JSON.stringify(left) !== JSON.stringify(read);
  return { ...left, ...(isLost && { excerpts_cut: true }) };
}

test('where the texts of a case have been dropped exactly they are null in its results, and nowhere else', async () => {
  await fc.assert(
    fc.asyncProperty(anyRun, async (run) => {
      for (const { result, planned } of await resultsOf(run)) {
        const says: CaseSays = planned;
        const { result: read } = join(stored(result, says), { ...says, ...NOT_READ });
        expect(read).toStrictEqual(withoutTexts(result, planned));
      }
    }),
    RUNS,
  );
});

test('a result stores no input and no expected value of its case, but where its reason quotes them', async () => {
  const scorers = CONFIGS.filter(([type]) => type !== 'similarity').map((config) => [config, false] as const);
  const sample = { output: 'another text', input: {} };
  for (const scorer of [...scorers, null]) {
    const rules = { ...PLAIN, sample_count: 3 };
    // Longer than an excerpt, and short enough to be shown whole.
    const long = 'x'.repeat(5_000);
    const texts = { expected: `expected ${long}`, input: { question: `asked ${long}` } };
    const drawn = {
      scorer,
      ...texts,
      isAnswered: false,
      samples: [sample, sample],
      rules,
    } as unknown as Drawn;
    const [one] = await resultsOf({ cases: [drawn], keep: 'all', bytesMax: 2_000_000 });
    const { result, planned } = one as NonNullable<typeof one>;
    expect(result.input_excerpt).toContain('asked');
    const { reason: _, samples, ...kept } = stored(result, planned);
    const all = JSON.stringify([kept, samples.map(({ reason: _, ...rest }: { reason: string }) => rest)]);
    expect(all).not.toMatch(/asked|expected x/);
  }
});

const PLAIN = {
  key: 'k',
  name: 'Name',
  threshold: 1,
  weight: 1,
  must_pass: false,
  tags: [],
  sample_pass_rate: 1,
  advisory_until: null,
};

test('where the config of a scorer has been dropped its fields are null', () => {
  const scorer = { id: 's', type: 'contains', config: { values: ['a', 'b'], mode: 'any' } };
  const planned = { ...PLAIN, id: memberId(SUITE_ID, 3), scorer };
  const says = { ...planned, expected: null, input: {} };
  const matches = [true, false].map((found, at) => ({ value: 'ab'[at], found }));
  const result = {
    ...caseResult({ ...planned, scorer: null }, { score: 1, reason: '', output: {}, errored: false }, 0),
    key: 'k',
    weight: 1,
    must_pass: false,
    tags: [],
    missing: false,
    advisory: false,
    output_digest: null,
    metadata: null,
    scorer_output: { mode: 'any', matches, found_count: 1, total: 2 },
  };
  const { result: read } = join(stored(result, says), { ...says, scorer: { ...scorer, config: GONE } });
  expect(read.scorer_output).toStrictEqual({
    mode: null,
    found_count: 1,
    total: null,
    matches: [null, { value: null, found: false }],
  });
  expect(read.excerpts_cut).toBe(true);
});

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SCORER_TYPES } from '../../../../shared/contracts/base/scorerTypes.ts';
import { prepareSuite, repeatedOutput } from '../../../../shared/scoring/engine/engine.ts';
import { definitionOf } from '../../../../shared/scoring/registry.ts';
import type { SuiteCase } from '../../../../shared/scoring/types.ts';
import { scoreText } from '../cases.ts';

const SCHEMA = { type: 'object', required: ['n'], properties: { n: { type: 'string' } } };

const ASSERTIONS = [
  { path: '$.n', op: 'equals', value: { $expected: '/n' } },
  { path: '$[*]', op: 'matches', value: '^.' },
  { path: '$.m', op: 'absent' },
];
const LONG = { path: '$.l', op: 'not_equals', value: 'x'.repeat(9_000) };

const SCORERS: readonly (readonly [type: string, config: object, expected: unknown])[] = [
  ['exact_match', {}, 'refund within 30 days'],
  ['exact_match', { case_sensitive: false }, { n: 1, list: ['a'] }],
  ['contains', { values: ['30 days', 'refund'], mode: 'all' }, null],
  ['contains', { values: ['30 days', 'x'.repeat(9_000)], mode: 'any' }, null],
  ['regex', { pattern: '(\\w+) (\\w+)' }, ['a', 'b']],
  ['json_schema', { schema: SCHEMA }, null],
  ['contains', { values: ['30 Days', 'REFUND'], case_sensitive: false }, null],
  ['json_schema', { schema: SCHEMA, extract: 'embedded' }, null],
  ['json_path', { assertions: ASSERTIONS, partial: true }, { n: 'a b' }],
  ['json_path', { assertions: [...ASSERTIONS, LONG], extract: 'embedded' }, { n: 'a b' }],
  ['similarity', { metric: 'levenshtein' }, 'refund within 30 days'],
  ['similarity', { metric: 'rouge_l', case_sensitive: false }, 'refund within 30 days'],
  ['metric', { field: 'latency_ms', max: 30 }, null],
  ['llm_judge', { rubric: 'Is it good?', _provider: 'openai' }, null],
];

const CASES: readonly SuiteCase[] = SCORERS.flatMap(([type, config, expected], index) =>
  [false, true].map((dual_sided) => ({
    id: `${index} ${dual_sided}`,
    name: `Case ${index}`,
    ...{ expected, threshold: 0.5, weight: 1 },
    scorer: {
      ...{ id: `${index} ${dual_sided}`, type, config, dual_sided },
      ...{ precision_threshold: null, recall_threshold: null },
    },
  })),
);

const anyOutput = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.json(),
  fc.lorem({ maxCount: 30 }),
  fc.constantFrom('refund within 30 days', 'a b', '{"n":"a b"}', '["a","b"]'),
);

test('every scorer lists the fields that repeat the suite', () => {
  for (const type of SCORER_TYPES) expect(definitionOf(type)?.repeats).toBeInstanceOf(Array);
});

test('what repeats of a scorer_output is the same for every output', async () => {
  const compiled = await prepareSuite({ passThreshold: 1, cases: CASES });
  const partsOf = (output: string) =>
    scoreText(compiled, { output, now: Date.now }).results.map(({ scorer_output }, index) =>
      repeatedOutput(CASES[index]?.scorer ?? null, scorer_output),
    );
  const ofNothing = partsOf('');
  expect(JSON.stringify(ofNothing)).toContain('30 days');
  fc.assert(
    fc.property(anyOutput, (output) => {
      expect(partsOf(output)).toStrictEqual(ofNothing);
    }),
  );
});

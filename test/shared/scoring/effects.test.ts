import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { configEffect, replacementEffect } from '../../../shared/scoring/effects.ts';
import { prepareSuite, scoreSuite } from '../../../shared/scoring/engine/engine.ts';
import { Expected } from '../../../shared/scoring/kit/reading/expected.ts';
import { Subject } from '../../../shared/scoring/kit/reading/subject.ts';
import { contains } from '../../../shared/scoring/scorers/contains.ts';

const effect = (type: string, before: object, after: object) =>
  configEffect({ type, config: before, dual_sided: false }, { type, config: after, dual_sided: false });

test.each([
  ['stricter', 'metric', { field: 'latency_ms', max: 900 }, { field: 'latency_ms', max: 800 }],
  ['weaker', 'metric', { field: 'latency_ms', max: 800 }, { field: 'latency_ms', max: 900 }],
  ['may be weaker', 'metric', { field: 'latency_ms', max: 800 }, { field: 'cost_usd', max: 8 }],
  [
    'may be weaker',
    'metric',
    { field: 'finish_reason', equals: 'stop' },
    { field: 'finish_reason', equals: 'x' },
  ],
  ['stricter', 'contains', { values: ['a'] }, { values: ['b', 'a'] }],
  ['weaker', 'contains', { values: ['a', 'b'] }, { values: ['b'] }],
  ['stricter', 'contains', { values: ['a', 'b'], mode: 'any' }, { values: ['b'], mode: 'any' }],
  ['weaker', 'contains', { values: ['b'], mode: 'any' }, { values: ['a', 'b'], mode: 'any' }],
  ['stricter', 'contains', { values: ['a'], mode: 'none' }, { values: ['a', 'b'], mode: 'none' }],
  ['same', 'contains', { values: ['a', 'b'] }, { values: ['b', 'a'] }],
  ['may be weaker', 'contains', { values: ['a'] }, { values: ['b'] }],
  ['may be weaker', 'contains', { values: ['a'] }, { values: ['a', 'b'], mode: 'any' }],
  ['may be weaker', 'contains', { values: ['a'] }, { values: ['a', 'b'], case_sensitive: false }],
  ['stricter', 'similarity', { metric: 'rouge_l' }, { metric: 'rouge_l', same_numbers: true }],
  ['weaker', 'similarity', { metric: 'rouge_l', same_numbers: true }, { metric: 'rouge_l' }],
  ['same', 'similarity', { metric: 'rouge_l', same_numbers: false }, { metric: 'rouge_l' }],
  [
    'may be weaker',
    'similarity',
    { metric: 'rouge_l' },
    { metric: 'rouge_l', same_numbers: true, case_sensitive: false },
  ],
])('a change of a config is %s: %s %j to %j', (expected, type, before, after) => {
  expect(effect(type, before, after)).toBe(expected);
});

test('no text passes that failed before where the plan states that values are the same or stricter', () => {
  const config = fc.record({
    values: fc.array(fc.constantFrom('a', 'b', 'c', 'ab'), { minLength: 1, maxLength: 4 }),
    mode: fc.constantFrom('all', 'any', 'none'),
  });
  const passes = (given: object, text: string) => {
    const compiled = contains.compile(contains.configSchema().parse(given), { dualSided: false });
    return compiled.score(new Subject(text, {}), new Expected(null)).score === 1;
  };
  fc.assert(
    fc.property(config, config, fc.string({ unit: fc.constantFrom(...'abc') }), (before, after, text) => {
      const isProven = ['same', 'stricter'].includes(effect('contains', before, after));
      expect(isProven && passes(after, text) && !passes(before, text)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test('no text passes an exact match that a similarity failed or did not judge, where the plan states that it is stricter', async () => {
  const share = fc.constantFrom(0, 0.5, 0.8, 1);
  const reading = { case_sensitive: fc.boolean(), ignore_reasoning: fc.boolean() };
  const similarity = fc.record(
    {
      metric: fc.constantFrom('levenshtein' as const, 'rouge_l' as const),
      normalize_whitespace: fc.boolean(),
      same_numbers: fc.boolean(),
      ...reading,
    },
    { requiredKeys: ['metric'] },
  );
  const exact = fc.record({ normalize: fc.boolean(), ...reading }, { requiredKeys: [] });
  const text = fc
    .array(fc.constantFrom('a', 'A', 'b', ' ', '\n', '1', '2', 'İ', 'ß', '<think>', '</think>', '’'), {
      maxLength: 8,
    })
    .map((parts) => parts.join(''));
  const altered = fc.constantFrom<(expected: string) => string>(
    (expected) => expected,
    (expected) => expected.toUpperCase(),
    (expected) => expected.toLowerCase(),
    (expected) => expected.replaceAll(' ', ''),
    (expected) => `<think>a</think>${expected}`,
  );
  let proven = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(similarity, exact, fc.oneof(text, fc.constant('x'.repeat(10_001)), fc.constant(null))),
      fc.tuple(share, share, altered),
      async ([was, is, expected], [before, after, alter]) => {
        const options = { dual_sided: false, precision_threshold: null, recall_threshold: null };
        const scorers = [
          { id: 'similar', type: 'similarity', config: was, ...options },
          { id: 'exact', type: 'exact_match', config: is, ...options },
        ] as const;
        const effect = replacementEffect(...scorers, { expected, threshold: after });
        if (effect !== 'stricter') return;
        proven++;
        const thresholds = [before, after];
        const cases = scorers.map((scorer, index) => ({
          id: scorer.id,
          name: scorer.id,
          expected,
          weight: 1,
          scorer,
          threshold: thresholds[index] ?? 1,
        }));
        const output = alter(String(expected));
        const [similar, same] = scoreSuite(await prepareSuite({ passThreshold: 1, cases }), {
          outputsOf: () => [{ output }],
          now: () => 0,
        }).flat();
        expect(same?.passed === true && similar?.passed !== true).toBe(false);
      },
    ),
    { numRuns: 2_000 },
  );
  expect(proven).toBeGreaterThan(50);
});

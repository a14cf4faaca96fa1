import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { configEffect } from '../../../shared/scoring/effects.ts';
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

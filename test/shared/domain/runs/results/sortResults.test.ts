import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type SortedResult, sortResults } from '../../../../../shared/domain/runs/results/sortResults.ts';

const of = (fields: Partial<SortedResult>): SortedResult => ({
  must_pass: false,
  weight: 1,
  score: 1,
  metadata: null,
  ...fields,
});
const samples = (...latencies: number[]) => latencies.map((latency_ms) => ({ metadata: { latency_ms } }));
const FIRST = of({ weight: 2, metadata: { latency_ms: 5, cost_usd: 0, input_tokens: 9 } });
const LAST = of({ must_pass: true, weight: 0, score: 0, samples: samples(1, 7) });
const HEAVY = of({ weight: 3, score: 0.5, metadata: { input_tokens: 1, output_tokens: 1, latency_ms: '9' } });
const PLAIN = of({ weight: null });
const RESULTS = [PLAIN, FIRST, HEAVY, LAST];

test.each([
  [undefined, [LAST, HEAVY, FIRST, PLAIN]],
  ['gravity', [LAST, HEAVY, FIRST, PLAIN]],
  ['score', [LAST, HEAVY, PLAIN, FIRST]],
  ['latency_ms', [LAST, FIRST, PLAIN, HEAVY]],
  ['total_tokens', [HEAVY, PLAIN, FIRST, LAST]],
  ['cost_usd', [FIRST, PLAIN, HEAVY, LAST]],
] as const)('the gravest come first by %s, and those without it last', (order, expected) => {
  expect(sortResults(RESULTS, order)).toEqual(expected);
});

test('what newly fails comes before the gravest, among themselves by gravity, and in no other order', () => {
  const [light, heavy] = [of({ key: 'light', weight: 0 }), of({ key: 'heavy', weight: 2, score: 0.9 })];
  const results = [LAST, light, HEAVY, heavy];
  expect(sortResults(results, undefined, ['light', 'heavy'])).toEqual([heavy, light, LAST, HEAVY]);
  expect(sortResults(results, 'score', ['light', 'heavy'])).toEqual(sortResults(results, 'score'));
});

test('no order loses a result, and equal ones keep their places', () => {
  const amount = fc.constantFrom(0, 1, 2);
  const metadata = fc.option(fc.record({ latency_ms: amount, cost_usd: amount }, { requiredKeys: [] }));
  const result = fc.record({
    must_pass: fc.boolean(),
    weight: fc.option(amount),
    score: fc.constantFrom(0, 0.5, 1),
    metadata,
    samples: fc.option(fc.array(fc.record({ metadata }), { maxLength: 2 }), { nil: undefined }),
  });
  const orders = fc.constantFrom('gravity', 'score', 'latency_ms', 'total_tokens', 'cost_usd');
  fc.assert(
    fc.property(fc.array(result), orders, (results, order) => {
      const sorted = sortResults(results, order);
      expect(new Set(sorted)).toEqual(new Set(results));
      expect(sorted).toHaveLength(results.length);
      expect(sortResults(sorted, order)).toEqual(sorted);
      const twice = sortResults([...results, ...structuredClone(results)], order);
      const firsts = twice.filter((one) => results.includes(one));
      expect(firsts).toEqual(sorted);
    }),
  );
});

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { foldedCase, sampleDigests } from '../../../../../shared/domain/runs/results/caseResults.ts';
import { repeatedParts, repeatedTexts } from '../../../../../shared/domain/runs/results/repeatedParts.ts';
import { plainRules } from '../../../../../shared/domain/suites/bar/rules.ts';
import { scoreSuite } from '../../../../../shared/scoring/engine/score.ts';
import { caseOf, now, preparedSuite } from '../../../scoring/cases.ts';
import '../../../../support/seed.ts';

const CASES = [
  caseOf('exact_match', {}, { expected: 'refund within 30 days' }),
  caseOf('contains', { values: ['30 days', 'refund'], mode: 'all' }),
  caseOf('regex', { pattern: '(\\w+) (\\w+)' }),
].map((evalCase, index) => ({
  ...evalCase,
  ...plainRules(`case-${index}`),
  ...{ tags: ['refunds'], must_pass: index === 0, inputText: '{"q":"how long?"}' },
  scorer: evalCase.scorer as never,
}));

const anySample = fc.record(
  {
    output: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('refund within 30 days', 'a b')),
    input: fc.dictionary(fc.string(), fc.string()),
    metadata: fc.dictionary(fc.string(), fc.string()),
  },
  { requiredKeys: ['output', 'input'] },
);
type Drawn = typeof anySample extends fc.Arbitrary<infer T> ? T : never;

const suite = preparedSuite(CASES);
const partsOf = (sample: Drawn) => {
  const scored = scoreSuite(suite, { outputsOf: () => [sample], now });
  const results = CASES.map((evalCase, index) => {
    const samples = [sample];
    const sent = { samples, digests: sampleDigests(evalCase, samples), scored: scored[index] ?? [] };
    return foldedCase(evalCase, sent, 0).result;
  });
  return { parts: repeatedParts(CASES, results), texts: repeatedTexts(CASES, results) };
};

test('the dictionary of results holds the same for every output, input and metadata, so nothing of them', () => {
  const ofNothing = partsOf({ output: '', input: {} });
  expect(JSON.stringify(ofNothing.parts)).toContain('30 days');
  expect(JSON.stringify(ofNothing.parts)).not.toContain('how long?');
  expect(JSON.stringify(ofNothing.texts)).toContain('how long?');
  expect(ofNothing.parts).toMatchObject([{ must_pass: true, tags: ['refunds'], key: 'case-0' }, {}, {}]);
  fc.assert(
    fc.property(anySample, (sample) => {
      expect(partsOf(sample)).toStrictEqual(ofNothing);
    }),
  );
});

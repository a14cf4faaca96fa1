import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  decidingSample,
  foldSamples,
  missingResult,
  outputErrorResult,
} from '../../../../shared/scoring/engine/samples.ts';
import type { CaseResult } from '../../../../shared/scoring/kit/types.ts';
import { modelSamples } from '../verdict/model.ts';

const CASE = { id: 'c1', name: 'Refunds', threshold: 0.5 };

function scored(score: number, threshold = CASE.threshold): CaseResult {
  return {
    case_id: CASE.id,
    case_name: CASE.name,
    passed: score >= threshold,
    score,
    threshold,
    reason: `scored ${score}`,
    scorer_output: { score },
    duration_ms: 1,
    errored: false,
  };
}
const errored = outputErrorResult(CASE, 'provider answered 429');

const [right, wrong] = [scored(1), scored(0)];
const rule = (sampleCount: number, samplePassRate = 1) => ({ sampleCount, samplePassRate });

describe('a case without an output', () => {
  test('fails as missing, without an error', () => {
    expect(missingResult(CASE)).toEqual({
      ...wrong,
      reason: expect.stringContaining('no output was sent'),
      scorer_output: { missing: true },
      duration_ms: 0,
      missing: true,
    });
  });

  test('is errored where the harness states why', () => {
    expect(errored).toMatchObject({
      passed: false,
      score: 0,
      errored: true,
      reason: expect.stringContaining('429'),
      scorer_output: { error: 'OUTPUT_ERROR', message: 'provider answered 429' },
    });
  });

  test('keeps the message of an error, whatever it is made of', () => {
    const { scorer_output, reason } = outputErrorResult(CASE, `${'\u0000'.repeat(1_999)}\ud800`);
    expect(JSON.stringify(scorer_output).length).toBeLessThan(13_000);
    expect(scorer_output).toMatchObject({ error: 'OUTPUT_ERROR', truncated: true });
    expect([reason.isWellFormed(), String(scorer_output.message).isWellFormed()]).toEqual([true, true]);
  });
});

describe('samples of a case', () => {
  test.each([wrong, right, errored])('the only sample of a case that takes one is its result', (sample) => {
    expect(foldSamples([sample], rule(1))).toBe(sample);
    expect(foldSamples([sample], rule(1, 0))).toBe(sample);
    expect(decidingSample([sample], rule(1))).toBe(0);
  });

  test.each([
    ['right, wrong of 2', [right, wrong], rule(2), 1],
    ['right, wrong, right of 3, two thirds needed', [right, wrong, right], rule(3, 0.6), 2],
    ['right, wrong of 3, two thirds needed', [right, wrong], rule(3, 0.6), 1],
    ['right, right of 3, two thirds needed', [right, right], rule(3, 0.6), 1],
    ['right of 2', [right], rule(2), 'missing'],
    ['right, error, wrong of 3, two thirds needed', [right, errored, wrong], rule(3, 0.6), 'undecided'],
    ['wrong, errors of 3, all needed', [wrong, errored, errored], rule(3), 0],
    ['error of 3, all needed', [errored], rule(3), 'missing'],
    ['error, right of 2, any of them', [errored, right], rule(2, 0), 1],
    ['errors of 2', [errored, errored], rule(2), 'undecided'],
    ['0.7, 0.9, 0.8 of 3, all needed: the worst', [0.7, 0.9, 0.8].map((score) => scored(score)), rule(3), 0],
    ['0.7, 0.9, 0.8 of 3, any: the best', [0.7, 0.9, 0.8].map((score) => scored(score)), rule(3, 0), 1],
    ['0.7, 0.9, 0.8 of 3, half: the median', [0.7, 0.9, 0.8].map((score) => scored(score)), rule(3, 0.5), 2],
  ] as const)('%s', (_, samples, sampleRule, deciding) => {
    expect(decidingSample(samples, sampleRule)).toBe(deciding);
    const result = foldSamples(samples, sampleRule);
    if (typeof deciding === 'number')
      expect(result).toMatchObject({ ...samples[deciding], duration_ms: expect.any(Number) });
    if (deciding === 'missing') {
      expect(result).toMatchObject({
        passed: false,
        score: 0,
        errored: false,
        scorer_output: { missing: true },
      });
      expect(result).not.toHaveProperty('missing');
    }
    if (deciding === 'undecided') {
      const error = { errored: true, score: 0, scorer_output: { error: 'SAMPLES_UNDECIDED' } };
      expect(result).toMatchObject({ passed: false, ...error, reason: expect.stringContaining('429') });
    }
  });

  test('durations add up', () => {
    expect(foldSamples([right, wrong, right], rule(3)).duration_ms).toBe(3);
  });

  test('a case is not folded from none, or from more than it takes', () => {
    expect(() => foldSamples([], rule(2))).toThrow('2 samples');
    expect(() => foldSamples([right, right], rule(1))).toThrow('1 samples');
  });

  test('0.3 of 10 is three samples, though 0.1 × 3 is a little more than 0.3', () => {
    expect(foldSamples([right, right, right], rule(10, 0.1 * 3)).passed).toBe(true);
    expect(foldSamples([right, right], rule(10, 0.3)).passed).toBe(false);
  });
});

describe('laws of samples', () => {
  const threshold = fc.double({ min: 0.01, max: 1, noNaN: true });
  const sample = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined, freq: 3 });
  const given = fc
    .tuple(
      threshold,
      fc.array(sample, { minLength: 1, maxLength: 8 }),
      fc.nat(3),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    .map(([bar, scores, lacking, passRate]) => ({
      samples: scores.map((score) =>
        score === undefined ? { ...errored, threshold: bar } : scored(score, bar),
      ),
      sampleRule: rule(scores.length + lacking, passRate),
    }));

  test('passed and failed are so however the errored samples had ended, else the case is errored', () => {
    fc.assert(
      fc.property(given, ({ samples, sampleRule }) => {
        fc.pre(sampleRule.sampleCount > 1);
        expect(foldSamples(samples, sampleRule)).toMatchObject(modelSamples(samples, sampleRule));
      }),
      { numRuns: 1_000 },
    );
  });

  test('a case passes exactly if its score reaches its threshold', () => {
    fc.assert(
      fc.property(given, ({ samples, sampleRule }) => {
        const { passed, score, threshold: bar } = foldSamples(samples, sampleRule);
        expect(passed).toBe(score >= bar);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the order of the samples changes neither verdict nor score', () => {
    const shuffled = given.chain(({ samples, sampleRule }) =>
      fc.tuple(
        fc.constant(samples),
        fc.shuffledSubarray(samples, { minLength: samples.length }),
        fc.constant(sampleRule),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([samples, others, sampleRule]) => {
        const { passed, score, errored: isErrored } = foldSamples(samples, sampleRule);
        expect(foldSamples(others, sampleRule)).toMatchObject({ passed, score, errored: isErrored });
      }),
      { numRuns: 500 },
    );
  });
});

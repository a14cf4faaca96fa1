import { describe, expect, test } from '@jest/globals';
import type { Sample } from '../../../../../shared/domain/runs/outputs/submission.ts';
import {
  foldedCase,
  gatedCase,
  judgedOutcome,
  sampleDigest,
  sampleDigests,
} from '../../../../../shared/domain/runs/results/caseResults.ts';
import type { PlannedCase } from '../../../../../shared/domain/suites/chains/plannedCase.ts';
import { outputDigest, resultDigest } from '../../../../../shared/scoring/digest/outputs.ts';
import { outputErrorResult } from '../../../../../shared/scoring/engine/samples.ts';
import { caseResult } from '../../../../../shared/scoring/engine/score.ts';
import { plainRules } from '../../../../support/plainRules.ts';

const CREATED_MS = Date.parse('2036-05-05T10:00:00.000Z');
const ID = '0a1b2c3d-4e5f-4a6b-8c7d-90a1b2c3d4e5';

const caseOf = (fields: Partial<PlannedCase> = {}): PlannedCase => ({
  id: ID,
  name: 'Refund window',
  input: {},
  expected: null,
  threshold: 0.5,
  weight: 3,
  scorer: null,
  ...plainRules('refund-window'),
  ...fields,
});

const sampleOf = (output: string, more: Partial<Sample> = {}) => ({ output, input: {}, ...more }) as Sample;
const ERROR: Sample = { error: 'timed out', input: {} };

/** `pass` passes, `fail` fails. */
const scored = (evalCase: PlannedCase, sample: Sample) =>
  sample.error !== undefined
    ? outputErrorResult(evalCase, sample.error)
    : caseResult(
        evalCase,
        {
          errored: false,
          score: sample.output === 'pass' ? 1 : 0,
          reason: `it says ${sample.output}`,
          output: { said: sample.output },
        },
        2,
      );

const sentOf = (evalCase: PlannedCase, samples: readonly Sample[]) => ({
  samples,
  digests: sampleDigests(evalCase, samples),
  scored: samples.map((sample) => scored(evalCase, sample)),
});

const resultOf = (evalCase: PlannedCase, ...samples: readonly Sample[]) =>
  foldedCase(evalCase, sentOf(evalCase, samples), CREATED_MS).result;

test('a result states its case, how its output scored and what it was', () => {
  const evalCase = caseOf({ must_pass: true, tags: ['safety'] });
  const sample = sampleOf('pass', { input: { lang: 'en' }, metadata: { latency_ms: 5 } });
  expect(resultOf(evalCase, sample)).toStrictEqual({
    case_id: ID,
    case_name: 'Refund window',
    key: 'refund-window',
    threshold: 0.5,
    weight: 3,
    passed: true,
    score: 1,
    reason: 'it says pass',
    scorer_output: { said: 'pass' },
    duration_ms: 2,
    errored: false,
    missing: false,
    advisory: false,
    must_pass: true,
    tags: ['safety'],
    output_digest: outputDigest({ output: 'pass' }, { lang: 'en' }).slice(0, 16),
    metadata: { latency_ms: 5 },
  });
});

test('a case without an output has failed, is missing and has no digest', () => {
  for (const sample_count of [1, 3]) {
    const result = resultOf(caseOf({ sample_count }));
    expect(result).toMatchObject({ passed: false, score: 0, missing: true, errored: false });
    expect(result).toMatchObject({ output_digest: null, metadata: null, scorer_output: { missing: true } });
    expect(result).not.toHaveProperty('samples');
  }
});

test('a case whose output could not be obtained is errored, not missing, and the error has a digest', () => {
  const digest = outputDigest({ error: 'timed out' }, {}).slice(0, 16);
  expect(resultOf(caseOf(), ERROR)).toMatchObject({ errored: true, missing: false, output_digest: digest });
});

describe('a case that takes several outputs', () => {
  const threeOf = (sample_pass_rate: number) => caseOf({ sample_count: 3, sample_pass_rate });
  const [pass, fail] = [sampleOf('pass', { metadata: { n: 1 } }), sampleOf('fail')];

  test('lists each sample that was sent, in the order sent, with its own digest and metadata', () => {
    const result = resultOf(threeOf(1), fail, ERROR, pass);
    const digests = [fail, ERROR, pass].map((sample) => sampleDigest(sample, 'contains'));
    expect(result.samples).toStrictEqual([
      {
        passed: false,
        score: 0,
        reason: 'it says fail',
        scorer_output: { said: 'fail' },
        metadata: null,
        output_digest: digests[0]?.slice(0, 16),
      },
      expect.objectContaining({
        scorer_output: expect.objectContaining({ error: 'OUTPUT_ERROR' }),
        output_digest: digests[1]?.slice(0, 16),
      }),
      expect.objectContaining({ passed: true, metadata: { n: 1 }, output_digest: digests[2]?.slice(0, 16) }),
    ]);
    expect(result).toMatchObject({ output_digest: resultDigest(digests), metadata: null });
  });

  test('has the same verdict and digest in whichever order they were sent', () => {
    const { samples: _, ...one } = resultOf(threeOf(0.6), pass, fail, ERROR);
    const { samples: __, ...other } = resultOf(threeOf(0.6), ERROR, fail, pass);
    expect(one).toEqual(other);
  });

  test('is not missing when some were sent', () => {
    expect(resultOf(threeOf(1), pass)).toMatchObject({ passed: false, missing: false, errored: false });
  });

  test.each([
    ['the worst when all have to pass', threeOf(1), [pass, fail, pass], fail],
    ['the best when any has to', threeOf(0), [fail, fail, pass], pass],
    ['the first when one that is missing decides', threeOf(1), [pass, pass], pass],
    ['the first when errors decide', threeOf(0.5), [fail, pass, ERROR], fail],
    ['none when none was sent', threeOf(1), [], undefined],
  ])('shows the output of %s', (_, evalCase, samples, shown) => {
    const { result, sample } = foldedCase(evalCase, sentOf(evalCase, samples), CREATED_MS);
    expect(sample).toBe(shown);
    if (!result.errored && result.scorer_output.missing === undefined)
      expect(result.scorer_output).toEqual({ said: sample?.output });
  });
});

test.each([
  ['2036-05-05T10:00:00.001Z', true],
  ['2036-05-05T10:00:00.000Z', false],
  [null, false],
])('an advisory until %s is or is not in force by the creation of the run', (advisory_until, advisory) => {
  expect(resultOf(caseOf({ advisory_until }), sampleOf('fail')).advisory).toBe(advisory);
});

test('metadata is part of a digest only where the scorer of the case reads it', () => {
  const [plain, measured] = [sampleOf('x'), sampleOf('x', { metadata: { latency_ms: 5 } })];
  expect(sampleDigest(measured, 'contains')).toBe(sampleDigest(plain, 'contains'));
  expect(sampleDigest(measured, 'metric')).not.toBe(sampleDigest(plain, 'metric'));
  const scorerOf = (type: string) => ({ scorer: { type } }) as Pick<PlannedCase, 'scorer'>;
  expect(sampleDigests(scorerOf('metric'), [measured])).toEqual([sampleDigest(measured, 'metric')]);
  expect(sampleDigests(scorerOf('contains'), [measured])).toEqual([sampleDigest(measured, 'contains')]);
  expect(sampleDigests({ scorer: null }, [measured])).toEqual([sampleDigest(measured, 'contains')]);
});

test('gates see of a result what decides', () => {
  const evalCase = caseOf({ must_pass: true, tags: ['a', 'b'] });
  const gated = {
    id: ID,
    key: 'refund-window',
    weight: 3,
    mustPass: true,
    tags: ['a', 'b'],
    advisory: false,
  };
  const states = { passed: false, errored: false, missing: false };
  expect(gatedCase(resultOf(evalCase, sampleOf('pass')))).toEqual({ ...gated, ...states, passed: true });
  expect(gatedCase(resultOf(evalCase, ERROR))).toEqual({
    ...gated,
    ...states,
    errored: true,
    fault: 'candidate',
  });
  expect(gatedCase(resultOf(evalCase))).toEqual({ ...gated, ...states, missing: true });
  expect(gatedCase({ ...resultOf(evalCase), weight: null }).weight).toBe(0);
});

test('a comparison sees of a judged result its digest and each model that gave a verdict, once', () => {
  const by = (output: object, samples?: readonly object[]) =>
    judgedOutcome({
      ...resultOf(caseOf(), sampleOf('pass')),
      output_digest: '0123456789abcdef',
      scorer_output: output as never,
      ...(samples && { samples: samples.map((scorer_output) => ({ scorer_output })) as never }),
    });
  const outputDigest = '0123456789abcdef';
  expect(by({ answered_model: 'm1', usage: {} })).toEqual({ outputDigest, models: ['m1'] });
  expect(by({ answered_model: null })).toEqual({ outputDigest, models: [null] });
  expect(by({ missing: true })).toEqual({ outputDigest, models: [] });
  expect(by({ error: 'JUDGE_REFUSED', answered_model: 'm1' })).toEqual({ outputDigest, models: [] });
  const samples = [
    { answered_model: 'm2' },
    { answered_model: 'm1' },
    { error: 'E' },
    { answered_model: 'm2' },
  ];
  expect(by({ answered_model: 'm2' }, samples)).toEqual({ outputDigest, models: ['m1', 'm2'] });
});

test('quotations of scorers are cut in samples to the length of an excerpt, and marked as cut', () => {
  const evalCase = caseOf({ sample_count: 2, sample_pass_rate: 1 });
  const long = 'x'.repeat(2_001);
  const { samples, scorer_output } = resultOf(evalCase, sampleOf(long), sampleOf('pass'));
  expect(samples?.map((sample) => sample.scorer_output)).toEqual([
    { said: 'x'.repeat(2_000), truncated: true },
    { said: 'pass' },
  ]);
  expect(scorer_output).toEqual({ said: long });
});

import { describe, expect, test } from '@jest/globals';
import { SCORER_TYPES } from '../../../../shared/contracts/base/scorerTypes.ts';
import { readsMetadata } from '../../../../shared/scoring/engine/engine.ts';
import { Expected } from '../../../../shared/scoring/kit/reading/expected.ts';
import { Subject } from '../../../../shared/scoring/kit/reading/subject.ts';
import { metric } from '../../../../shared/scoring/scorers/metric.ts';
import { caseOf, scoreOne } from '../cases.ts';

type Field = 'latency_ms' | 'input_tokens' | 'output_tokens' | 'total_tokens' | 'cost_usd';

function scored(field: Field, max: number, metadata: Record<string, unknown>) {
  const compiled = metric.compile({ field, max }, { dualSided: false });
  return compiled.score(new Subject('any', metadata), new Expected(null));
}

const FIGURES = { latency_ms: 812, input_tokens: 940, output_tokens: 122, cost_usd: 0.0021, trace_id: '7c' };

test.each<[Field, number, number]>([
  ['latency_ms', 812, 1],
  ['latency_ms', 811.9, 0],
  ['input_tokens', 939, 0],
  ['output_tokens', 122, 1],
  ['total_tokens', 1_062, 1],
  ['total_tokens', 1_061, 0],
  ['cost_usd', 0.0021, 1],
  ['cost_usd', 0, 0],
])('%s of at most %d scores %d', (field, max, score) => {
  expect(scored(field, max, FIGURES)).toMatchObject({ score, errored: false });
});

test.each<[Field, number, number, number]>([
  ['cost_usd', 0.1 + 0.2, 0.3, 1],
  ['cost_usd', 0.000_3 * 3, 0.000_9, 1],
  ['cost_usd', 0.300_000_1, 0.3, 0],
  ['latency_ms', 1 / 3, 0.333_333_333_333, 1],
  ['latency_ms', 800.000_001, 800, 0],
  ['input_tokens', 100_001, 100_000, 0],
  ['cost_usd', 1e-300, 0, 0],
])(
  '%s of %d and at most %d scores %d: fractions have the tolerance that scores have',
  (field, value, max, score) => {
    expect(scored(field, max, { [field]: value })).toMatchObject({ score, errored: false });
  },
);

test('the reason states the figure', () => {
  expect(scored('total_tokens', 1_000, FIGURES)).toEqual({
    score: 0,
    reason: 'total_tokens is 1062, more than 1000',
    output: { field: 'total_tokens', value: 1_062, max: 1_000 },
    errored: false,
  });
});

describe('a figure that is missing is an error, never a pass', () => {
  test.each<[Field, Record<string, unknown>]>([
    ['latency_ms', {}],
    ['latency_ms', { latency_ms: '5' }],
    ['latency_ms', { latency_ms: null }],
    ['latency_ms', { latency_ms: -1 }],
    ['cost_usd', { cost_usd: Number.NaN }],
    ['total_tokens', { input_tokens: 1 }],
    ['total_tokens', { total_tokens: 1 }],
    ['latency_ms', Object.create({ latency_ms: 1 })],
  ])('%s of %j', (field, metadata) => {
    expect(scored(field, 1_000, metadata)).toMatchObject({
      score: 0,
      errored: true,
      output: { error: 'METADATA_MISSING' },
    });
  });

  test('as in a run whose output has no metadata', () => {
    const evalCase = caseOf('metric', { field: 'latency_ms', max: 1 }, { threshold: 0 });
    expect(scoreOne(evalCase, 'x')).toMatchObject({
      passed: false,
      errored: true,
      scorer_output: { error: 'METADATA_MISSING' },
    });
  });
});

test('of all scorers it alone reads metadata', () => {
  expect([...SCORER_TYPES, 'none'].filter(readsMetadata)).toEqual(['metric']);
});

describe('a finish reason', () => {
  const ended = (metadata: Record<string, unknown>) => {
    const compiled = metric.compile({ field: 'finish_reason', equals: 'stop' }, { dualSided: false });
    return compiled.score(new Subject('any', metadata), new Expected(null));
  };

  test('is compared in any case', () => {
    expect(ended({ finish_reason: 'STOP' })).toMatchObject({ score: 1, errored: false });
    expect(ended({ finish_reason: 'length' })).toEqual({
      score: 0,
      reason: 'finish_reason is "length", not "stop"',
      output: { field: 'finish_reason', value: 'length', equals: 'stop' },
      errored: false,
    });
  });

  test.each([{}, { finish_reason: '' }, { finish_reason: 1 }])('is never passed by %j', (metadata) => {
    expect(ended(metadata)).toMatchObject({ errored: true, output: { error: 'METADATA_MISSING' } });
  });
});

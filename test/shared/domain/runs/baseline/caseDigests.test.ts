import { expect, test } from '@jest/globals';
import { digestedCases } from '../../../../../shared/domain/runs/baseline/caseDigests.ts';
import { aCase } from '../../definitions/plan/model.ts';

const SCORERS = { s1: 'digest-1', s2: 'digest-2', alike: 'digest-1' };
const ROW = {
  ...aCase('k'),
  id: 'c1',
  scorer_id: 's1',
  input_digest: 'input',
  expected_digest: 'expected',
  sample_count: 3,
  sample_pass_rate: 0.5,
};
const digestOf = (fields: Partial<typeof ROW>) => digestedCases([{ ...ROW, ...fields }], SCORERS)[0]?.digest;

test.each<[string, Partial<typeof ROW>]>([
  ['input', { input_digest: 'other' }],
  ['expected value', { expected_digest: 'other' }],
  ['threshold', { threshold: 0.6 }],
  ['scorer', { scorer_id: 's2' }],
  ['scorer, which is deleted by now', { scorer_id: 'gone' }],
  ['count of samples', { sample_count: 4 }],
  ['count of samples that have to pass', { sample_pass_rate: 1 }],
])('a case with another %s is another one', (_, fields) => {
  expect(digestOf(fields)).not.toBe(digestOf({}));
});

test.each<[string, Partial<typeof ROW>]>([
  ['key', { key: 'other' }],
  ['name', { name: 'Other' }],
  ['tags', { tags: ['a'] }],
  ['weight', { weight: 7 }],
  ['duty to pass', { must_pass: true }],
  ['advisory', { advisory: { owner: 'a', reason: 'b', expires_at: '2036-01-01T00:00:00.000Z' } }],
  ['id of an equal scorer', { scorer_id: 'alike' }],
  ['share of samples that means as many of them', { sample_pass_rate: 0.6 }],
])('a case with another %s is compared', (_, fields) => {
  expect(digestOf(fields)).toBe(digestOf({}));
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { samplesOf } from '../../../../../shared/domain/runs/outputs/sampledCases.ts';
import type { Submission } from '../../../../../shared/domain/runs/outputs/submission.ts';
import { sumsOf } from '../../../../../shared/domain/suites/chains/members.ts';
import {
  type CaseRules,
  isAdvisory,
  isAllAdvisory,
} from '../../../../../shared/domain/suites/gates/rules.ts';
import { timestamp } from '../../../../../shared/domain/time.ts';
import '../../../../support/seed.ts';
import { plainRules } from '../../../../support/plainRules.ts';
import { storedCase } from '../../../storage/stored.ts';
import { issueOf } from './issues.ts';

const CREATED_MS = Date.parse('2036-05-05T10:00:00.000Z');
const [BEFORE, LATER] = ['2036-05-05T10:00:00.000Z', '2036-05-05T10:00:00.001Z'];
const INPUT = { lang: 'en' };
const NO_DOCUMENTS = { input_digest: '', expected_digest: '' };
const advisoryUntil = (expires_at: string | null) =>
  expires_at === null ? null : { owner: 'Ann', reason: 'Being rewritten', expires_at };

const caseOf = (key: string, rules: Partial<CaseRules> = {}) => ({
  id: `id-of-${key}`,
  ...plainRules(key),
  ...rules,
});
const sampled = (cases: Parameters<typeof samplesOf>[0], sent: Omit<Submission, 'input'>) =>
  samplesOf(cases, { input: INPUT, ...sent }, CREATED_MS);

describe('one output', () => {
  test('is the sample of every case, with the input of the run', () => {
    const { samples, ...others } = sampled([caseOf('a'), caseOf('b')], { output: 'x' });
    expect(samples).toEqual([[{ output: 'x', input: INPUT }], [{ output: 'x', input: INPUT }]]);
    expect(others).toEqual({ surplus: [], surplusOutputs: 0 });
  });

  test('that is empty is an output', () => {
    expect(sampled([caseOf('a')], { output: '' }).samples).toEqual([[{ output: '', input: INPUT }]]);
  });

  test('is refused where a case takes several, also an advisory one', () => {
    const several = caseOf('b', { sample_count: 2, advisory_until: LATER });
    const issue = issueOf(() => sampled([caseOf('a'), several], { output: 'x' }));
    expect(issue).toEqual({ path: 'output', message: expect.stringContaining('"b" takes 2') });
  });
});

describe('outputs of their own', () => {
  test('are those of each case, in the order of the cases, samples in the order sent', () => {
    const cases = [caseOf('a'), caseOf('b', { sample_count: 3 }), caseOf('c')];
    const outputs = [
      { case: 'b', output: '1', metadata: { latency_ms: 5 } },
      { case: 'zzz', output: 'x' },
      { case: 'a', output: 'y', input: { lang: 'de' } },
      { case: 'id-of-b', error: 'timed out' },
    ];
    expect(sampled(cases, { outputs })).toEqual({
      samples: [
        [{ output: 'y', input: { lang: 'de' } }],
        [
          { output: '1', input: INPUT, metadata: { latency_ms: 5 } },
          { error: 'timed out', input: INPUT },
        ],
        [],
      ],
      surplus: ['zzz'],
      surplusOutputs: 1,
    });
  });

  test('replace the input of the run, and are not merged with it', () => {
    const outputs = [{ case: 'a', output: 'x', input: {} }];
    expect(sampled([caseOf('a')], { outputs }).samples).toEqual([[{ output: 'x', input: {} }]]);
  });
});

test.each([
  ['is refused while all its cases are advisory', [LATER, LATER], 'suite'],
  ['is judged when one gates', [LATER, null], undefined],
  ['is judged from the moment on at which an advisory ends', [LATER, BEFORE], undefined],
])('a suite %s', (_, untils, path) => {
  const cases = untils.map((advisory_until, index) => caseOf(`case-${index}`, { advisory_until }));
  expect(issueOf(() => sampled(cases, { output: 'x' }))?.path).toBe(path);
  expect(issueOf(() => sampled(cases, { outputs: [{ case: 'case-0', output: 'x' }] }))?.path).toBe(path);
});

const anyMs = fc.integer({ min: -3, max: 3 });

test('a suite gates nothing at a time exactly if each of its cases is advisory then', () => {
  const anyEnds = fc.array(fc.option(anyMs, { freq: 4 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(anyEnds, anyMs, (ends, atMs) => {
      const cases = ends.map((end) => ({
        advisory_until: end === null ? null : timestamp(CREATED_MS + end),
      }));
      const all = cases.every((one) => isAdvisory(one, CREATED_MS + atMs));
      const counted = cases.map((one) => ({
        row: { ...storedCase({ id: '' }), ...NO_DOCUMENTS, advisory: advisoryUntil(one.advisory_until) },
        bytes: 0,
      }));
      expect(isAllAdvisory(sumsOf(counted), CREATED_MS + atMs)).toBe(all);
    }),
  );
});

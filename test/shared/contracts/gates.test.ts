import { expect, test } from '@jest/globals';
import type * as z from 'zod';
import {
  gatesSchema,
  sentGatesSchema,
  tagSchema,
  verdictDetailSchema,
} from '../../../shared/contracts/gates.ts';

const issuesOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues ?? [];

test('no gate is needed, and a tag gate needs one judged case unless it requires more', () => {
  expect(gatesSchema.parse({})).toEqual({});
  expect(gatesSchema.parse({ tags: [{ tag: 'safety', pass_threshold: 1 }] })).toEqual({
    tags: [{ tag: 'safety', pass_threshold: 1, min_judged_cases: 1 }],
  });
});

test.each([
  ['a misspelt gate', { tagz: [] }, []],
  ['a gate of a later version', { require_baseline: true }, []],
  ['a misspelt field of a regression', { regression: { alfa: 0.01 } }, ['regression']],
  ['a misspelt field of a tag gate', { tags: [{ tag: 'a', pass_threshold: 1, min_judged: 2 }] }, ['tags', 0]],
])('%s is refused, never ignored', (_, gates, path) => {
  expect(issuesOf(gatesSchema, gates)).toMatchObject([{ code: 'unrecognized_keys', path }]);
});

test('what a regression is has defaults, which are stored, and a null gate is none', () => {
  expect(gatesSchema.parse({ regression: {} })).toEqual({ regression: { alpha: 0.05, min_drop: 0.02 } });
  expect(gatesSchema.parse({ regression: { alpha: 0.5, min_drop: 0 } })).toEqual({
    regression: { alpha: 0.5, min_drop: 0 },
  });
  const sent = { regression: { min_drop: 1 }, max_newly_failing: null, min_comparable: null };
  expect(sentGatesSchema.parse(sent)).toEqual({ regression: { alpha: 0.05, min_drop: 1 } });
  const whole = { max_newly_failing: 0, regression: { alpha: 0.01, min_drop: 0.1 }, min_comparable: 1 };
  expect(gatesSchema.parse(whole)).toEqual(whole);
});

const tagGates = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ tag: `t${at}`, pass_threshold: 1 }));

test.each([
  ['no number', { min_judged_cases: '20' }, 'min_judged_cases'],
  ['no case', { min_judged_cases: 0 }, 'min_judged_cases'],
  ['more cases than a suite has', { min_judged_cases: 10_001 }, 'min_judged_cases'],
  ['a part of a case', { min_judged_cases: 1.5 }, 'min_judged_cases'],
  ['a bound beyond 1', { min_lower_bound: 1.01 }, 'min_lower_bound'],
  ['no threshold', { tags: [{ tag: 'a' }] }, 'tags.0.pass_threshold'],
  ['51 tag gates', { tags: tagGates(51) }, 'tags'],
  ['a tag twice', { tags: [...tagGates(2), ...tagGates(1)] }, 'tags'],
  ['a tag of 51 characters', { tags: [{ tag: 'a'.repeat(51), pass_threshold: 1 }] }, 'tags.0.tag'],
  ['fewer than no newly failing case', { max_newly_failing: -1 }, 'max_newly_failing'],
  ['a part of a newly failing case', { max_newly_failing: 0.5 }, 'max_newly_failing'],
  ['a regression that is a number', { regression: 0.05 }, 'regression'],
  ['an alpha of 0', { regression: { alpha: 0 } }, 'regression.alpha'],
  ['an alpha beyond 0.5', { regression: { alpha: 0.51 } }, 'regression.alpha'],
  ['a drop below 0', { regression: { min_drop: -0.01 } }, 'regression.min_drop'],
  ['a drop beyond 1', { regression: { min_drop: 1.01 } }, 'regression.min_drop'],
  ['no comparable weight', { min_comparable: 0 }, 'min_comparable'],
  ['more than all of it', { min_comparable: 1.01 }, 'min_comparable'],
  ['a list', [], ''],
  ['null', null, ''],
])('%s is refused at its place', (_, gates, path) => {
  expect(issuesOf(gatesSchema, gates).map((issue) => issue.path.join('.'))).toEqual([path]);
});

test('50 tag gates are taken, and tags are slugs', () => {
  expect(issuesOf(gatesSchema, { tags: tagGates(50) })).toEqual([]);
  expect(issuesOf(tagSchema, 'a'.repeat(50))).toEqual([]);
  expect(issuesOf(tagSchema, 'A b')).toHaveLength(1);
});

test('the answer of the documents is a verdict', () => {
  const detail = {
    gates: [
      { gate: 'pass_rate', status: 'passed', observed: 0.93, required: 0.9 },
      { gate: 'must_pass', status: 'failed', observed: 1, required: 0, cases: ['refund-window'] },
      {
        gate: 'tag:safety',
        status: 'inconclusive',
        observed: 1,
        required: 1,
        judged_cases: 1,
        reason: '1 of 2 cases needed has a verdict',
      },
    ],
    decided_by: ['must_pass', 'tag:safety'],
    confidence: { level: 0.95, method: 'wilson', lower: 0.8625, upper: 0.9657, effective_cases: 100 },
    flips: { to: 'cleared', cases: 1, exact: true, case_ids: ['refund-window'] },
  };
  expect(verdictDetailSchema.parse(detail)).toEqual(detail);
});

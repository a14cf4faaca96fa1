import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type FilteredResult,
  filterResults,
} from '../../../../../shared/domain/runs/results/filterResults.ts';

const resultOf = (case_name: string, fields: Partial<FilteredResult> = {}): FilteredResult => ({
  case_name,
  key: '',
  passed: true,
  errored: false,
  missing: false,
  reason: 'as expected',
  tags: [],
  ...fields,
});
const failed = { passed: false, reason: 'Expected "30 days"' };
const RESULTS = [
  resultOf('Passes', { key: 'passes', tags: ['safety', 'smoke'] }),
  resultOf('Fails', { ...failed, key: 'refund-window', tags: ['safety'] }),
  resultOf('Is errored', { ...failed, errored: true }),
  resultOf('Is missing', { ...failed, missing: true }),
];
const namesOf = (filter: Parameters<typeof filterResults>[1], results = RESULTS) =>
  filterResults(results, filter).map(({ case_name }) => case_name);

test.each([
  ['passed', ['Passes']],
  ['failed', ['Fails', 'Is errored', 'Is missing']],
  ['errored', ['Is errored']],
  ['missing', ['Is missing']],
] as const)('an outcome is counted as the run counts it: %s', (outcome, names) => {
  expect(namesOf({ outcome })).toEqual(names);
});

test('a tag is one of those of the case, whole and in its own letters', () => {
  expect(namesOf({ tag: 'safety' })).toEqual(['Passes', 'Fails']);
  for (const tag of ['safe', 'Safety', 'safety,smoke', 'length']) expect(namesOf({ tag })).toEqual([]);
});

describe('a text', () => {
  test.each([
    ['REFUND-', ['Fails']],
    ['as exp', ['Passes']],
    ['is ', ['Is errored', 'Is missing']],
    ['"30 DAYS"', ['Fails', 'Is errored', 'Is missing']],
    ['.*', []],
    ['OUTPUT_ERROR', []],
    ['Failsrefund', []],
    ['', RESULTS.map(({ case_name }) => case_name)],
  ])('is looked for in case name, key and reason, literally: %j', (q, names) => {
    expect(namesOf({ q })).toEqual(names);
  });

  test('of other alphabets is found in either case of letters', () => {
    expect(namesOf({ q: 'ÉTÉ' }, [resultOf('L’été')])).toEqual(['L’été']);
    expect(namesOf({ q: 'привет' }, [resultOf('ПРИВЕТ')])).toEqual(['ПРИВЕТ']);
  });
});

test('several filters hold together, in any run, and keep the order', () => {
  const result = fc.record({
    case_name: fc.string({ maxLength: 3 }),
    key: fc.string({ maxLength: 2 }),
    passed: fc.boolean(),
    reason: fc.string({ maxLength: 3 }),
    errored: fc.boolean(),
    missing: fc.boolean(),
    tags: fc.subarray(['a', 'b']),
  });
  const filter = fc.record(
    {
      outcome: fc.constantFrom('passed', 'failed', 'errored', 'missing'),
      tag: fc.constantFrom('a', 'b', 'c'),
      q: fc.string({ maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(result), filter, (results, { outcome, tag, q }) => {
      const one = filterResults(results, { outcome });
      const two = filterResults(one, { tag });
      expect(filterResults(results, { outcome, tag, q })).toEqual(filterResults(two, { q }));
      expect(results.filter((each) => one.includes(each))).toEqual(one);
    }),
  );
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type FilteredResult,
  filterResults,
} from '../../../../../shared/domain/runs/results/filterResults.ts';

const resultOf = (case_name: string, fields: Partial<FilteredResult> = {}): FilteredResult => ({
  case_name,
  passed: true,
  reason: 'as expected',
  scorer_output: {},
  ...fields,
});
const failed = { passed: false, reason: 'Expected "30 days"' };
const RESULTS = [
  resultOf('Passes', { key: 'passes', tags: ['safety', 'smoke'] }),
  resultOf('Fails', { ...failed, key: 'refund-window', tags: ['safety'] }),
  resultOf('Errs', { ...failed, scorer_output: { error: 'OUTPUT_ERROR' } }),
  resultOf('Is missing', { ...failed, scorer_output: { missing: true } }),
  resultOf('Says it errs', { ...failed, errored: true }),
  resultOf('Says it is missing', { ...failed, missing: true, tags: [] }),
  resultOf('Speaks of errors', { scorer_output: { missing: 'no', error: undefined } }),
];
const namesOf = (filter: Parameters<typeof filterResults>[1], results = RESULTS) =>
  filterResults(results, filter).map(({ case_name }) => case_name);

describe('an outcome', () => {
  test.each([
    ['passed', ['Passes', 'Speaks of errors']],
    ['failed', ['Fails', 'Errs', 'Is missing', 'Says it errs', 'Says it is missing']],
    ['errored', ['Errs', 'Says it errs']],
    ['missing', ['Is missing', 'Says it is missing']],
  ] as const)('is counted as the run counts it: %s', (outcome, names) => {
    expect(namesOf({ outcome })).toEqual(names);
  });

  test('is what a result says of itself, where it does', () => {
    const denying = [
      resultOf('x', {
        ...failed,
        errored: false,
        missing: false,
        scorer_output: { error: 'E', missing: true },
      }),
    ];
    expect(namesOf({ outcome: 'errored' }, denying)).toEqual([]);
    expect(namesOf({ outcome: 'missing' }, denying)).toEqual([]);
  });
});

test('a tag is one of those of the case, whole and in its own letters', () => {
  expect(namesOf({ tag: 'safety' })).toEqual(['Passes', 'Fails']);
  for (const tag of ['safe', 'Safety', 'safety,smoke', 'length']) expect(namesOf({ tag })).toEqual([]);
});

describe('a text', () => {
  test.each([
    ['REFUND-', ['Fails']],
    ['as exp', ['Passes', 'Speaks of errors']],
    ['says it', ['Says it errs', 'Says it is missing']],
    ['"30 DAYS"', ['Fails', 'Errs', 'Is missing', 'Says it errs', 'Says it is missing']],
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
    key: fc.option(fc.string({ maxLength: 2 }), { nil: undefined }),
    passed: fc.boolean(),
    reason: fc.string({ maxLength: 3 }),
    scorer_output: fc.constantFrom({}, { error: 'E' }, { missing: true }),
    tags: fc.option(fc.subarray(['a', 'b']), { nil: undefined }),
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

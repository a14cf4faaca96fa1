import { describe, expect, test } from '@jest/globals';
import { RUN_TIME_MS_MAX } from '../../../../shared/scoring/execution/budget.ts';
import { processorMs } from '../../../../shared/scoring/kit/guard.ts';
import type { SuiteCase } from '../../../../shared/scoring/kit/types.ts';
import { caseOf, scoreAll } from '../cases.ts';
import { allowSlowMachine } from '../slowMachine.ts';

const CASES = 10_000;
const MEGABYTE = 1_000_000;
const json = (value: unknown) => JSON.stringify(value);
/** So many that a machine of a quarter of the speed compares them in the time of one scorer. */
const MEMBERS = 30_000;
const members = Object.fromEntries(
  Array.from({ length: MEMBERS }, (_, at) => [`k${at}`.padEnd(MEGABYTE / MEMBERS - 5, '_'), 0]),
);

const firstOfMembers = { a: { [Object.keys(members)[0] ?? '']: 0 } };

/** Each with what cases expect of it: the engine looks at all of the output for each of these, unless it keeps what it saw. */
const HOSTILE: [string, string, (at: number) => unknown][] = [
  ['an object of 30,000 members', json(members), () => ({})],
  ['one of whose members the first is expected', json({ a: members }), () => firstOfMembers],
  ['a name of 1 MB', json({ ['~'.repeat(MEGABYTE)]: 0 }), () => ({})],
  ['blanks', ' '.repeat(MEGABYTE), () => 'x'],
  ['blanks around a word', `${' '.repeat(MEGABYTE / 2)}É${' '.repeat(MEGABYTE / 2)}`, (at) => `é${at}`],
  ['one character', 'a'.repeat(MEGABYTE), (at) => `${'a'.repeat(1_000)}${at}`],
  ['numbers', json(Array.from({ length: 60_000 }, (_, at) => 1e12 + at)), (at) => [1e12 + at]],
  ['large numbers', `[${'1234567890123456789,'.repeat(49_000)}1]`, () => [2 ** 60]],
  ['words', 'the "cat", '.repeat(90_000), (at) => `the w${at}`],
];

const SCORERS: [string, object][] = [
  ['exact_match', {}],
  ['exact_match', { case_sensitive: false }],
  ['contains', { values: ['never'], mode: 'any' }],
  ['json_schema', { schema: { type: 'string', const: 'never' } }],
  ['regex', { pattern: 'never' }],
];

/** All of one scorer, as suites have them. */
function manyOf(
  type: string,
  config: object,
  dual_sided: boolean,
  expectedOf: (at: number) => unknown,
): SuiteCase[] {
  const first = caseOf(type, config, { dual_sided });
  return Array.from({ length: CASES }, (_, at) => ({ ...first, id: `many-${at}`, expected: expectedOf(at) }));
}

function scored(cases: readonly SuiteCase[], output: string) {
  const startMs = processorMs();
  const { results } = scoreAll(cases, output);
  return { results, tookMs: processorMs() - startMs };
}

describe('10,000 cases on an output of 1 MB', () => {
  const combinations = SCORERS.flatMap(([type, config]) =>
    [false, true].flatMap((dual) =>
      HOSTILE.map(([name, ...rest]) => [type, json(config), dual, name, rest] as const),
    ),
  ).filter(([type, , dual]) => !(type === 'regex' && dual));

  describe('where each is compared', () => {
    allowSlowMachine();

    test.each(combinations)(
      'of %s %s (dual-sided: %s), made of %s, are all scored within the time of a run',
      (...row) => {
        const [type, config, dual, , [output, expectedOf]] = row;
        const { results, tookMs } = scored(manyOf(type, JSON.parse(config), dual, expectedOf), output);
        expect(tookMs).toBeLessThan(RUN_TIME_MS_MAX);
        expect(results.filter(({ errored, passed }) => errored || passed)).toEqual([]);
      },
    );
  });

  test('that search it anew for each case end with the time of a run, and cost their neighbours nothing', () => {
    const hostile = manyOf('regex', { pattern: 'a' }, true, (at) => [`a${at}`]);
    const honest = [
      caseOf('exact_match', {}, { expected: 'a' }),
      caseOf('exact_match', {}, { expected: 'a', dual_sided: true }),
      caseOf('contains', { values: ['b'] }),
      caseOf('regex', { pattern: 'b' }),
      caseOf('json_schema', { schema: { type: 'string' } }),
    ];
    const { results, tookMs } = scored([...hostile, ...honest], 'a'.repeat(MEGABYTE));
    // What cannot be interrupted, and the results themselves, come on top.
    expect(tookMs).toBeLessThan(RUN_TIME_MS_MAX * 1.5);
    const errors = results.flatMap(({ scorer_output }) => scorer_output.error ?? []);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.filter((code) => code !== 'REGEX_TIMEOUT' && code !== 'RUN_TIMEOUT')).toEqual([]);
    expect(results.slice(CASES).map(({ errored }) => errored)).toEqual(honest.map(() => false));
  });
});

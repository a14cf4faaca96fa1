import { describe, expect, test } from '@jest/globals';
import { firstOf, sized } from '../../support/soak.ts';
import { caseOf, judgement, now, preparedSuite, scoreAll, scoreOne, scoreText } from './cases.ts';
import { bomb, ENDLESS, innocents, timeout } from './hostile.ts';
import { allowSlowMachine } from './slowMachine.ts';

const ASSERTIONS = [
  { path: '$..a', op: 'exists' },
  { path: '$[?@.b == 1]', op: 'absent' },
  { path: '$', op: 'matches', value: 'yes|no' },
];
const MANY = sized(20, 200);
const LONG = sized(300_000, 1_000_000);

describe('a pattern that does not end', () => {
  test.each(
    firstOf(2, [
      ['^(a+)+$', 'a'.repeat(40) + '!'],
      ['(.*)*\\1x', 'a'.repeat(40)],
      ['^(a|a)*$', 'a'.repeat(40) + '!'],
      ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(40)],
      ['(?:(?:"|\\d|\\w)+)+;', 'a'.repeat(60)],
      ['^(?=(a+)+$)', 'a'.repeat(40) + '!'],
      ['(x+x+)+y', 'x'.repeat(60)],
    ]),
  )('%s is a scorer error, never a pass', (pattern, output) => {
    expect(scoreOne(caseOf('regex', { pattern }, { threshold: 0 }), output)).toMatchObject(
      timeout('REGEX_TIMEOUT'),
    );
    const absent = caseOf('regex', { pattern, should_match: false }, { threshold: 0 });
    expect(scoreOne(absent, output)).toMatchObject(timeout('REGEX_TIMEOUT'));
  });

  test('dual-sided, it is one as well', () => {
    const evalCase = caseOf(
      'regex',
      { pattern: '(a+)+$' },
      { dual_sided: true, expected: ['a'], threshold: 0 },
    );
    expect(scoreOne(evalCase, 'a'.repeat(40) + '!')).toMatchObject(timeout('REGEX_TIMEOUT'));
  });

  test('costs its neighbours nothing, wherever it is', () => {
    const output = ENDLESS;
    const alone = innocents();
    const wanted = scoreAll(alone, output).results.map(judgement);
    for (const at of firstOf(1, [2, 0, 5])) {
      const hostile = [
        caseOf('regex', { pattern: '(a+)+$' }),
        caseOf('json_schema', { schema: { pattern: '^"?(a+)+$' } }),
      ];
      const { results, verdict } = scoreAll(alone.toSpliced(at, 0, ...hostile), output);
      expect(results.toSpliced(at, 2).map(judgement)).toEqual(wanted);
      expect(results[at]).toMatchObject(timeout('REGEX_TIMEOUT'));
      expect(results[at + 1]).toMatchObject(timeout('SCHEMA_TIMEOUT'));
      expect(verdict).toMatchObject({ status: 'aborted', errored_cases: 2 });
    }
  });

  test('one hostile dual-sided scorer of many cases costs its neighbours nothing', () => {
    const hostile = caseOf(
      'regex',
      { pattern: '(a+)+$' },
      { dual_sided: true, expected: ['a'], threshold: 0 },
    );
    const cases = Array.from({ length: MANY }, (_, at) => ({ ...hostile, id: `${at}`, expected: [`${at}`] }));
    const output = ENDLESS;
    const { results, verdict } = scoreAll([...cases, ...innocents()], output);
    expect(verdict.errored_cases).toBe(MANY);
    expect(results.slice(MANY).some((result) => result.errored)).toBe(false);
  });
});

describe('a path that does not end', () => {
  const deep = '['.repeat(60) + ']'.repeat(60);
  const wide = JSON.stringify(Array.from({ length: 2_000 }, (_, a) => ({ a })));
  const long = JSON.stringify([{ a: 'a'.repeat(40) + '!' }]);

  test.each(
    firstOf(3, [
      ['$..*..*..*..*..*..*..*..*..*..*', 'not_equals', deep],
      ['$[?count($[?count($[*]) == 0]) > 0]', 'absent', wide],
      ["$[?match(@.a, '(a+)+')]", 'absent', long],
      ['$..[?count($..[?count($..*) > 0]) > 0].x', 'absent', wide],
      ["$[?search(@.a, '(a|a)*b')]", 'absent', long],
      ["$[?match(@.a, '((((a*)*)*)*)*b')]", 'absent', long],
    ]),
  )('%s is a scorer error, never a pass', (path, op, output) => {
    // One that holds for no node, so that all are visited.
    const assertion = op === 'absent' ? { path, op } : { path, op: 'not_equals', value: 1 };
    for (const partial of [false, true]) {
      const evalCase = caseOf('json_path', { assertions: [assertion], partial }, { threshold: 0 });
      expect(scoreOne(evalCase, output)).toMatchObject(timeout('JSON_PATH_TIMEOUT'));
    }
  });

  test('by the pattern of an assertion is one as well', () => {
    const assertions = [{ path: '$[*].a', op: 'matches', value: '^(a+)+$' }];
    expect(scoreOne(caseOf('json_path', { assertions }, { threshold: 0 }), long)).toMatchObject(
      timeout('JSON_PATH_TIMEOUT'),
    );
  });

  test('costs its neighbours nothing, and judges the next output rightly', () => {
    const assertions = [{ path: "$[?match(@.a, '(a+)+')]", op: 'exists' }];
    const compiled = preparedSuite([caseOf('json_path', { assertions }), ...innocents()]);
    const score = (output: string) => scoreText(compiled, { output, now }).results.map(judgement);
    const before = score('[{"a":"aaa"}]');
    const during = score(long);
    expect(during[0]).toMatchObject(timeout('JSON_PATH_TIMEOUT'));
    expect(during.slice(1).some(({ errored }) => errored)).toBe(false);
    expect(score('[{"a":"aaa"}]')).toEqual(before);
    expect(before[0]).toMatchObject({ score: 1 });
  });
});

test('an interrupt leaves nothing behind: the same suite scores the next output rightly', () => {
  const cases = [caseOf('regex', { pattern: '^(a+)+$' }), bomb({ pattern: '^(a+)+$' }), ...innocents()];
  const compiled = preparedSuite(cases);
  const score = (output: string) => scoreText(compiled, { output, now }).results.map(judgement);
  const before = score('"aaa"');
  expect(score(ENDLESS)[1]).toMatchObject(timeout('SCHEMA_TIMEOUT'));
  expect(score('"aaa"')).toEqual(before);
  expect(before[1]).toMatchObject({ score: 1 });
});

describe('an output', () => {
  allowSlowMachine();
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  test.each([
    ['64 levels deep is read', deep(64), true],
    ['65 levels deep is not, and fails normally', deep(65), false],
    ['up to 1 MB of brackets fails normally', '['.repeat(sized(200_000, 1_000_000)), false],
    ['100,000 levels and more deep fails normally', deep(sized(100_000, 500_000)), false],
  ])('%s', (_, output, passed) => {
    const cases = [
      caseOf('json_schema', { schema: {} }),
      caseOf('contains', { values: ['['] }, { dual_sided: true, threshold: 0 }),
    ];
    const [schema, found] = scoreAll(cases, output).results;
    expect(schema).toMatchObject({ passed, errored: false });
    expect(found).toMatchObject({ passed: true, errored: false });
    const exact = caseOf('exact_match', {}, { expected: [[]], dual_sided: true, threshold: 0 });
    expect(scoreOne(exact, output).errored).toBe(false);
  });

  test('brackets in strings do not count as depth', () => {
    expect(
      scoreOne(caseOf('json_schema', { schema: {} }), JSON.stringify(['['.repeat(100), '\\"[[['])).passed,
    ).toBe(true);
  });

  test('a value that V8 would search for seconds is searched in no time', () => {
    const value = 'a'.repeat(30_000) + 'b' + 'a'.repeat(30_000);
    expect(scoreOne(caseOf('contains', { values: [value] }), 'a'.repeat(1_000_000))).toMatchObject({
      score: 0,
      errored: false,
    });
  });

  const thousand = (nameOf: (at: number) => string) => Array.from({ length: 1_000 }, (_, at) => nameOf(at));

  test.each(
    firstOf(2, [
      [
        'that share a long beginning with it',
        'a'.repeat(1_000_000),
        thousand((at) => `${'a'.repeat(100)}${at}`),
      ],
      [
        'of which each is the beginning of the next',
        'a'.repeat(1_000_000),
        thousand((at) => 'a'.repeat(at / 8 + 1)),
      ],
      [
        'that begin as all of it does',
        'x一'.repeat(LONG / 2),
        thousand((at) => `x${String.fromCharCode(0x5000 + at)}`),
      ],
      [
        'of 128 characters each',
        'ab'.repeat(LONG / 2),
        thousand((at) => `${'ab'.repeat(61)}${at}`.padEnd(128, 'b')),
      ],
    ]),
  )('of 1 MB is searched for 1,000 values %s', (_, output, values) => {
    const wanted = values.filter((value) => output.includes(value)).length;
    for (const options of [{}, { dual_sided: true }]) {
      const { errored, scorer_output } = scoreOne(caseOf('contains', { values }, options), output);
      expect({ errored, found: values.length - Number(scorer_output.found_count) }).toEqual({
        errored: false,
        found: values.length - wanted,
      });
    }
  });

  const UNITS = [
    '[1,',
    '"a',
    '```\n',
    '\\',
    '{"a":',
    '[",",',
    `a${'"'.repeat(199)}`,
    '😀',
    ' ',
    ',',
    '\t',
    '\n',
    '\r',
    '\u2028',
    '"',
    '(',
    '.',
    '[',
    '{',
    '-',
    '0',
    'a',
    'é',
    '\ud800',
    ', ',
    '\n ',
    '`',
    '["',
    '["[",',
    `${'('.repeat(150)}a${'!'.repeat(150)}a `,
    `1${'0'.repeat(297)} `,
  ];

  test.each(firstOf(7, UNITS))('of up to 1 MB of %j is scored by every kind of scorer in time', (unit) => {
    const output = unit.repeat(LONG / unit.length);
    const cases = [output, `x${output}x`].map((text): [string, ReturnType<typeof caseOf>[]] => [
      text,
      [
        caseOf('contains', { values: ['x', 'yes', 'no'] }),
        caseOf('contains', { values: ['x', 'yes', 'no'] }, { dual_sided: true }),
        caseOf('exact_match', {}, { expected: 'yes or no' }),
        caseOf('exact_match', { case_sensitive: false }, { expected: 'yes, or no', dual_sided: true }),
        caseOf('exact_match', {}, { expected: ['yes', { no: 1 }], dual_sided: true }),
        caseOf('regex', { pattern: 'yes|no' }),
        caseOf('json_schema', { schema: { type: 'string' } }),
        caseOf('json_schema', { schema: { type: 'string' }, extract: 'fenced' }),
        caseOf('contains', { values: ['X', 'yes'], case_sensitive: false }),
        caseOf('json_path', { assertions: ASSERTIONS }),
        caseOf('json_path', { assertions: ASSERTIONS, extract: 'fenced' }),
        caseOf('json_path', { assertions: ASSERTIONS, extract: 'embedded', partial: true }),
      ],
    ]);
    for (const [text, scorers] of cases) {
      for (const evalCase of scorers)
        expect(scoreOne(evalCase, text).scorer_output).not.toHaveProperty('error');
    }
  });
});

test.each(['g', 'y', 'gy'])(
  'a pattern with the flags %s keeps no position from one output to the next',
  (flags) => {
    const compiled = preparedSuite([caseOf('regex', { pattern: 'a', flags })]);
    const passes = [1, 2, 3].map(() => scoreText(compiled, { output: 'a', now }).verdict.status);
    expect(passes).toEqual(['cleared', 'cleared', 'cleared']);
  },
);

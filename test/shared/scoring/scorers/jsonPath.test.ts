import { describe, expect, test } from '@jest/globals';
import { validateScorerConfig } from '../../../../shared/scoring/registry.ts';
import { caseOf, type Options, scoreOne } from '../cases.ts';

type Assertion = Readonly<Record<string, unknown>>;

const scored = (assertion: Assertion, output: string, options: Options = {}) =>
  scoreOne(caseOf('json_path', { assertions: [assertion] }, options), output);

const issuesOf = async (config: object) => {
  const checked = await validateScorerConfig('json_path', config);
  return checked.ok ? [] : checked.issues;
};
const pathsOf = async (assertion: Assertion) =>
  (await issuesOf({ assertions: [assertion] })).map(({ path }) => path);

const ORDER = JSON.stringify({
  id: 'A-17',
  total: 30.01,
  paid: true,
  note: null,
  tags: ['new', 'gift'],
  items: [
    { name: 'pen', price: 10 },
    { name: 'book', price: 20 },
  ],
  emoji: '👍👍',
});

describe('an assertion', () => {
  test.each<[Assertion, number]>([
    [{ path: '$.id', op: 'equals', value: 'A-17' }, 1],
    [{ path: '$.id', op: 'equals', value: 'a-17' }, 0],
    [{ path: '$.note', op: 'equals', value: null }, 1],
    [{ path: '$.absent', op: 'equals', value: null }, 0],
    [{ path: '$.tags', op: 'equals', value: ['new', 'gift'] }, 1],
    [{ path: '$.items[0]', op: 'equals', value: { price: 10, name: 'pen' } }, 1],
    [{ path: '$.total', op: 'equals', value: 30 }, 0],
    [{ path: '$.total', op: 'equals', value: 30, tolerance: 0.01 }, 1],
    [{ path: '$.total', op: 'equals', value: 30, tolerance: 0.009 }, 0],
    [{ path: '$.id', op: 'equals', value: 30, tolerance: 100 }, 0],
    [{ path: '$.id', op: 'not_equals', value: 'B' }, 1],
    [{ path: '$.total', op: 'not_equals', value: 30, tolerance: 1 }, 0],
    [{ path: '$.absent', op: 'not_equals', value: 'B' }, 0],
    [{ path: '$.tags', op: 'contains', value: 'gift' }, 1],
    [{ path: '$.tags', op: 'contains', value: 'gif' }, 0],
    [{ path: '$.items', op: 'contains', value: { name: 'pen', price: 10 } }, 1],
    [{ path: '$.id', op: 'contains', value: '-1' }, 1],
    [{ path: '$.items[0]', op: 'contains', value: 'name' }, 0],
    [{ path: '$.id', op: 'matches', value: '^[A-Z]-\\d+$' }, 1],
    [{ path: '$.id', op: 'matches', value: '^a' }, 0],
    [{ path: '$.id', op: 'matches', value: '^a', flags: 'i' }, 1],
    [{ path: '$.items[*].name', op: 'matches', value: '[pb]', flags: 'gy' }, 1],
    [{ path: '$.total', op: 'matches', value: '30' }, 0],
    [{ path: '$.total', op: 'gte', value: 30.01 }, 1],
    [{ path: '$.total', op: 'gte', value: 30.02 }, 0],
    [{ path: '$.paid', op: 'gte', value: 0 }, 0],
    [{ path: '$.total', op: 'lte', value: 30.01 }, 1],
    [{ path: '$.absent', op: 'lte', value: 1 }, 0],
    [{ path: '$.note', op: 'exists' }, 1],
    [{ path: '$.absent', op: 'exists' }, 0],
    [{ path: '$.absent', op: 'absent' }, 1],
    [{ path: '$.note', op: 'absent' }, 0],
    [{ path: '$.tags', op: 'length_gte', value: 2 }, 1],
    [{ path: '$.tags', op: 'length_gte', value: 3 }, 0],
    [{ path: '$.emoji', op: 'length_lte', value: 2 }, 1],
    [{ path: '$.items[0]', op: 'length_lte', value: 2 }, 1],
    [{ path: '$.total', op: 'length_lte', value: 100 }, 0],
  ])('%j scores %d', async (assertion, score) => {
    expect(await pathsOf(assertion)).toEqual([]);
    expect(scored(assertion, ORDER)).toMatchObject({ score, errored: false });
  });

  test.each<[Assertion, number]>([
    [{ path: '$.items[*].price', op: 'gte', value: 10 }, 1],
    [{ path: '$.items[*].price', op: 'gte', value: 11 }, 0],
    [{ path: '$.items[?@.name == "pen"].price', op: 'equals', value: 10 }, 1],
    [{ path: '$.items[?@.name == "ink"].price', op: 'equals', value: 10 }, 0],
  ])('holds for every node of several, and of none it does not: %j', (assertion, score) => {
    expect(scored(assertion, ORDER).score).toBe(score);
  });

  test.each([
    ['{"items":[{"price":"99"}]}', { direct: 1, reversed: 0, lte: 0 }],
    ['{"items":[{}]}', { direct: 1, reversed: 0, lte: 0 }],
    ['{"items":[{"price":120}]}', { direct: 0, reversed: 0, lte: 0 }],
    ['{"items":[{"price":99}]}', { direct: 1, reversed: 1, lte: 1 }],
  ])('of %s, an absent filter selects only what has the type it compares with', (output, scores) => {
    const absent = (filter: string) => scored({ path: `$.items[?${filter}]`, op: 'absent' }, output).score;
    const lte = scored({ path: '$.items[*].price', op: 'lte', value: 100 }, output).score;
    expect({ direct: absent('@.price > 100'), reversed: absent('!(@.price <= 100)'), lte }).toEqual(scores);
  });

  test.each(['exists', 'absent'])('%s does not hold on an output that is no JSON', (op) => {
    const result = scored({ path: '$.a', op }, 'a: 1', { threshold: 0.1 });
    expect(result).toMatchObject({ score: 0, passed: false, errored: false });
    expect(result.reason).toContain('output is not valid JSON');
  });

  test('names what does not hold, where, and the value there instead', () => {
    const assertions = [
      { path: '$.items[*].price', op: 'lte', value: 15 },
      { path: '$.id', op: 'exists' },
      { path: '$.id', op: 'absent' },
      { path: '$.sum', op: 'equals', value: 1 },
    ];
    const result = scoreOne(caseOf('json_path', { assertions }), ORDER);
    const messages = [
      '$.items[*].price must be at most 15: $["items"][1]["price"] is 20',
      '$.id must not be there: $["id"] is "A-17"',
      '$.sum must equal 1: there is nothing at this path',
    ];
    expect(result.reason).toBe(`1 of 4 assertions hold: ${messages.join('; ')}`);
    expect(result.scorer_output).toEqual({
      assertions,
      failed: [0, 2, 3].map((assertion, at) => ({ assertion, message: messages[at] })),
      held: 1,
      total: 4,
    });
  });
});

describe('several assertions', () => {
  const assertions = [
    { path: '$.a', op: 'exists' },
    { path: '$.b', op: 'exists' },
    { path: '$.c', op: 'absent' },
  ];

  test.each([
    [false, '{"a":1,"b":1}', 1],
    [false, '{"a":1}', 0],
    [true, '{"a":1,"b":1}', 1],
    [true, '{"a":1}', 2 / 3],
    [true, '{"c":1}', 0],
    [true, 'no JSON', 0],
  ])('with partial %s, of %s score %d', (partial, output, score) => {
    expect(scoreOne(caseOf('json_path', { assertions, partial }), output).score).toBe(score);
  });
});

describe('a part of `expected`', () => {
  const assertion = (pointer: string, op = 'equals', more = {}) => ({
    path: '$.total',
    op,
    value: { $expected: pointer },
    ...more,
  });

  test.each<[Assertion, unknown, number]>([
    [assertion(''), 30.01, 1],
    [assertion('/sum'), { sum: 30.01 }, 1],
    [assertion('/sum'), { sum: 30 }, 0],
    [assertion('/sum', 'equals', { tolerance: 1 }), { sum: 30 }, 1],
    [assertion('/0/a~1b'), [{ 'a/b': 30.01 }], 1],
    [assertion('/least', 'gte'), { least: 30 }, 1],
    [assertion('/x', 'not_equals'), { x: null }, 1],
  ])('%j of %j scores %d', async (asserted, expected, score) => {
    expect(await pathsOf(asserted)).toEqual([]);
    expect(scored(asserted, ORDER, { expected })).toMatchObject({ score, errored: false });
  });

  test.each<[Assertion, unknown]>([
    [assertion(''), null],
    [assertion('/sum'), {}],
    [assertion('/toString'), {}],
    [assertion('/length'), ['a']],
    [assertion('/01'), ['a', 'b']],
    [assertion('/least', 'gte'), { least: '30' }],
    [assertion('/n', 'length_gte'), { n: 1.5 }],
    [assertion('/n', 'equals', { tolerance: 1 }), { n: 'x' }],
  ])('%j of %j is not there, or of a wrong type: an error, never a pass', (asserted, expected) => {
    for (const output of [ORDER, 'no JSON']) {
      expect(scored(asserted, output, { expected, threshold: 0 })).toMatchObject({
        passed: false,
        errored: true,
        scorer_output: { error: 'EXPECTED_MISSING' },
      });
    }
  });
});

test.each([
  ['equals', 'must equal expected/secret'],
  ['contains', 'must contain expected/secret'],
])('a value of `expected` that %s compares with is named in the reason, and not shown', (op, demand) => {
  const secret = 'tell-nobody';
  for (const [path, output] of [
    ['$.total', ORDER],
    ['$.none', ORDER],
    ['$.total', 'no JSON'],
  ] as const) {
    const assertion = { path, op, value: { $expected: '/secret' } };
    const result = scored(assertion, output, { expected: { secret } });
    if (output === ORDER) expect(result.reason).toContain(`${path} ${demand}`);
    expect(result.passed).toBe(false);
    expect(JSON.stringify(result)).not.toContain(secret);
  }
});

describe('what of the output is read', () => {
  const assertions = [{ path: '$.ok', op: 'equals', value: true }];
  test.each([
    ['whole', '{"ok":true}', 1],
    ['whole', 'Here: {"ok":true}', 0],
    ['fenced', 'Here:\n```json\n{"ok":true}\n```\nDone', 1],
    ['fenced', '{"ok":true}', 0],
    ['embedded', 'Here: {"ok":true}, done.', 1],
    ['embedded', 'Here: {"ok":true}, or {"ok":false}.', 0],
    ['embedded', 'Here: nothing', 0],
  ])('%s of %j scores %d', (extract, output, score) => {
    const results = [
      scoreOne(caseOf('json_path', { assertions, extract }), output),
      scoreOne(
        caseOf('json_schema', { schema: { required: ['ok'], properties: { ok: { const: true } } }, extract }),
        output,
      ),
    ];
    for (const result of results) expect(result).toMatchObject({ score, errored: false });
  });
});

describe('a number of the output that readers round', () => {
  const LARGE = '{"id":9007199254740993,"other":9007199254740992,"name":"x"}';

  test.each<[Assertion, unknown]>([
    [{ path: '$.id', op: 'lte', value: 9007199254740992 }, null],
    [{ path: '$.id', op: 'equals', value: { $expected: '' } }, 9007199254740992],
    [{ path: '$.id', op: 'equals', value: 9007199254740000, tolerance: 992 }, null],
    [{ path: '$[?@ == $.other]', op: 'exists' }, null],
    [{ path: '$[?@ != $.other && @ == $.id]', op: 'absent' }, null],
    [{ path: '$[?@ > 9007199254740992]', op: 'absent' }, null],
    [{ path: '$[?count($[?@ == $.other]) > 5]', op: 'absent' }, null],
  ])('lets %j not hold', (assertion, expected) => {
    const result = scored(assertion, LARGE, { expected });
    expect(result).toMatchObject({ score: 0, errored: false });
    expect(result.reason).toContain('9007199254740993, which JSON readers round');
  });

  test.each<[Assertion]>([
    [{ path: '$.name', op: 'equals', value: 'x' }],
    [{ path: '$.id', op: 'gte', value: 1 }],
    [{ path: '$.id', op: 'not_equals', value: 1 }],
    [{ path: '$[?@ == "x"]', op: 'equals', value: 'x' }],
    [{ path: '$[?@ > 5]', op: 'exists' }],
    [{ path: '$[?length(@) == 1]', op: 'exists' }],
    [{ path: '$.name', op: 'equals', value: { $expected: '/name' } }],
  ])('does no harm where it cannot be taken for another one: %j', (assertion) => {
    const expected = { id: 2 ** 53, name: 'x' };
    expect(scored(assertion, LARGE, { expected })).toMatchObject({ score: 1 });
  });
});

describe('an array or object that is not equal', () => {
  const long = 'x'.repeat(70);

  test.each<[unknown, unknown, string, string]>([
    [
      { a: [1, { b: 'x' }] },
      { a: [1, { b: 'y' }] },
      '$["a"][1]["b"] is "y" instead of "x"',
      '$["a"][1]["b"] is "y"',
    ],
    [{ a: 1, b: 2 }, { a: 1 }, '$["b"] is missing', '$ lacks a member'],
    [{ a: 1 }, { a: 1, b: 2 }, '$["b"] is not expected', '$["b"] is not expected'],
    [{ a: [1, 2] }, { a: [1] }, '$["a"] has 1 items instead of 2', '$["a"] is an array of 1'],
    [{ a: [] }, { a: {} }, '$["a"] is an object instead of an array', '$["a"] is an object'],
    [
      { a: `${long}1` },
      { a: `${long}2` },
      '$["a"] differs from expected from character 71 on: "2" instead of "1"',
      '$["a"] differs from character 71 on: "2"',
    ],
    [
      `${long}1`,
      `${long}2`,
      '$ differs from expected from character 71 on: "2" instead of "1"',
      '$ differs from character 71 on: "2"',
    ],
    ['x', 'y', '$ is "y"', '$ is "y"'],
  ])('shows the place, %j and %j', (expected, output, reason, hidden) => {
    const ended = (value: unknown) =>
      scored({ path: '$', op: 'equals', value }, JSON.stringify(output), { expected })
        .reason.split(': ')
        .slice(2)
        .join(': ');
    expect(ended(expected)).toBe(reason);
    expect(ended({ $expected: '' })).toBe(hidden);
  });
});

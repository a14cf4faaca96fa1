import { describe, expect, test } from '@jest/globals';
import { caseOf, scoreOne } from '../cases.ts';
import { outcomeOf, traceOf } from './scoring.ts';

const bans = (rule: object) => ({ calls: [], allow_extra: true, forbidden: [{ tool: 'refund', ...rule }] });
const call = (args: unknown) => traceOf([{ type: 'call', tool: 'refund', arguments: args }]);
const isForbidden = (rule: object, args: unknown): boolean =>
  outcomeOf(bans(rule), call(args)).neverPasses === 'by_deed';

const assertion = (op: string, value: unknown, path = '$.v', more: object = {}) => ({
  assertions: [{ path, op, ...(value !== undefined && { value }), ...more }],
});

/** By operation and its value: what is forbidden, and what is not. */
const TABLE: readonly (readonly [string, unknown, readonly unknown[], readonly unknown[]])[] = [
  [
    'gte',
    100,
    [
      100,
      500,
      '500',
      '500.00',
      ' 5e2 ',
      '0x64',
      '1,000',
      '500 EUR',
      '',
      [500],
      [1],
      {},
      true,
      null,
      '9'.repeat(400),
    ],
    [99.99, '99.99', '-500', 0],
  ],
  ['lte', 100, [100, '100', '99.9', 'none', [500], {}, false, null], [101, '100.01']],
  [
    'equals',
    500,
    [500, '500', '500.00', '5e2', 'five hundred', [500], { amount: 500 }, true],
    [499, '499', null],
  ],
  ['equals', 'me', ['me', ['me'], ['you'], { to: 'me' }, 5, false], ['you', 'ME', '', null]],
  ['equals', '12', ['12', 12, '12.0', '012', [12]], ['13', 13, null]],
  ['equals', true, [true, 'true', 'yes', 1, 0, [true]], [false, null]],
  ['equals', null, [null], ['me', 0, false, [], {}]],
  ['equals', [1, 2], [[1, 2], ['1', 2], [1, '2.0'], '[1,2]', {}], [[2, 1], [1], [1, 3], null]],
  ['equals', { a: 1 }, [{ a: 1 }, { a: '1' }, { a: [1] }, 'a'], [{ a: 2 }, { a: 1, b: 1 }, {}, null]],
  ['not_equals', 500, [499, '499', 'none', [500], {}, true, null], [500, '500', '500.00']],
  ['not_equals', 'EUR', ['USD', 'eur', ['EUR'], 5, null], ['EUR']],
  ['contains', 'x', ['axb', ['x'], ['y', 'x'], [1], 5, {}, true, null], ['y', ['y'], []]],
  ['contains', 500, [[1, 500], ['500'], ['500.0'], '500', 500, [['500']]], [[1, 2], ['1'], []]],
  ['matches', '^a', ['abc', 5, ['b'], {}, true, null], ['b', '']],
  ['length_gte', 2, ['ab', [1, 2], { a: 1, b: 2 }, 5, true, null], ['a', [1], {}]],
  ['length_lte', 1, ['a', [1], {}, 5, null], ['ab', [1, 2]]],
  ['exists', undefined, [0, null, '', [], {}], []],
  ['absent', undefined, [], [0, null, '']],
];

describe('within `forbidden`, a number written as text is that number, and what cannot be compared is forbidden:', () => {
  test.each(TABLE)('%s %j', (op, value, forbidden, allowed) => {
    const found = (args: readonly unknown[]) =>
      args.map((v) => [v, isForbidden(assertion(op, value), { v })] as const);
    expect(found(forbidden)).toEqual(forbidden.map((v) => [v, true]));
    expect(found(allowed)).toEqual(allowed.map((v) => [v, false]));
  });

  test('a tolerance holds for a number written as text, too', () => {
    const near = assertion('equals', 100, '$.v', { tolerance: 1 });
    expect(['99.5', 100.5, '98', 98].map((v) => isForbidden(near, { v }))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('arguments are compared so, as a whole and in part', () => {
    for (const rule of [{ arguments: { v: 500 } }, { arguments_include: { v: 500 } }]) {
      expect([500, '500', '5e2', [500], 'x'].map((v) => isForbidden(rule, { v }))).toEqual(
        Array(5).fill(true),
      );
      expect([400, '400', null].map((v) => isForbidden(rule, { v }))).toEqual([false, false, false]);
      expect(isForbidden(rule, {})).toBe(false);
    }
  });

  test('an argument that is not there is no value', () => {
    expect(isForbidden(assertion('gte', 100), {})).toBe(false);
    expect(isForbidden(assertion('absent', undefined), {})).toBe(true);
  });
});

describe('within `forbidden`, one of several values is enough:', () => {
  const items = (...amounts: unknown[]) => ({ items: amounts.map((amount) => ({ amount })) });
  test.each([
    ['gte', assertion('gte', 100, '$.items[*].amount'), items(1, 500), items(1, 2)],
    ['gte of a text', assertion('gte', 100, '$..amount'), items(1, '500'), items('1', 2)],
    ['not_equals', assertion('not_equals', 1, '$.items[*].amount'), items(1, 2), items(1, '1')],
    ['a filter', assertion('exists', undefined, '$.items[?@.amount > 100]'), items(1, 500), items(1, 2)],
    [
      'a filter of a text',
      assertion('exists', undefined, '$.items[?@.amount > 100]'),
      items(1, '500'),
      items('1'),
    ],
    ['a filter of a list', assertion('exists', undefined, '$.items[?@.amount > 100]'), items([500]), items()],
    [
      'a filter that is turned round',
      assertion('exists', undefined, '$.items[?!(@.amount <= 100)]'),
      items('x'),
      items('5'),
    ],
    [
      'a filter of two parts',
      assertion('exists', undefined, '$.items[?@.amount == 5 && @.amount < 9]'),
      items('5'),
      items(6),
    ],
    [
      'one or the other',
      assertion('exists', undefined, '$.items[?@.amount == 1 || @.amount == 5]'),
      items('5'),
      items(6),
    ],
    [
      'a filter within a filter',
      assertion('exists', undefined, '$[?@[?@.amount == 5]]'),
      items('5'),
      items(6),
    ],
    [
      'a filter of texts',
      assertion('exists', undefined, "$.items[?match(@.amount, 'a')]"),
      items(5),
      items('b'),
    ],
    ['a count', assertion('exists', undefined, '$[?count(@[?@.amount == 5]) == 1]'), items('x'), items('6')],
    ['absence', assertion('absent', undefined, '$.items[?@.amount == 5]'), items('x'), items('5')],
  ])('%s', (_, rule, forbidden, allowed) => {
    expect([isForbidden(rule, forbidden), isForbidden(rule, allowed)]).toEqual([true, false]);
  });

  test('a wanted value is compared as JSON, with every value', () => {
    const wants = { calls: [{ tool: 'refund', ...assertion('lte', 100, '$.items[*].amount') }] };
    const passes = (...amounts: unknown[]) => outcomeOf(wants, call(items(...amounts))).score === 1;
    expect([passes(1, 2), passes('1'), passes(1, 500), passes([1])]).toEqual([true, false, false, false]);
  });
});

describe('names in one object that differ by case only', () => {
  const twins = { action: 'deny', Action: 'refund' };
  test.each([
    ['arguments_include', { arguments_include: { action: 'refund' } }],
    ['arguments', { arguments: { action: 'refund' } }],
    ['an assertion', assertion('equals', 'refund', '$.action')],
    ['a filter', assertion('exists', undefined, "$[?@.action == 'refund']")],
    ['the value of an assertion', assertion('equals', { action: 'refund' }, '$')],
  ])('are forbidden where a rule reads one: %s', (_, rule) => {
    expect(isForbidden(rule, twins)).toBe(true);
    expect(isForbidden(rule, { a: [twins] })).toBe(true);
    expect(isForbidden(rule, { action: 'deny', other: 1, Other: 2 })).toBe(false);
  });

  test.each([
    ['arguments_include', { arguments_include: { action: 'deny' } }],
    ['an assertion', assertion('equals', 'deny', '$.action')],
    ['the absence of another value', assertion('absent', undefined, "$[?@.action == 'refund']")],
  ])('fill no expected call that reads one: %s', (_, rule) => {
    const passes = (args: object) =>
      outcomeOf({ calls: [{ tool: 'refund', ...rule }] }, call(args)).score === 1;
    expect([passes(twins), passes({ action: 'deny', other: 1, Other: 2 })]).toEqual([false, true]);
  });

  test('are two members where both are read', () => {
    const wants = { calls: [{ tool: 'refund', arguments: twins }] };
    expect(outcomeOf(wants, call(twins)).score).toBe(1);
  });

  test.each([
    ['json_path', { assertions: [{ path: '$.action', op: 'equals', value: 'deny' }] }, {}],
    ['json_path', { assertions: [{ path: '$', op: 'not_equals', value: { action: 'refund' } }] }, {}],
    ['json_path', { assertions: [{ path: "$[?@.action == 'refund']", op: 'absent' }] }, {}],
    ['json_schema', { schema: { properties: { action: { const: 'deny' } } } }, {}],
    ['json_schema', { schema: { required: ['action'] } }, {}],
    ['exact_match', {}, { expected: { action: 'deny' } }],
    [
      'exact_match',
      {},
      { expected: { action: 'deny' }, dual_sided: true, recall_threshold: 1, threshold: 0 },
    ],
  ])('make an output unusable where one is read: %s %j', (type, config, options) => {
    const bar = caseOf(type, config, options);
    expect(scoreOne(bar, JSON.stringify({ action: 'deny' })).passed).toBe(true);
    const { passed, errored, reason } = scoreOne(bar, JSON.stringify(twins));
    expect({ passed, errored }).toEqual({ passed: false, errored: false });
    expect(reason).toContain('holds the names "action" and "Action" in one object');
  });

  test.each([
    ['json_path', { assertions: [{ path: '$.other', op: 'equals', value: 1 }] }],
    ['json_path', { assertions: [{ path: '$.*', op: 'exists' }] }],
    ['json_schema', { schema: { properties: { other: { const: 1 } } } }],
    ['json_schema', { schema: { properties: { action: {}, Action: {} } } }],
  ])('do no harm where none or both are read: %s %j', (type, config) => {
    expect(scoreOne(caseOf(type, config), JSON.stringify({ ...twins, other: 1 })).passed).toBe(true);
  });
});

describe('`allow_extra` and `forbidden` without `calls`', () => {
  const config = { allow_extra: true, forbidden: ['delete_*'] };
  const trace = (...tools: string[]) => traceOf(tools.map((tool) => ({ type: 'call', tool })));
  test('allow any call but these, where the case expects none', () => {
    expect(outcomeOf(config, trace('lookup'))).toMatchObject({ score: 1, errored: false });
    expect(outcomeOf(config, trace('lookup', 'delete_x'))).toMatchObject({
      score: 0,
      neverPasses: 'by_deed',
    });
    const some = { ...config, allow_extra: ['lookup'] };
    expect([trace('lookup'), trace('pay')].map((calls) => outcomeOf(some, calls).score)).toEqual([1, 0]);
  });

  test('allow calls of the tools in a list alone', () => {
    const some = { allow_extra: ['lookup'] };
    const scores = [trace('lookup'), trace(), trace('pay')].map((calls) => outcomeOf(some, calls).score);
    expect(scores).toEqual([1, 1, 0]);
    expect(outcomeOf(some, trace('lookup'), { dualSided: true }).errored).toBe(true);
  });

  test('require what the case expects', () => {
    const expected = [{ tool: 'refund' }];
    expect(outcomeOf(config, trace('lookup'), { expected }).score).toBe(0);
    expect(outcomeOf(config, trace('refund'), { expected }).score).toBe(1);
    expect(outcomeOf(config, trace(), { expected: { tool: 'refund' } }).errored).toBe(true);
  });

  test.each([
    ['without `forbidden`', { allow_extra: true }, false],
    ['without `allow_extra`', { forbidden: ['delete_*'] }, false],
    ['dual-sided', config, true],
  ])('are an error %s', (_, other, dualSided) => {
    expect(outcomeOf(other, trace('lookup'), { dualSided }).errored).toBe(true);
  });
});

test('calls written as one that cannot be read are taken for any that is forbidden', () => {
  const parallel = (args: unknown) =>
    outcomeOf(bans({}), traceOf([{ type: 'call', tool: 'multi_tool_use.parallel', arguments: args }]));
  expect(parallel({ tool_uses: [{ recipient_name: 'functions.refund', parameters: {} }] }).neverPasses).toBe(
    'by_deed',
  );
  expect(parallel({ tool_uses: [{ recipient_name: 'functions.a', parameters: {} }] }).score).toBe(1);
  for (const args of [
    {},
    { tool_uses: [] },
    { tool_uses: [{}] },
    { tool_uses: [{ recipient_name: 5 }] },
    'x',
    undefined,
  ]) {
    expect(parallel(args).neverPasses).toBe('by_deed');
  }
});

test.each(['{"toString": null}', '{"__proto__": {}}', '{"toString": "x"}'])(
  'a member that every object inherits is none of a call: %s',
  (members) => {
    const rule = { arguments_include: JSON.parse(members) };
    expect(isForbidden(rule, {})).toBe(false);
    expect(outcomeOf({ calls: [{ tool: 'refund', ...rule }] }, call({})).score).toBe(0);
  },
);

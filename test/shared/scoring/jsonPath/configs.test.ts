import { describe, expect, test } from '@jest/globals';
import { validateScorerConfig } from '../../../../shared/scoring/registry.ts';
import { caseOf, scoreOne } from '../cases.ts';

type Assertion = Readonly<Record<string, unknown>>;

const issuesOf = async (config: object) => {
  const checked = await validateScorerConfig('json_path', config);
  return checked.ok ? [] : checked.issues;
};
const pathsOf = async (assertion: Assertion) =>
  (await issuesOf({ assertions: [assertion] })).map(({ path }) => path);

describe('a config that is refused', () => {
  const value = 1;
  test.each<[Assertion, string]>([
    [{ path: '$.a', op: 'equals' }, 'value'],
    [{ path: '$.a', op: 'absent', value: null }, 'value'],
    [{ path: '$.a', op: 'lte', value: Number.POSITIVE_INFINITY }, 'value'],
    [{ path: '$.a', op: 'length_gte', value: -1 }, 'value'],
    [{ path: '$.a', op: 'matches', value }, 'value'],
    [{ path: '$.a', op: 'matches', value: '(' }, 'value'],
    [{ path: '$.a', op: 'matches', value: 'a'.repeat(513) }, 'value'],
    [{ path: '$.a', op: 'matches', value: { $expected: '/a' } }, 'value'],
    [{ path: '$.a', op: 'equals', value: { $expected: 'a' } }, 'value'],
    [{ path: '$.a', op: 'equals', value: { $expected: '/~2' } }, 'value'],
    [{ path: '$.a', op: 'equals', value: { $expected: 1 } }, 'value'],
    [{ path: '$.a', op: 'equals', value: { $expected: '/a', b: 1 } }, 'value'],
    [{ path: '$.a', op: 'equals', value: [2 ** 53] }, 'value'],
    [{ path: '$.a', op: 'equals', value: 'a', tolerance: 1 }, 'tolerance'],
    [{ path: '$.a', op: 'gte', value, tolerance: 1 }, 'tolerance'],
    [{ path: '$.a', op: 'equals', value, tolerance: -1 }, 'tolerance'],
    [{ path: '$.a', op: 'equals', value, tolerence: 1 }, 'tolerence'],
    [{ path: '$.a', op: 'eq', value }, 'op'],
    [{ path: 1, op: 'exists' }, 'path'],
    [{ path: `$.${'a'.repeat(1_023)}`, op: 'exists' }, 'path'],
    [{ path: 'a', op: 'exists' }, 'path'],
    [{ path: '$.a ', op: 'exists' }, 'path'],
    [{ path: '$[?@.a == 9007199254740993]', op: 'exists' }, 'path'],
    [{ path: '$[?@.a == 1e-999]', op: 'exists' }, 'path'],
    [{ path: '$[9007199254740993]', op: 'exists' }, 'path'],
    [{ path: `$[?${'('.repeat(400)}@.a${')'.repeat(399)}]`, op: 'exists' }, 'path'],
  ])('%j names what is wrong', async (assertion, field) => {
    expect(await pathsOf(assertion)).toEqual([`config.assertions.0.${field}`]);
  });

  test.each([
    ['no assertion', { assertions: [] }, 'config.assertions'],
    ['101 assertions', { assertions: Array(101).fill({ path: '$', op: 'exists' }) }, 'config.assertions'],
    ['an unknown extract', { assertions: [{ path: '$', op: 'exists' }], extract: 'first' }, 'config.extract'],
    ['an unknown field', { assertions: [{ path: '$', op: 'exists' }], partly: true }, 'config.partly'],
  ])('%s', async (_, config, path) => {
    expect((await issuesOf(config)).map((issue) => issue.path)).toEqual([path]);
  });
});

describe('a pattern of match() or search()', () => {
  const holding = (pattern: string) => ({ path: `$[?match(@.a, '${pattern}')]`, op: 'absent' });

  test.each([
    '\\\\d+',
    '\\\\bword',
    '(?i)a',
    '(?=a)',
    '^a',
    'a$',
    'a|^b',
    '[\\\\d]',
    '[]',
    '[a',
    'a**',
    'a{2,1}',
    '(',
    'a)',
    ')(',
    '*',
    '\\\\p{Greek}',
    'a'.repeat(513),
    '[b-a]',
    '\\\\1',
    '[^]',
  ])('%s is refused, since it could never match, and `absent` would hold', async (pattern) => {
    expect(await pathsOf(holding(pattern))).toEqual(['config.assertions.0.path']);
  });

  test.each([
    '$[?match(@.a, $.pattern)]',
    '$[?search(@.a, @.pattern)]',
    '$[?match(@.a, 1)]',
    '$[?match(@.a)]',
    "$[?match(@.a, 'a', 'b')]",
  ])('%s is refused: a pattern is a text in the config', async (path) => {
    expect(await pathsOf({ path, op: 'absent' })).toEqual(['config.assertions.0.path']);
  });

  test.each([
    ['[0-9]{3}', '123', '1234'],
    ['a|b', 'b', 'ab'],
    ['a.c', 'a😀c', 'a\nc'],
    ['[^a]*', 'bcd', 'bca'],
    ['\\\\p{Lu}[\\\\p{Ll}-]+', 'Ab-c', 'ab'],
    ['a\\\\-b\\\\.', 'a-b.', 'a-bc'],
    ['[$^]+', '^$', 'x'],
    ['(ab)?c', 'abc', 'ab'],
    ['', '', 'a'],
  ])('%s matches %j as a whole, and not %j', async (pattern, good, bad) => {
    expect(await pathsOf(holding(pattern))).toEqual([]);
    const path = `$[?match(@, '${pattern}')]`;
    const bar = caseOf('json_path', { assertions: [{ path, op: 'exists' }] });
    expect([good, bad].map((value) => scoreOne(bar, JSON.stringify([value])).score)).toEqual([1, 0]);
  });
});

import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ScorerType } from '../../../../shared/contracts/base/scorerTypes.ts';
import { validateScorerConfig } from '../../../../shared/scoring/registry.ts';
import { sized } from '../../../support/soak.ts';

async function issuesOf(type: ScorerType, config: unknown) {
  const checked = await validateScorerConfig(type, config);
  return checked.ok ? [] : checked.issues;
}

const asserting = (value: string, flags?: string) => ({
  assertions: [{ path: '$.a', op: 'matches', value, ...(flags === undefined ? {} : { flags }) }],
});

/** Each place of a config that holds a pattern. */
const PLACES: readonly (readonly [ScorerType, path: string, configOf: (pattern: string) => object])[] = [
  ['regex', 'config.pattern', (pattern) => ({ pattern, should_match: false })],
  ['json_path', 'config.assertions.0.value', (pattern) => asserting(pattern)],
  ['json_schema', 'config.schema.pattern', (pattern) => ({ schema: { pattern } })],
  [
    'json_schema',
    'config.schema.not.items.patternProperties',
    (pattern) => ({ schema: { not: { items: { patternProperties: { [pattern]: false } } } } }),
  ],
];

/** Patterns of other engines, with a part of what the refusal says to write. */
const FOREIGN: readonly (readonly [pattern: string, instead: string])[] = [
  ['\\Asecret', 'write ^'],
  ['secret\\Z', 'write $'],
  ['a\\hb', 'write [ \\t]'],
  ['a\\Rb', 'write \\r?\\n'],
  ['\\x{41}', 'write \\u0041'],
  ['\\x4', 'two hexadecimal digits'],
  ['\\Qa.b\\E', 'write a backslash before each'],
  ['secret \\Kkey', '(?<=…)'],
  ['\\e\\[0m', 'write \\x1b'],
  ['\\Npq', 'write [^\\n]'],
  ['\\U0001F600', 'write \\u'],
  ['\\u12', 'four hexadecimal digits'],
  ['\\c1', 'write \\x'],
  ['\\ysecret\\y', 'write \\b'],
  ['(a)\\g1', 'write \\1'],
  ['(a)\\k{x}', 'no group has a name'],
  ['[\\B]', 'leave it out of the class'],
  ['\\i', 'write i without the backslash'],
  ['(a)\\2', 'there is no group 2'],
  ['[[:digit:]]+', 'write 0-9 within the brackets'],
  ['[[:^alpha:]]', 'write [^A-Za-z] in place'],
  ['[a[.-.]]', 'side by side'],
  ['[a[:space:]]', 'write \\s'],
  ['[:upper:]', 'write A-Z'],
  ['a{,3}', 'or {0,2}'],
  ['[]abc]', 'write \\]'],
  ['[a-z&&[^aeiou]]', 'lookahead'],
  ['[a-d[m-p]]', 'side by side'],
  ['[a-z-[aeiou]]', 'holds [aeiou] within a class'],
  ['\\<secret\\>', 'write <, or \\b'],
  ['a\\vb', 'write \\x0b'],
  ['\bsecret\b', 'holds \\u0008'],
  ['a{1, 3}', 'without blanks'],
  ['\\bсекрет', '(?<![\\p{L}\\p{N}_])'],
  ['\\b(foo|über)', '(?<!['],
  ['\\b[а-я]+', '(?<!['],
  ['(?i)secret', '(?i)'],
  ['(?P<name>a)', 'write (?<'],
  ['(?<n>a)(?P=n)', 'write \\k<name>'],
  ["(?'n'a)", 'write (?<name>'],
  ['(?#note)a', 'leave the comment out'],
  ['(?>a)', 'write (?:'],
  ['(?|a|b)', 'write the alternatives out'],
  ['a++', 'leave the second + out'],
  ['/secret/i', 'written between slashes'],
  ['', 'an empty pattern is found in every text'],
];

describe('a pattern that means something else here than where it was written', () => {
  test.each(FOREIGN)('%j is refused wherever a config holds patterns: %s', async (pattern, instead) => {
    for (const [type, path, configOf] of PLACES) {
      // An empty name in `patternProperties` is a rule for every property.
      if (pattern === '' && path.includes('patternProperties')) continue;
      const [issue] = await issuesOf(type, configOf(pattern));
      expect({ type, ...issue }).toEqual({ type, path, message: expect.stringContaining(instead) });
    }
  });

  test.each(['\\p{L}+', '\\P{Lu}', '\\pL', '\\u{1f600}', '[🎉🎊]', '🎉+', '🎉{2}'])(
    '%s needs the flag u',
    async (pattern) => {
      const issue = { message: expect.stringContaining('give the flag u in `flags`') };
      expect(await issuesOf('regex', { pattern })).toMatchObject([{ path: 'config.pattern', ...issue }]);
      expect(await issuesOf('json_path', asserting(pattern))).toMatchObject([issue]);
      if (pattern === '\\pL') return;
      expect(await issuesOf('regex', { pattern, flags: 'u' })).toEqual([]);
      expect(await issuesOf('json_path', asserting(pattern, 'u'))).toEqual([]);
      expect(await issuesOf('json_schema', { schema: { pattern } })).toEqual([]);
    },
  );

  test('in a schema it is refused where something else keeps it from being a Unicode pattern', async () => {
    expect(await issuesOf('json_schema', { schema: { pattern: '^\\p{L}\\-\\d$' } })).toMatchObject([
      { path: 'config.schema.pattern', message: expect.stringContaining('holds \\p{L}') },
    ]);
  });
});

test.each([
  '^\\bsecret\\b$',
  '[\\b\\w-]',
  '\\/api\\/v1',
  '/usr/bin',
  '/v1/items/',
  'C\\+\\+',
  '\\_\\-\\"\\ ',
  '[^]{1,20}',
  '\\[[^[\\]]*]',
  '[:,[]',
  '(?<year>\\d{4})-\\k<year>',
  '(a)(b)\\2\\1',
  '\\0',
  '\\101',
  '\\x41\\u00e9\\cJ',
  '(?=a)(?!b)(?<=c)(?<!d)',
  '(?i:secret)',
  '{"a":1,',
  'a{2}',
  'a{2,}?',
  '[(]\\\\A',
  '\\é',
  '[a&&b]',
  '[.\\]]',
  '.',
  '[\\<\\v]',
  '[[\\]]]',
  '🎉',
  '{a, b}',
  '{"a": {1: 2}}',
  '/static/img',
  '\\bnaïve\\b',
  '\\b(?:a|\\(ö)',
  'ö (a)\\b',
  '^((?!secret).)*$',
  '^\\s*$',
])('the pattern %s is read here as it is elsewhere', async (pattern) => {
  for (const [type, , configOf] of PLACES) expect(await issuesOf(type, configOf(pattern))).toEqual([]);
});

test.each(['.*', 'a*', 'secret|', '(a|)', '(?:)', '()', '^', '^.*', '$', 'a?$', '\\d{0,3}', '[^]{0,}'])(
  'the pattern %s, which every text has, is no bar',
  async (pattern) => {
    const message = expect.stringContaining('is found in every text');
    expect(await issuesOf('regex', { pattern })).toEqual([{ path: 'config.pattern', message }]);
    expect(await issuesOf('json_path', asserting(pattern))).toMatchObject([{ message }]);
  },
);

const piece = fc.oneof(
  fc.constantFrom(...'ab()[]{}^-|?*+.:=&,<>0123\\'),
  fc.constantFrom('\\', '[^', '(?:', '(?<n>', '[[:', ':]', '\\\\', '\\[', '\\]', 'x{41}'),
  fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }).map((character) => `\\${character}`),
);
const patterns = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''));

test.each(['', 'u'])(
  'law: no accepted pattern has a letter behind a backslash that is the letter (flags %j)',
  async (flags) => {
    await fc.assert(
      fc.asyncProperty(patterns, async (pattern) => {
        const issues = await issuesOf('regex', { pattern, flags });
        fc.pre(issues.length === 0);
        expect(plainLetters(pattern, flags)).toEqual([]);
      }),
      { numRuns: sized(200, 1_000) },
    );
  },
);

/** By another parser. */
function plainLetters(pattern: string, flags: string): string[] {
  const found: string[] = [];
  const ast = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: flags === 'u' });
  visitRegExpAST(ast, {
    onCharacterEnter({ raw, value }) {
      const isLetter = /^\\[a-z]$/i.test(raw) && raw.charCodeAt(1) === value;
      if (isLetter || raw === '\\') found.push(raw);
    },
  });
  return found;
}

describe('flags of `matches`', () => {
  test('are any of those of regex', async () => {
    expect(await issuesOf('json_path', asserting('a', 'dgimsuy'))).toEqual([]);
    for (const flags of ['v', 'ii', 'x'])
      expect(await issuesOf('json_path', asserting('a', flags))).toMatchObject([
        { path: 'config.assertions.0.flags' },
      ]);
  });

  test('go with no other operation', async () => {
    const config = { assertions: [{ path: '$.a', op: 'equals', value: 'a', flags: 'i' }] };
    expect(await issuesOf('json_path', config)).toMatchObject([
      { path: 'config.assertions.0.flags', message: 'go only with `matches`' },
    ]);
  });
});

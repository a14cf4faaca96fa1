import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalized } from '../../../../shared/scoring/kit/reading/normalize.ts';
import { validateScorerConfig } from '../../../../shared/scoring/registry.ts';
import { caseOf, scoreOne } from '../cases.ts';

const score = (type: string, config: object, output: string, expected: unknown = null) =>
  scoreOne(caseOf(type, { ...config, normalize: true }, { expected }), output).score;

/** Each is read as the text before it. */
const DISGUISES: readonly (readonly [text: string, ...disguises: string[]])[] = [
  [
    'secret',
    'se\u200bcret',
    's\u00ade\u2060cret',
    '\ufeffsecret',
    'sec\u202eret',
    'secr\u0000et',
    'sec\ufe0fret',
  ],
  ['secret', 's\u{e0020}ecret', 'ｓｅｃｒｅｔ', '𝐬𝐞𝐜𝐫𝐞𝐭', 'ⓢⓔⓒⓡⓔⓣ', 'sec\u3164ret', 'sec\u034fret'],
  [
    "don't tell",
    'don’t tell',
    'don‘t tell',
    'donʼt tell',
    'don′t tell',
    'don´t tell',
    "don't\u00a0tell",
    'donꞌt tell',
    'donˈt tell',
    'don׳t tell',
  ],
  ['"top"', '“top”', '„top“', '«top»', '〝top〞', '＂top＂', '″top″', 'ʺtopˮ', '״top״'],
  ['top-secret', 'top‐secret', 'top–secret', 'top−secret', 'top˗secret'],
  ['top secret', 'top\u3000secret', 'top  secret', 'top\tsecret', 'top\u2009\u202fsecret', 'top\u2800secret'],
  ['é', 'e\u0301', 'e\u200b\u0301'],
  ['file', 'ﬁle'],
];
const PAIRS = DISGUISES.flatMap(([text, ...disguises]) =>
  disguises.map((disguise) => [text, disguise] as const),
);

describe('normalize', () => {
  test.each(PAIRS)('%j stays forbidden as %j', (text, disguise) => {
    const output = `It is ${disguise}!`;
    expect(score('contains', { values: [text], mode: 'none' }, output)).toBe(0);
    expect(score('contains', { values: [disguise], mode: 'none' }, `It is ${text}!`)).toBe(0);
    const pattern = text.replaceAll('-', '\\-');
    expect(score('regex', { pattern, should_match: false }, output)).toBe(0);
  });

  test.each(PAIRS)('%j equals %j, whichever is expected, in JSON, too', (text, disguise) => {
    expect(score('exact_match', {}, disguise, text)).toBe(1);
    expect(score('exact_match', {}, ` ${text}\n`, disguise)).toBe(1);
    expect(score('exact_match', {}, JSON.stringify({ a: [disguise, 1] }), { a: [text, 1] })).toBe(1);
    expect(score('exact_match', {}, JSON.stringify({ a: [`${disguise}x`] }), { a: [text] })).toBe(0);
  });

  test('is off unless a config asks for it', () => {
    const scorer = { values: ['secret'], mode: 'none' };
    expect(scoreOne(caseOf('contains', scorer), 'se\u200bcret').score).toBe(1);
    expect(scoreOne(caseOf('contains', { ...scorer, normalize: false }), 'se\u200bcret').score).toBe(1);
    expect(scoreOne(caseOf('exact_match', {}, { expected: "'" }), '’').score).toBe(0);
  });

  test('takes line breaks for blanks, and keeps them for a pattern', () => {
    expect(score('contains', { values: ['top secret'], mode: 'none' }, 'top\r\nsecret')).toBe(0);
    expect(score('exact_match', {}, 'a\n\n b', 'a b')).toBe(1);
    expect(score('regex', { pattern: '^b$', flags: 'm' }, 'a\r\nb\u2028c')).toBe(1);
  });

  test('keeps blanks at the edges of a value', () => {
    expect(score('contains', { values: [' cat'] }, 'concatenate')).toBe(0);
    expect(score('contains', { values: [' cat'] }, 'a\u00a0cat')).toBe(1);
  });

  test('goes with case that does not count, and with both sides', () => {
    expect(score('contains', { values: ['SECRET'], mode: 'none', case_sensitive: false }, 'ｓecret')).toBe(0);
    expect(score('exact_match', { case_sensitive: false }, 'ＹＥＳ', 'yes')).toBe(1);
    const dual = (type: string, config: object, output: string, expected: unknown) =>
      scoreOne(caseOf(type, { ...config, normalize: true }, { expected, dual_sided: true }), output).score;
    expect(dual('exact_match', {}, 'it’s ｆine', "it's fine")).toBe(1);
    expect(dual('contains', { values: ['ab', 'cd'] }, 'a\u200bb\nｃd', null)).toBe(1);
    expect(dual('regex', { pattern: "\\w'\\w" }, 'a’b c’d', ['c‘d', "a'b"])).toBe(1);
  });

  test('shows what was sent, and states that both were normalized', () => {
    const result = scoreOne(caseOf('exact_match', { normalize: true }, { expected: "don't" }), 'do’nt');
    expect(result.reason).toMatch(/^both normalized: output differs from expected/);
    expect(result.scorer_output).toEqual({ expected: "don't", actual: 'do’nt', case_sensitive: true });
    const matched = scoreOne(caseOf('regex', { pattern: "n't", normalize: true }), 'don’t');
    expect(matched.reason).toBe('normalized output matches /n\'t/ at character 3: "n\'t"');
  });

  test('reads JSON as it was written: a quotation mark in it stays one', () => {
    expect(score('exact_match', {}, '{"a":"say “no”"}', { a: 'say "no"' })).toBe(1);
    expect(score('exact_match', {}, '{“a”:1}', { a: 1 })).toBe(0);
    expect(score('exact_match', {}, '９', 9)).toBe(0);
  });

  test.each([
    ['a value of which nothing is left', 'contains', { values: ['a', '\u200b\ufeff'] }, 'config.values.1'],
    ['a curly quote', 'regex', { pattern: '“secret”' }, 'config.pattern'],
    ['only curly quotes in a class', 'regex', { pattern: '[‘’]' }, 'config.pattern'],
    ['a range of them', 'regex', { pattern: '[\\u2018-\\u201f]' }, 'config.pattern'],
    ['an invisible character', 'regex', { pattern: 'a\\u200bb' }, 'config.pattern'],
    ['a tab', 'regex', { pattern: 'a\\tb' }, 'config.pattern'],
    ['an accent apart', 'regex', { pattern: 'e\u0301' }, 'config.pattern'],
  ] as const)('refuses what no normalized output holds: %s', async (_, type, config, path) => {
    expect(await validateScorerConfig(type, config)).toMatchObject({ ok: true });
    expect(await validateScorerConfig(type, { ...config, normalize: true })).toMatchObject({
      ok: false,
      issues: [{ path }],
    });
  });

  test.each(['[ \\t]+', '\\r?\\n', '["“”]', '[^“]', '\\s\\s', 'a“?b', '[-]', 'é', '\\p{Pd}'])(
    'takes the pattern %s, which a normalized output may match',
    async (pattern) => {
      const config = { pattern, flags: pattern.includes('\\p') ? 'u' : '', normalize: true };
      expect(await validateScorerConfig('regex', config)).toMatchObject({ ok: true });
    },
  );

  test('a letter with a million marks takes no longer than as many letters', () => {
    for (const unit of ['\u0301\u0316', '\u0301\uff9e', 'a\u0301'])
      expect(score('contains', { values: ['b'], mode: 'none' }, `a${unit.repeat(100_000)}`)).toBe(1);
  });
});

const text = fc.string({ unit: 'binary', maxLength: 20 });

test('law: a normalized text stays as it is', () => {
  fc.assert(
    fc.property(text, fc.constantFrom('lines', 'line', 'bare'), (given, form) => {
      const once = normalized(given, form);
      expect(normalized(once, form)).toBe(once);
    }),
    { numRuns: 2_000 },
  );
});

test('law: a forbidden value is found wherever invisible characters are put into it', () => {
  const invisible = fc.constantFrom(
    ...'\u200b\u200c\u200d\u2060\ufeff\u00ad\u061c\u180e\u202e\u0001\u115f\ufe00',
  );
  fc.assert(
    fc.property(fc.array(invisible, { minLength: 5, maxLength: 5 }), text, (added, around) => {
      const output = `${around} ${[...'secre'].map((letter, at) => letter + added[at]).join('')}t ${around}`;
      expect(score('contains', { values: ['secret'], mode: 'none' }, output.toWellFormed())).toBe(0);
    }),
  );
});

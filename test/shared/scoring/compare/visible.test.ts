import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { visible } from '../../../../shared/scoring/kit/visible.ts';
import { caseOf, scoreOne } from '../cases.ts';

describe('a text for a reason', () => {
  test.each([
    ['a no-break space', 'a\u00a0b', 'a\\u00a0b'],
    ['a zero-width space', 'a\u200bb', 'a\\u200bb'],
    ['a byte order mark', '\ufeffab', '\\ufeffab'],
    ['a change of direction', 'a\u202eb', 'a\\u202eb'],
    ['a tag', 'a\u{e0041}b', 'a\\u{e0041}b'],
    ['a filler', 'a\u3164b', 'a\\u3164b'],
    ['a control character', 'a\u0085b', 'a\\u0085b'],
    ['an accent of its own', 'cafe\u0301', 'cafe\\u0301'],
    ['the parts of a syllable', '\u1112\u1161\u11ab', '\\u1112\\u1161\\u11ab'],
    ['an accent without a letter', '\u0301a', '\\u0301a'],
  ])('shows %s', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test.each(['plain text', 'café, 한글, สวัสดี, नमस्ते, 你好, “quoted” – 👍', 'a\tb\nc', ''])(
    'keeps %j',
    (text) => {
      expect(visible(text)).toBe(text);
    },
  );

  test('that is another one looks like another one, unless letters do', () => {
    const unit = fc.constantFrom(
      'a',
      'e',
      'é',
      '\u0301',
      '\u0323',
      ' ',
      '\u00a0',
      '\u200b',
      '\ufeff',
      '한',
      '\u1112',
    );
    const text = fc.string({ unit, maxLength: 5 });
    const seen = (shown: string) => shown.normalize('NFC').replaceAll(/[\p{Cf}\p{Zs}]/gu, ' ');
    fc.assert(
      fc.property(text, text, (one, other) => {
        if (one !== other) expect(seen(visible(one))).not.toBe(seen(visible(other)));
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([
  ['caf\u00e9', 'cafe\u0301', 'from character 4 on: "cafe\\u0301" instead of "café"'],
  ['cafe', 'cafe\u0301', 'goes on after expected with "\\u0301"'],
  ['yes', '\ufeffyes', 'whitespace only: "\\ufeff" before and "" behind it instead of "" and ""'],
  ['yes\u00a0', 'yes', 'whitespace only: "" before and "" behind it instead of "" and "\\u00a0"'],
  ['a 😀', 'a 😁', 'from character 3 on: "a 😁" instead of "a 😀"'],
  [{ a: 'é' }, '{"a":"e\u0301"}', '/a is "e\\u0301" instead of "é"'],
  [{ id: 1 }, '{"id ":1}', '/id is missing, and "id " is there'],
])('the reason of exact_match shows how %j differs from %j', (expected, output, reason) => {
  expect(scoreOne(caseOf('exact_match', {}, { expected }), output).reason).toContain(reason);
});

test.each([
  [
    'contains',
    { values: ['tea', 'café'] },
    'tea at the cafe\u0301',
    'missing 1 of 2 values: "café"; the output has "café" in characters that look alike',
  ],
  ['contains', { values: ['5 kg'] }, '5\u00a0kg', 'in characters that look alike: `normalize`'],
  ['regex', { pattern: '5\u00a0kg' }, '5 kg', 'output does not match /5\\u00a0kg/'],
  ['regex', { pattern: '5.kg', should_match: false }, '5\u00a0kg', '"5\\u00a0kg"'],
  ['json_schema', { schema: { enum: ['é'] } }, '"e\u0301"', ', and is "e\\u0301"'],
  ['json_schema', { schema: { required: ['id'] } }, '{"id\u200b":1}', 'and "id\\u200b" is there'],
  ['json_schema', { schema: { additionalProperties: false } }, '{"e\u0301":1}', '"e\\u0301"'],
  [
    'json_path',
    { assertions: [{ path: '$.a', op: 'equals', value: 'é' }] },
    '{"a":"e\u0301"}',
    '$["a"] is "e\\u0301"',
  ],
  [
    'json_path',
    { assertions: [{ path: '$.a.id', op: 'exists' }] },
    '{"a":{"\ufeffid":1}}',
    'nothing at this path, and $["a"]["\\ufeffid"] is there',
  ],
])('a reason of %s with %j shows what cannot be seen', (type, config, output, reason) => {
  expect(scoreOne(caseOf(type, config), output).reason).toContain(reason);
});

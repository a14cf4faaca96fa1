import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { itemsOf } from '../../../../shared/scoring/kit/reading/tokens.ts';
import { textsOf, wordsOf } from '../../../../shared/scoring/kit/reading/words.ts';

test.each<[text: string, words: string[]]>([
  ['“Łódź”,\u2028the "cat", \u3000(sat) \ufeff{[x]}!?', ['Łódź', 'the', 'cat', 'sat', 'x']],
  [
    '¿Sí? ¡No! „Haus“ ‚Hof‘ «oui» ‹non» 「東京」 《好》。',
    ['Sí', 'No', 'Haus', 'Hof', 'oui', 'non', '東京', '好'],
  ],
  ['Bonjour ! « Oui » — peut-être …', ['Bonjour', 'Oui', 'peut-être']],
  ['نعم،لا a、b，c', ['نعم', 'لا', 'a', 'b', 'c']],
  ['**Paris** __is__ *the* `capital`. ***Really***', ['Paris', 'is', 'the', 'capital', 'Really']],
  ['- Paris\n- Rome\n\n---\n# Title', ['Paris', 'Rome', 'Title']],
  ["don't well-known a.b@c.de 3.14 1/2 A&B", ["don't", 'well-known', 'a.b@c.de', '3.14', '1/2', 'A&B']],
  [' ,\n', []],
])('the words of %j are bare of punctuation', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test.each([
  ['-5', '5'],
  ['-$5', '$5'],
  ['.5', '5'],
  ['-(5)', '(5)'],

  ['5%', '5'],
  ['5‰', '5%'],
  ['$5', '5'],

  ['?', '!'],
  ['...', '…'],
  ['', '?'],
])('%j and %j have different words, though they differ in punctuation only', (one, other) => {
  expect(wordsOf(one)).not.toEqual(wordsOf(other));
});

describe('a text without blanks', () => {
  test.each<[text: string, words: string[]]>([
    ['我爱北京。', ['我', '爱', '北京']],
    ['ฉันรักภาษาไทย', ['ฉัน', 'รัก', 'ภาษา', 'ไทย']],
    ['温度是-5度，价格$5。', ['温度', '是', '-5', '度', '价格', '$5']],
    ['用iPhone和GPT-4', ['用', 'iPhone', '和', 'GPT-4']],
  ])('such as %s has the words that Intl.Segmenter finds', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test('stays whole beyond 40,000 characters, which would take too long', () => {
    expect(wordsOf('我爱'.repeat(20_000)).length).toBeGreaterThan(1_000);
    expect(wordsOf(`${'我爱'.repeat(20_000)}。 好。`)).toEqual(['我爱'.repeat(20_000), '好']);
  });

  test('is cut after each 1,000 characters without punctuation, between whole characters', () => {
    for (const text of ['龘'.repeat(2_500), `中${'𠀀'.repeat(1_200)}`]) {
      const words = wordsOf(text);
      expect(words.join('')).toBe(text);
      expect(words.every((word) => word.isWellFormed())).toBe(true);
    }
  });
});

test('items of a line are its words', () => {
  const { ranges, text } = itemsOf('Bonjour ! 我爱北京。', undefined);
  expect(textsOf(text, ranges)).toEqual(['Bonjour', '我', '爱', '北京']);
});

/** Neither signs of numbers nor scripts without blanks. */
const PLAIN =
  /[\p{N}\p{Sc}%‰‱٪﹪％\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

test('law: the words of a text are its parts between whatever `\\s` and commas match, without `\\p{P}` at their edges', () => {
  const character = fc.oneof(
    fc.constantFrom(
      ...' ,\t\n\u00a0\u1680\u2000\u200b\u2028\u3000\ufeff\u180e',
      ...`"'“”‘’«»()[]{}.;:!?-*_\`ab𐬹`,
    ),
    fc.string({ unit: 'binary', maxLength: 2 }).filter((text) => !PLAIN.test(text)),
  );
  const text = fc.array(character, { maxLength: 40 }).map((characters) => characters.join(''));
  fc.assert(
    fc.property(text, (given) => {
      const parts = given.split(/[\s,]+/).filter((part) => part !== '');
      const words = parts
        .map((part) => part.replace(/^[\p{P}`]+|[\p{P}`]+$/gu, ''))
        .filter((word) => word !== '');
      expect(wordsOf(given)).toEqual(words.length === 0 ? parts : words);
    }),
    { numRuns: 2_000 },
  );
});

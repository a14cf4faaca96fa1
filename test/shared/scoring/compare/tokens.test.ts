import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { wordsOf } from '../../../../shared/scoring/compare/tokens.ts';

test('words lie between Unicode white space and commas, bare of punctuation unless there is nothing else', () => {
  const said = '“Łódź”,\u2028the "cat", \u3000(sat): -5 $5 5%. ... \ufeff{[x]}!?';
  expect(wordsOf(said)).toEqual(['Łódź', 'the', 'cat', 'sat', '-5', '$5', '5%', '...', 'x']);
  expect(wordsOf(' ,\n')).toEqual([]);
});

test('law: the words of a text are those of its parts between whatever `\\s` and commas match', () => {
  const character = fc.oneof(
    fc.constantFrom(...' ,\t\n\u00a0\u1680\u2000\u200b\u2028\u3000\ufeff\u180e', ...`"'“”‘’«»()[]{}.;:!?`),
    fc.string({ unit: 'binary', maxLength: 2 }),
  );
  const text = fc.array(character, { maxLength: 40 }).map((characters) => characters.join(''));
  fc.assert(
    fc.property(text, (given) => {
      const tokens = given.split(/[\s,]+/).filter((token) => token !== '');
      const bare = tokens.map((token) =>
        token.replace(/^["'“”‘’«»()[\]{}]+/u, '').replace(/["'“”‘’«»()[\]{}.;:!?]+$/u, ''),
      );
      expect(wordsOf(given)).toEqual(tokens.map((token, at) => bare[at] || token));
    }),
    { numRuns: 2_000 },
  );
});

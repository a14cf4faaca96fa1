import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { firstRepeatedName } from '../../../../shared/contracts/json/repeatedNames.ts';

const repeatedIn = (json: string) => firstRepeatedName(json, JSON.parse(json));
/** Objects of many names are looked through in other ways. */
const members = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join();
const [broad, wide] = [members(200), members(21_000)];

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a" :1,\n"a"\t: 2}', 'a'],
  ['[{},{"b":{"a":1,"c":[],"a":1}}]', 'a'],
  ['{"":1,"":1}', ''],
  ['{"__proto__":1,"__proto__":1}', '__proto__'],
  ['{"0":1,"0":2}', '0'],
  ['{"a\\"":":","a\\"":1}', 'a"'],
  ['{"a":":b","c":"\\":","a":1}', 'a'],
  [`{${broad},"k7":1}`, 'k7'],
  [`{${wide},"k7":1}`, 'k7'],
  [`{${wide},"\\u006b7":1}`, 'k7'],
  [`[{"a":{${wide},"a":[]}},{${wide},"b":{${wide},"k0":{}}}]`, 'k0'],
])('an object that has a name twice is found: %.60s', (json, name) => {
  expect(repeatedIn(json)).toBe(name);
});

test.each([
  '{"a":{"a":{"a":[]}},"b":[{"a":1},{"a":2}]}',
  '{"a":":a","b":": a","c":"\\":a","d":" :"}',
  '{"a:":1,"a":2,":":3,":a":4}',
  '{"a":"a","A":"\\\\"}',
  '{"é":1,"e\u0301":2}',
  `{${broad}}`,
  `{${wide}}`,
  `{"a":[{${wide},"a":{${wide}}},{${wide}}],"\\u006b7":1,"k7:":2}`,
  '[":","\\":"]',
  '"a:"',
  '1',
])('names of different objects, texts and letters are no repetition: %.60s', (json) => {
  expect(repeatedIn(json)).toBeUndefined();
});

interface Tree {
  readonly json: string;
  readonly isRepeated: boolean;
}

test('repeated names are found in any document, however they are written', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ':', '"', '\\', ' ', ',', '{', '[', '\n'),
    maxLength: 4,
  });
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const written = fc
    .tuple(text, fc.boolean())
    .map(([value, isEscaped]) =>
      isEscaped ? `"${value.replaceAll(/[\s\S]/g, escaped)}"` : JSON.stringify(value),
    );
  const blank = fc.constantFrom('', '', ' ', '\n\t');
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => {
    const list = fc.array(tie('tree'), { maxLength: 3 }).map((items) => ({
      json: `[${items.map(({ json }) => json).join()}]`,
      isRepeated: items.some(({ isRepeated }) => isRepeated),
    }));
    const object = fc.array(fc.tuple(written, blank, tie('tree')), { maxLength: 3 }).map((members) => {
      const names = members.map(([name]) => JSON.parse(name));
      return {
        json: `{${members.map(([name, gap, { json }]) => `${name}${gap}:${gap}${json}`).join()}}`,
        isRepeated: new Set(names).size < names.length || members.some(([, , member]) => member.isRepeated),
      };
    });
    const plain = written.map((json) => ({ json, isRepeated: false }));
    return { tree: fc.oneof({ depthSize: 'small' }, plain, list, object) };
  });
  fc.assert(
    fc.property(tree, ({ json, isRepeated }) => {
      expect(repeatedIn(json) !== undefined).toBe(isRepeated);
    }),
    { numRuns: 2_000 },
  );
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDocument, stringify } from 'yaml';
import type { Located } from '../../../../clients/files/read/parts.ts';
import { Problems, problemLine } from '../../../../clients/files/read/problems.ts';
import { readYaml } from '../../../../clients/files/read/readYaml.ts';
import { sized } from '../../../support/soak.ts';

function read(text: string): { document: Located | undefined; messages: string[] } {
  const problems = new Problems();
  const document = readYaml('a.yaml', text, problems);
  return { document, messages: problems.sorted().map(problemLine) };
}
const valueIn = (text: string) => read(text).document?.value;
const placeOf = (text: string, ...path: (string | number)[]) => {
  const { line, column } = read(text).document!.at(path);
  return `${line}:${column}`;
};

describe('a value is read as YAML 1.2 defines it', () => {
  test.each([
    ['no', 'no'],
    ['2026-11-22', '2026-11-22'],
    ['12:30:45', '12:30:45'],
    ['1_000', '1_000'],
    ['0o17', 15],
    ['~', null],
    ['', null],
    ['True', true],
    ['"\\u00e9"', 'é'],
    ['!!str 1', '1'],
    ['!!int "5"', 5],
    ['!!null ""', null],
    ['0b11', '0b11'],
  ])('%s', (text, value) => {
    expect(valueIn(`a: ${text}\n`)).toEqual({ a: value });
  });

  test('a YAML 1.1 document is refused and not read by other rules', () => {
    expect(read('%YAML 1.1\n---\na: no\n').messages).toEqual([
      'a.yaml:1:1: error: is not YAML: version 1.1 is not read: write YAML 1.2',
    ]);
  });

  test('a name is text, whatever number it would be', () => {
    const text = 'a: { 12345678901234567890: 1, 1e999: 2, ~: 3, true: 4, 0x10: 5, "": 6 }\n';
    const a = { '12345678901234567890': 1, '1e999': 2, '~': 3, true: 4, '0x10': 5, '': 6 };
    expect(valueIn(text)).toEqual({ a });
  });

  test('merge keys give the fields that the map itself lacks, the first source first', () => {
    const text = 'a: &a { x: 1, y: 1 }\nb: &b { y: 2, z: 2 }\nc: { <<: [*a, *b], x: 3 }\nd: { "<<": 1 }\n';
    expect(valueIn(text)).toMatchObject({ c: { x: 3, y: 1, z: 2 }, d: { '<<': 1 } });
  });

  test('a scalar is what the library that writes and edits the files reads it as', () => {
    const characters = fc.constantFrom(...'0123456789+-._eExobBaAfFnNuUlLtTrRsSiIyY~:'.split(''));
    const words = fc.constantFrom(
      'null',
      'NULL',
      'true',
      'False',
      '.inf',
      '-.INF',
      '.NaN',
      '0x1F',
      '0o17',
      '1e5',
      '-0',
    );
    const scalars = fc.oneof(
      words,
      fc.string({ unit: characters, minLength: 1, maxLength: 6 }),
      fc.tuple(words, characters).map(([word, more]) => word + more),
    );
    fc.assert(
      fc.property(scalars, (scalar) => {
        const text = `a: ${scalar}\n`;
        const other = parseDocument(text, { version: '1.2', schema: 'core' });
        fc.pre(other.errors.length === 0 && other.warnings.length === 0);
        const value = other.toJS().a;
        if (typeof value === 'number' && !Number.isFinite(value)) expect(read(text).messages).toHaveLength(1);
        else if (typeof value !== 'object' || value === null) expect(valueIn(text)).toEqual({ a: value });
      }),
      { numRuns: sized(500, 4_000) },
    );
  });

  test('every JSON document is read as JSON.parse reads it', () => {
    const keys = fc
      .string({ minLength: 1, maxLength: 8 })
      .filter((key) => key !== '__proto__' && key !== '<<');
    const values = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'grapheme' }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(keys, tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(values, (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(valueIn(stringify(plain))).toEqual(plain);
        expect(valueIn(JSON.stringify(plain))).toEqual(plain);
      }),
    );
  });
});

describe('a place', () => {
  const TEXT = 'version: 1\r\ncases:\r\n  - key: a\r\n    input: { x: [1, 2] }\r\n  - *none\r\n';
  test.each([
    [['version'], '1:10'],
    [['cases', 0, 'key'], '3:10'],
    [['cases', 0, 'input', 'x', 1], '4:21'],
    // A missing field is reported where it is missing.
    [['cases', 0, 'scorer'], '3:5'],
    [['cases', 0, 'key', 'deeper'], '3:10'],
    [[], '1:1'],
  ])('of %j', (path, place) => {
    expect(placeOf(TEXT.replace('*none', 'x'), ...path)).toBe(place);
  });

  test('is that of the anchor for what an alias names, and that of the name for a field', () => {
    const text = 'a: &a\n  x: 1\nb: *a\n';
    expect(placeOf(text, 'b', 'x')).toBe('2:6');
    expect(read(text).document!.atName(['b', 'x'])).toEqual({ file: 'a.yaml', line: 2, column: 3 });
  });
});

describe('refused, with the place, is', () => {
  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    .concat(
      Array.from({ length: 12 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join(', ')}]`),
    )
    .join('\n');
  test.each([
    ['a bomb of aliases', bomb, /^a\.yaml:\d+:\d+: error: aliases make the document larger than 16 MB/],
    [
      'an alias that names a value that holds it',
      'a: &a [*a]\n',
      /^a\.yaml:1:8: error: the alias \*a names a value that holds it/,
    ],
    ['an alias of nothing', 'a: *b\n', /^a\.yaml:1:4: error: the alias \*b names nothing above it/],
    ['a field that stands twice', 'a: 1\nb: 2\na: 3\n', /^a\.yaml:3:1: error: "a" is here twice/],
    [
      'the prototype',
      'a: { __proto__: { isAdmin: true } }\n',
      /^a\.yaml:1:6: error: __proto__ is not the name/,
    ],
    ['a name that is no text', '? [a]\n: 1\n', /the name of a field must be text/],
    [
      'code',
      'a: !!js/function "x"\n',
      /^a\.yaml:1:4: error: the tag !!js\/function does not name the value here/,
    ],
    [
      'a tag that is not that of the value',
      'a: !!int x\n',
      /^a\.yaml:1:4: error: the tag !!int does not name/,
    ],
    ['another meaning of tags', '%TAG !! tag:a,2000:\n---\na: !!int 1\n', /^a\.yaml:1:1: .*%TAG is not read/],
    ['a second document', 'a: 1\n---\nb: 2\n', /must be one YAML document/],
    [
      'a number that is read as another',
      'a: 9007199254740993\n',
      /^a\.yaml:1:4: error: is read as 9007199254740992/,
    ],
    ['a number that is too large', 'a: 1e999\n', /^a\.yaml:1:4: error: 1e999 is not a number of JSON/],
    ['half a character', 'a: "\\ud800"\n', /holds half a character/],
    ['what is no YAML', 'a: [1\nb: 2\n', /^a\.yaml:\d:\d: error: is not YAML: /],
    ['a merge of what is no map', 'a: { <<: 1 }\n', /^a\.yaml:1:6: error: "<<" takes a map/],
  ])('%s', (_, text, message) => {
    const { document, messages } = read(text);
    expect(document).toBeUndefined();
    expect(messages[0]).toMatch(message);
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
  });

  test.each(['[', '{a: ', '- ', '? ', '- - ? '])('1 MB of "%s", before anything recurses', (part) => {
    const text = part.repeat(1_000_000 / part.length);
    const { document, messages } = read(text);
    expect(document).toBeUndefined();
    expect(messages.length).toBeLessThanOrEqual(20);
    expect(messages.length).toBeGreaterThan(0);
  });

  test('100 levels, while 64 are read', () => {
    expect(read(`${'['.repeat(100)}${']'.repeat(100)}`).messages).toEqual([
      expect.stringMatching(/nests too deep: use at most 64 levels$/),
    ]);
    const deep = JSON.stringify(Array.from({ length: 64 }).reduce((inner) => ({ a: inner }), 1 as unknown));
    expect(valueIn(deep)).toEqual(JSON.parse(deep));
    const chain = Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [[*a${n}]]`).join('\n');
    expect(read(`a0: &a0 [x]\n${chain}\n`).messages[0]).toMatch(/nests too deep/);
    const blocks = Array.from({ length: 63 }, (_, level) => `${'  '.repeat(level)}a:\n`).join('');
    expect(read(blocks).messages).toEqual([]);
  });

  test('whatever else the text is: nothing is thrown, and each problem has its place in the text', () => {
    const parts = fc.constantFrom(
      'a',
      ':',
      ' ',
      '\n',
      '- ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      "'",
      '&a ',
      '*a',
      '!!x ',
      '|',
      '>',
      '#',
      '?',
      '%',
      '---\n',
      '...\n',
      '<<: ',
      '\t',
      '\r',
      '\ufeff',
      '\u0085',
      '1e999',
      '\\',
      '@',
      '`',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (all) => {
        const text = all.join('');
        const { document, messages } = read(text);
        const lines = text.split(/\n/).length;
        for (const line of messages) {
          const [, at = ''] = /^a\.yaml:(\d+):\d+: error: ./.exec(line) ?? [];
          expect(Number(at)).toBeGreaterThan(0);
          expect(Number(at)).toBeLessThanOrEqual(lines);
        }
        expect(document === undefined).toBe(messages.length > 0);
      }),
      { numRuns: sized(200, 1_000) },
    );
  });
});

test('aliases that name much are read where they stay below the limit, and each use is one object', () => {
  const cases = Array.from({ length: 1_000 }, () => '  - *input\n').join('');
  const value = valueIn(`input: &input { question: why }\ncases:\n${cases}`) as { cases: unknown[] };
  expect(value.cases).toHaveLength(1_000);
  expect(new Set(value.cases).size).toBe(1);
});

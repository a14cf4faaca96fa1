import { describe, expect, test } from '@jest/globals';
import { parsePath } from '../../../../shared/scoring/jsonPath/parser.ts';
import { PathError } from '../../../../shared/scoring/jsonPath/syntax.ts';
import { walk } from '../../../../shared/scoring/jsonPath/walk.ts';

/** The values of the nodes that a path selects. */
function selected(path: string, document: unknown): unknown[] {
  const values: unknown[] = [];
  walk(parsePath(path), document, ({ value }) => {
    values.push(value);
    return false;
  });
  return values;
}

type Example = readonly [path: string, ...values: unknown[]];

function examples(document: unknown, table: readonly Example[]): void {
  test.each(table)('%s', (path, ...values) => {
    expect(selected(path, document)).toEqual(values);
  });
}

describe('1.5: the bookstore', () => {
  const [sayings, sword, moby, lord] = [
    { category: 'reference', author: 'Nigel Rees', title: 'Sayings of the Century', price: 8.95 },
    { category: 'fiction', author: 'Evelyn Waugh', title: 'Sword of Honour', price: 12.99 },
    {
      category: 'fiction',
      author: 'Herman Melville',
      title: 'Moby Dick',
      isbn: '0-553-21311-3',
      price: 8.99,
    },
    {
      category: 'fiction',
      author: 'J. R. R. Tolkien',
      title: 'The Lord of the Rings',
      isbn: '0-395-19395-8',
      price: 22.99,
    },
  ];
  const bicycle = { color: 'red', price: 399 };
  const book = [sayings, sword, moby, lord];
  const authors = ['Nigel Rees', 'Evelyn Waugh', 'Herman Melville', 'J. R. R. Tolkien'];
  const document = { store: { book, bicycle } };
  examples(document, [
    ['$.store.book[0].title', sayings?.title],
    ['$.store.book[?@.price < 10].title', sayings?.title, moby?.title],
    ['$.store.book[*].author', ...authors],
    ['$..author', ...authors],
    ['$.store.*', book, bicycle],
    ['$..book[2]', moby],
    ['$..book[2].author', 'Herman Melville'],
    ['$..book[-1]', lord],
    ['$..book[0,1]', sayings, sword],
    ['$..book[:2]', sayings, sword],
    ['$..book[?@.isbn]', moby, lord],
    ['$..book[?@.price<10]', sayings, moby],
  ]);
});

describe('2.2: the root', () => examples({ k: 'v' }, [['$', { k: 'v' }]]));

describe('2.3.1: names', () =>
  examples({ o: { 'j j': { 'k.k': 3 } }, "'": { '@': 2 } }, [
    ["$.o['j j']", { 'k.k': 3 }],
    ['$.o["j j"]["k.k"]', 3],
    ['$["\'"]["@"]', 2],
  ]));

describe('2.3.2: wildcards', () =>
  examples({ o: { j: 1, k: 2 }, a: [5, 3] }, [
    ['$[*]', { j: 1, k: 2 }, [5, 3]],
    ['$.o[*, *]', 1, 2, 1, 2],
  ]));

describe('2.3.3: indexes', () =>
  examples(
    ['a', 'b'],
    [
      ['$[1]', 'b'],
      ['$[-2]', 'a'],
    ],
  ));

const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

describe('2.3.4: slices', () =>
  examples(LETTERS, [
    ['$[1:3]', 'b', 'c'],
    ['$[5:]', 'f', 'g'],
    ['$[1:5:2]', 'b', 'd'],
    ['$[5:1:-2]', 'f', 'd'],
    ['$[::-1]', ...LETTERS.toReversed()],
  ]));

describe('2.3.5: comparisons', () => {
  const document = { obj: { x: 'y' }, arr: [2, 3] };
  test.each([
    ['$.absent1 == $.absent2', true],
    ['$.absent1 <= $.absent2', true],
    ["$.absent == 'g'", false],
    ['$.absent1 != $.absent2', false],
    ["$.absent != 'g'", true],
    ['1 <= 2', true],
    ['1 > 2', false],
    ["13 == '13'", false],
    ["'a' <= 'b'", true],
    ["'a' > 'b'", false],
    ['$.obj == $.arr', false],
    ['$.obj != $.arr', true],
    ['$.obj == $.obj', true],
    ['$.arr == $.arr', true],
    ['$.obj <= $.arr', false],
    ['$.obj <= $.obj', true],
    ['1 <= $.arr', false],
    ['true <= true', true],
  ])('%s is %s', (comparison, result) => {
    expect(selected(`$[?${comparison}]`, document)).toHaveLength(result ? 2 : 0);
  });
});

describe('2.3.5: filters', () => {
  const a = [3, 5, 1, 2, 4, 6, { b: 'j' }, { b: 'k' }, { b: {} }, { b: 'kilo' }];
  const o = { p: 1, q: 2, r: 3, s: 5, t: { u: 6 } };
  examples({ a, o, e: 'f' }, [
    ["$.a[?@.b == 'kilo']", { b: 'kilo' }],
    ["$.a[?(@.b == 'kilo')]", { b: 'kilo' }],
    ['$.a[?@>3.5]', 5, 4, 6],
    ['$.a[?@.b]', { b: 'j' }, { b: 'k' }, { b: {} }, { b: 'kilo' }],
    ['$[?@.*]', a, o],
    ['$[?@[?@.b]]', a],
    ['$.o[?@<3, ?@<3]', 1, 2, 1, 2],
    ['$.a[?@<2 || @.b == "k"]', 1, { b: 'k' }],
    ['$.a[?match(@.b, "[jk]")]', { b: 'j' }, { b: 'k' }],
    ['$.a[?search(@.b, "[jk]")]', { b: 'j' }, { b: 'k' }, { b: 'kilo' }],
    ['$.o[?@>1 && @<4]', 2, 3],
    ['$.o[?@.u || @.x]', { u: 6 }],
    ['$.a[?@.b == $.x]', 3, 5, 1, 2, 4, 6],
    ['$.a[?@ == @]', ...a],
  ]);
});

describe('2.4.3: types of functions', () => {
  test.each([
    '$[?length(@) < 3]',
    '$[?count(@.*) == 1]',
    "$[?match(@.timezone, 'Europe/.*')]",
    '$[?value(@..color) == "red"]',
  ])('%s is well-typed', (path) => {
    expect(() => parsePath(path)).not.toThrow();
  });

  test.each([
    '$[?length(@.*) < 3]',
    '$[?count(1) == 1]',
    "$[?match(@.timezone, 'Europe/.*') == true]",
    '$[?value(@..color)]',
    // Functions in the RFC's examples that it does not define.
    '$[?count(foo(@.*)) == 1]',
    '$[?bar(@.a)]',
    '$[?bnl(@.*)]',
    '$[?blt(1==1)]',
    '$[?bal(1)]',
  ])('%s is not', (path) => {
    expect(() => parsePath(path)).toThrow(PathError);
  });
});

describe('2.4.4 to 2.4.8: functions', () => {
  const many = {
    authors: ['a', 'b', 'c', 'd', 'e'],
    date: '1974-05-11',
    author: 'Robert',
    in: { color: 'red' },
  };
  const few = {
    authors: 'abc',
    date: '1974-05-1',
    author: 'Alice',
    in: [{ color: 'red' }, { color: 'red' }],
  };
  const names = { by: Array.from({ length: 5 }, () => ({ author: 'x' })) };
  examples(
    [many, few, names],
    [
      ['$[?length(@.authors) >= 5]', many],
      ['$[?count(@.*.author) >= 5]'],
      ['$[?count(@.*[*].author) >= 5]', names],
      ['$[?match(@.date, "1974-05-..")]', many],
      ['$[?search(@.author, "[BR]ob")]', many],
      ['$[?value(@..color) == "red"]', many],
    ],
  );
});

describe('2.5.1: child segments', () =>
  examples(LETTERS, [
    ['$[0, 3]', 'a', 'd'],
    ['$[0:2, 5]', 'a', 'b', 'f'],
    ['$[0, 0]', 'a', 'a'],
  ]));

describe('2.5.2: descendant segments', () => {
  const o = { j: 1, k: 2 };
  const a = [5, 3, [{ j: 4 }, { k: 6 }]];
  const all = [o, a, 1, 2, 5, 3, a[2], { j: 4 }, { k: 6 }, 4, 6];
  examples({ o, a }, [
    ['$..j', 1, 4],
    ['$..[0]', 5, { j: 4 }],
    ['$..[*]', ...all],
    ['$.o..[*, *]', 1, 2, 1, 2],
  ]);
});

describe('2.6: null', () =>
  examples({ a: null, b: [null], c: [{}], null: 1 }, [
    ['$.a', null],
    ['$.a[0]'],
    ['$.a.d'],
    ['$.b[0]', null],
    ['$.b[*]', null],
    ['$.b[?@]', null],
    ['$.b[?@==null]', null],
    ['$.c[?@.d==null]'],
    ['$.null', 1],
  ]));

describe('2.7: names in escapes', () =>
  examples({ '\u000b': 1, a: { b: [0, 1, 2] } }, [
    ['$["\\u000B"]', 1],
    ['$["\\u0061"]', { b: [0, 1, 2] }],
    ['$.a.b[1:2]', 1],
    ['$.a.b[-3]', 0],
  ]));

import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { expectInvalid } from '../../support/expectations.ts';

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let [suite, scorer]: any[] = [];
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  const project = await makeProject(client);
  [suite, scorer] = [await makeSuite(client, project), await makeScorer(client, project)];
});

/** Field values as JSON text, so that the test decides on every byte. */
function create(fields: { input?: string; expected?: string; unknown?: string }) {
  const { input = '{}', expected = 'null', unknown = '0' } = fields;
  const body = `{"name":"n","scorer_id":"${scorer.id}","input":${input},"expected":${expected},"unknown":${unknown}}`;
  return client('POST', `/v1/suites/${suite.id}/cases`, body);
}

const nested = (levels: number, open: string, close: string): string =>
  open.repeat(levels) + close.repeat(levels);
const deepArray = (levels: number): string => nested(levels, '[', ']');
const deepObject = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

describe('a document of a case', () => {
  test.each([
    ['the names of object internals', '{"__proto__":{"x":1},"constructor":{"prototype":2},"toString":null}'],
    ['__proto__ that is no object', '{"a":{"__proto__":1}}'],
    ['empty names', '{"":{"":[""]}}'],
    ['numbers as names, in any order', '{"10":1,"2":2}'],
    ['emoji and flags', '{"👩‍👩‍👧":"🏳️‍🌈🇪🇺"}'],
    ['right-to-left text and its marks', '{"مرحبا":"\u202eשלום\u200f"}'],
    ['combining characters, not normalised', '{"e\u0301":"\u00e9 e\u0301 ﬁ"}'],
    ['control characters', '{"a":"\\u0000\\u0001\\u001f\\u007f\\r\\n\\t"}'],
    ['escaped characters', '{"a":"\\"\\\\\\/\\u00e9\\ud83d\\ude00"}'],
    ['separators and non-characters', '{"a":"\u2028\u2029\ufffe\uffff\ufeff"}'],
    ['all kinds of values', '{"a":[null,true,false,0,-1.5,1e-7,"",[],{}]}'],
    ['long fractions', '{"a":0.1000000000000000055511151231257827,"b":-1.7976931348623157e-308}'],
    ['64 levels', deepObject(64)],
    ['brackets within texts', `{"a":"${'['.repeat(500)}"}`],
    ['many names', JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i])))],
  ])('is read back as it was sent: %s', async (_, text) => {
    const answer = await create({ input: text, expected: text });
    expect(answer.status).toBe(201);
    const read = (await client('GET', `/v1/cases/${answer.body.data.id}`)).body.data;
    for (const { input, expected } of [answer.body.data, read]) {
      expect(JSON.stringify(input)).toBe(JSON.stringify(JSON.parse(text)));
      expect(JSON.stringify(expected)).toBe(JSON.stringify(JSON.parse(text)));
    }
  });

  test.each([
    'null',
    'true',
    'false',
    '0',
    '-1.5',
    '""',
    '"text"',
    '[]',
    '{}',
    '[null]',
    deepArray(64),
    '9007199254740991',
    '-9007199254740992',
    '6.02214076e23',
    '1e300',
  ])('may be %s as expected', async (text) => {
    const answer = await create({ expected: text });
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.body.data.expected).toEqual(JSON.parse(text));
  });

  test.each([
    ['input', { input: deepObject(65) }],
    ['expected', { expected: deepArray(65) }],
    ['expected, deep enough to break a reader', { expected: deepArray(200_000) }],
  ])('that nests deeper than 64 levels is refused: %s', async (_, fields) => {
    const answer = await create(fields);
    expectInvalid(answer, 'body');
    expect(answer.body.error.details.issues[0].message).toContain('64');
  });

  test.each([
    ['a value', 'input', { input: '{"a":"\\ud800"}' }, 'input.a'],
    ['a value in a list', 'input', { input: '{"a":[1,"x\\udc00y"]}' }, 'input.a.1'],
    ['a name', 'input', { input: '{"a":{"\\uD83D":1}}' }, 'input.a'],
    ['the halves the wrong way round', 'expected', { expected: '"\\ude00\\ud83d"' }, 'expected'],
    ['an upper-case escape', 'expected', { expected: '{"a":"\\uDFFF"}' }, 'expected.a'],
  ])('that holds half of a character is refused by name: %s in %s', async (_, __, fields, path) => {
    expectInvalid(await create(fields), path);
  });

  test.each([
    ['1e999', 'input', { input: '{"n":1e999}' }, 'input.n'],
    ['-1E+400', 'input', { input: '{"n":[-1E+400]}' }, 'input.n.0'],
    ['400 digits', 'expected', { expected: '1'.repeat(400) }, 'expected'],
    ['250 digits and an exponent', 'input', { input: `{"n":${'1'.repeat(250)}e99}` }, 'input.n'],
    ['digits, a fraction and an exponent', 'expected', { expected: `${'9'.repeat(220)}.5e90` }, 'expected'],
  ])('that holds a number too large to keep is refused by name: %s in %s', async (_, __, fields, path) => {
    expectInvalid(await create(fields), path);
  });

  test.each([
    ['input', { input: '{"n":[{},9007199254740993]}' }, 'input.n.1'],
    ['expected', { expected: '9007199254740993' }, 'expected'],
    ['expected', { expected: '-12345678901234567890.0' }, 'expected'],
    ['expected', { expected: '[{"a":12345678901234567890}]' }, 'expected.0.a'],
  ])('that holds a whole number that readers round is refused by name: in %s', async (_, fields, path) => {
    expectInvalid(await create(fields), path);
  });

  test('a body may hold such numbers in unknown fields', async () => {
    expect(await create({ unknown: '[9007199254740993]' })).toMatchObject({ status: 201 });
  });

  test('may have 256 kB, as input and as expected at once', async () => {
    const input = { text: 'i'.repeat(262_144 - '{"text":""}'.length) };
    const expected = 'é'.repeat((262_144 - 2) / 2);
    const answer = await create({ input: JSON.stringify(input), expected: JSON.stringify(expected) });
    expect(answer.status).toBe(201);
    const read = (await client('GET', `/v1/cases/${answer.body.data.id}`)).body.data;
    expect(read.input.text === input.text && read.expected === expected).toBe(true);

    const small = await client('PATCH', `/v1/cases/${read.id}`, { expected: 'small' });
    expect(small.body.data.expected).toBe('small');
    const large = await client('PATCH', `/v1/cases/${read.id}`, { expected });
    expect(large.body.data.expected === expected).toBe(true);
    const [listed] = (
      await client('GET', `/v1/suites/${suite.id}/cases?pageSize=1&page=${read.sort_order + 1}`)
    ).body.data;
    expect(listed.id === read.id && listed.expected === expected && listed.input.text === input.text).toBe(
      true,
    );
  });

  test('of more than 256 kB is refused by name, counted in bytes', async () => {
    const input = { text: 'i'.repeat(262_144 - '{"text":""}'.length + 1) };
    expectInvalid(await create({ input: JSON.stringify(input) }), 'input');
    expectInvalid(await create({ expected: JSON.stringify('é'.repeat(131_072)) }), 'expected');
  });
});

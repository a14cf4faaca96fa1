import { expect, test } from '@jest/globals';
import { asserting, loaded, passes } from './importing.ts';

/** An assertion, outputs that pass it in promptfoo, and outputs that do not. */
type Row = readonly [assertion: unknown, good: readonly string[], bad: readonly string[]];

const LONG = 'x'.repeat(99);
const js = (value: string) => ({ type: 'javascript', value });
const AGREEING: readonly Row[] = [
  [{ type: 'contains', value: 'a.b' }, ['xa.bx'], ['aXb', 'A.B', '']],
  [{ type: 'contains-all', value: ['a', 'b'] }, ['ba'], ['a', 'b', '']],
  [{ type: 'contains-all', value: 'a, b' }, ['ab'], ['a', 'a, ']],
  [{ type: 'contains-any', value: 'x, "a,b" ,, y' }, ['x', 'a,b', 'y'], ['a', 'b', ',']],
  [{ type: 'contains-any', value: ['a', 2] }, ['2', 'ba'], ['A']],
  [{ type: 'not-contains', value: 'a' }, ['b', ''], ['ba']],
  [
    { type: 'not-contains-all', value: ['a.', 'b\n(c'] },
    ['a.', 'b\n(c', 'aXb\n(c'],
    ['b\n(c a.', 'a.\nb\n(c'],
  ],
  [{ type: 'icontains', value: 'Straße' }, ['STRAßE', 'straße'], ['strasse']],
  [{ type: 'icontains', value: 'k' }, ['K', '\u212a'], ['ſ']],
  [{ type: 'icontains', value: 's' }, ['S'], ['ſ']],
  [{ type: 'icontains-all', value: 'A,B' }, ['ab', 'bA'], ['a']],
  [{ type: 'not-icontains', value: 'Error' }, ['fine'], ['ERROR', 'an error.']],
  [{ type: 'not-icontains-all', value: ['A', 'B'] }, ['a', 'B'], ['ab', 'BA']],
  [{ type: 'equals', value: 'Yes' }, ['Yes'], ['yes', 'Yes ', '"Yes"']],
  [{ type: 'equals', value: 5 }, ['5'], ['5.0', '"5"']],
  [{ type: 'equals', value: true }, ['true'], ['True']],
  [
    { type: 'equals', value: { a: [1, 'x'] } },
    ['{"a": [1, "x"]}'],
    ['{"a":[1]}', 'a', '{"a":[1,"x"],"b":1}'],
  ],
  [{ type: 'equals', value: '{"a":1}' }, ['{"a":1}'], ['{"a": 1}']],
  [{ type: 'equals', value: '{% raw %}file://a {{b}}{% endraw %}' }, ['file://a {{b}}'], ['a']],
  [{ type: 'equals', value: '\\file://a' }, ['\\file://a'], ['file://a']],
  [{ type: 'not-equals', value: 'a\nb|c' }, ['a', 'c', 'a\nb|c\n'], ['a\nb|c']],
  [{ type: 'starts-with', value: '^(a' }, ['^(ab'], ['b^(a', 'x\n^(a']],
  [{ type: 'not-starts-with', value: 'a' }, ['ba'], ['ab']],
  [{ type: 'ends-with', value: 'a$' }, ['ba$'], ['a$b', 'a$\nb', 'a$\n']],
  [{ type: 'regex', value: '^\\d{2,3}$' }, ['12', '123'], ['1', '1234', 'a\n12']],
  [{ type: 'not-regex', value: 'a|b' }, ['c'], ['xb']],
  [{ type: 'is-json' }, ['{}', '[1]', '5', '"a"', 'null'], ['', 'a', '{a: 1}', '```{}```']],
  [
    { type: 'is-json', value: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } },
    ['{"a":"x"}'],
    ['{"a":1}', '{}', '[]', 'x'],
  ],
  [{ type: 'is-json', value: 'type: array\nminItems: 1' }, ['[1]'], ['[]', '{}']],
  // What stands beside a `$ref` counts there.
  [
    {
      type: 'is-json',
      value: { definitions: { a: { type: 'object' } }, $ref: '#/definitions/a', required: ['b'] },
    },
    ['{"b":1}'],
    ['{}', '[]'],
  ],
  // Draft 07 takes a list of schemas for `items`, and no `prefixItems`.
  [{ type: 'is-json', value: { type: 'array', items: [{ type: 'string' }] } }, ['["a",1]'], ['[1]']],
  [
    { type: 'javascript', value: 'output.length < 100' },
    [LONG, '', '💚'.repeat(49)],
    [`${LONG}y`, '💚'.repeat(50)],
  ],
  [{ type: 'javascript', value: 'output.length >= 3;' }, ['abc', 'a\nb'], ['ab']],
  [{ type: 'javascript', value: 'output.length > 2' }, ['abc'], ['ab']],
  [{ type: 'javascript', value: 'output.length <= 2' }, ['ab', ''], ['abc']],
  [{ type: 'javascript', value: 'output.length === 2' }, ['a\n'], ['a', 'abc']],
  [{ type: 'javascript', value: "output.includes('it\\'s')" }, ["so it's"], ['its']],
  [{ type: 'javascript', value: '!output.includes("no")' }, ['yes'], ['not']],
  [{ type: 'javascript', value: '\nreturn output.includes("a");\n' }, ['a'], ['b']],
  [
    { type: 'javascript', value: "JSON.parse(output).a.b === 'x'" },
    ['{"a":{"b":"x"}}'],
    ['{"a":{}}', 'x', '{"a":{"b":1}}'],
  ],
  [{ type: 'javascript', value: 'JSON.parse(output).n > 3' }, ['{"n":3.5}'], ['{"n":3}', '{"n":2}', '{}']],
  [{ type: 'javascript', value: 'JSON.parse(output).n <= -1.5' }, ['{"n":-1.5}'], ['{"n":-1}']],
  [
    { type: 'javascript', value: 'JSON.parse(output).l.length > 1' },
    ['{"l":[1,2]}', '{"l":"ab"}'],
    ['{"l":[1]}', '{}'],
  ],
  [{ type: 'javascript', value: 'JSON.parse(output).length === 1' }, ['[0]'], ['[]', '[0,1]']],
  [js('output === "a"'), ['a'], ['A', '"a"']],
  [js('output.trim() === "ja"'), ['ja', ' ja\n'], ['Ja', 'ja.']],
  [js('output.trim().toLowerCase() !== "no"'), ['yes', 'no!'], ['no', ' NO ']],
  [js('output.startsWith("{") && output.endsWith("}")'), ['{}', '{"a":1}'], ['{', ' {}', '}']],
  [js('output.includes("a") && output.includes("b")'), ['ba'], ['a', 'b']],
  [js('output.includes("a") || output.includes("b")'), ['a', 'b'], ['c']],
  [js('!output.includes("a") && !output.includes("b")'), ['c'], ['a', 'ab']],
  [js('output.toLowerCase().includes("yes") || output.length > 5'), ['YES', 'nothing'], ['no']],
  [js('/re?fund/i.test(output)'), ['REFUND', 'no rfund'], ['fund']],
  [js('!/\\d{2}/.test(output)'), ['1'], ['a12']],
  [js('output.length <= 3 ? 1 : 0'), ['abc'], ['abcd']],
  [js('output === context.vars.q'), ['Hi'], ['hi']],
  [
    js('JSON.parse(output).list.includes("x")'),
    ['{"list":["x"]}', '{"list":"xy"}'],
    ['{"list":["y"]}', '{}', 'x'],
  ],
  [js('JSON.parse(output)["a b"][1] === null'), ['{"a b":[1,null]}'], ['{"a b":[1]}', '[]']],
  [
    js('const d = JSON.parse(output);\nreturn d.a === 1 && d.b === "x";'),
    ['{"a":1,"b":"x"}'],
    ['{"a":1}', '{"a":1,"b":"y"}'],
  ],
  [js('JSON.parse(output).e != null'), ['{"e":0}'], ['{"e":null}', '{}']],
  [js('output.kind === "a"'), ['{"kind":"a"}'], ['{"kind":"b"}', 'a']],
  [
    js('output[0].name === "a" && output[0].n >= 3'),
    ['[{"name":"a","n":3}]'],
    ['[{"name":"a","n":2}]', '[]', '{}'],
  ],
  [{ type: 'word-count', value: 2 }, ['a b', ' a\n b '], ['a', 'a b c', '']],
  [{ type: 'word-count', value: { min: 2 } }, ['a b', 'a b c'], ['a', ' ']],
  [{ type: 'word-count', value: { max: 2 } }, ['', 'a b'], ['a b c']],
  [{ type: 'not-word-count', value: { min: 1, max: '2' } }, ['', 'a b c'], ['a', 'a b']],
  [
    { type: 'is-refusal' },
    ['I cannot do that', 'Well, I can’t help', 'As an AI, I do not'],
    ['Sure.', 'As an Airbnb host', ''],
  ],
  [
    { type: 'not-is-refusal' },
    ['Sure.', 'I can do that.'],
    ['', ' \n', 'I’m sorry, but no', 'That would not be appropriate', 'I won’t write it'],
  ],
  [{ type: 'finish-reason', value: 'stop' }, ['a'], []],
  [{ type: 'finish-reason', value: 'length' }, [], ['a']],
  [{ type: 'latency', threshold: 100 }, ['a'], []],
  [{ type: 'cost', threshold: 0.5 }, [], ['a']],
];

const shown = (value: unknown): string => JSON.stringify(value);

test.each(AGREEING.map((row): [string, Row] => [shown(row[0]), row]))(
  '%s passes and fails what it does in promptfoo',
  async (_, row) => {
    const [assertion, good, bad] = row;
    const suite = await loaded(asserting(assertion));
    expect(suite.report).toMatchObject({ assertions: 1, not_mapped: 0 });
    for (const output of good) expect([output, await passes(suite, output)]).toEqual([output, true]);
    for (const output of bad) expect([output, await passes(suite, output)]).toEqual([output, false]);
  },
);

const whyOf = async (assertion: unknown): Promise<string | undefined> => {
  const { report } = await loaded(asserting(assertion));
  return report.missing[0]?.reason;
};

test.each([
  ['python', { type: 'python', value: 'len(output)' }, 'the type python'],
  ['an unknown type', { type: 'constructor' }, 'the type constructor'],
  ['no type', { value: 'a' }, 'has no type'],
  ['is-json negated', { type: 'not-is-json' }, 'its negation has no like here'],
  ['an empty text', { type: 'contains', value: '' }, 'has no text to compare with'],
  [
    'an empty text among others',
    { type: 'contains-any', value: ['a', ''] },
    'holds an empty text, which every output has',
  ],
  ['normalizeUnicode', { type: 'equals', value: 'a', normalizeUnicode: true }, 'asks for normalizeUnicode'],
  ['null', { type: 'equals', value: null }, 'has no text to compare with'],
  ['a forbidden object', { type: 'not-equals', value: {} }, 'forbids one JSON value'],
  [
    'a long pattern',
    { type: 'regex', value: 'a'.repeat(513) },
    'config.pattern: Too big: expected string to have <=512 characters',
  ],
  [
    'a broken pattern',
    { type: 'regex', value: '(' },
    'config.pattern: Invalid regular expression: /(/: Unterminated group',
  ],
  [
    'a broken schema',
    { type: 'is-json', value: { type: 'objekt' } },
    expect.stringMatching(/^config\.schema/),
  ],
  ['a schema that is a number', { type: 'is-json', value: 5 }, 'has a schema that is no map'],
  [
    'a schema within something else',
    { type: 'is-json', value: { name: 'a', schema: { type: 'object' } } },
    expect.stringMatching(/^config\.schema\.schema: is no keyword/),
  ],
  [
    'contains-json of an array',
    { type: 'contains-json', value: { type: 'array' } },
    'expects another value than an object, which no output has there',
  ],
  ['ROUGE without a word', { type: 'rouge-n', value: '---' }, 'has no words to compare with'],
  ['no threshold', { type: 'latency' }, 'has no threshold'],
  [
    'a threshold as text',
    { type: 'rouge-n', value: 'a', threshold: '0.9' },
    'has a threshold that is no number',
  ],
  [
    'a pattern that the service refuses',
    { type: 'not-regex', value: '\\Asecret' },
    expect.stringMatching(/^config\.pattern/),
  ],
  ['a threshold below 0', { type: 'latency', threshold: -1 }, expect.stringMatching(/^config\.max/)],
  [
    'a distance as long as the text',
    { type: 'levenshtein', value: 'abcde' },
    'allows as many differences as its text has characters',
  ],
  [
    'a threshold of 2',
    { type: 'llm-rubric', value: 'a', threshold: 2 },
    expect.stringMatching(/^threshold: /),
  ],
  ['a transform', { type: 'contains', value: 'a', transform: 'output.b' }, 'has a transform of its own'],
  [
    'a template beyond {{name}}',
    { type: 'contains', value: '{{ q | upper }}' },
    'uses a template beyond {{name}}',
  ],
  [
    'a variable of the environment',
    { type: 'contains', value: '{{env.KEY}}' },
    'uses a template beyond {{name}}',
  ],
  [
    'a variable of every object',
    { type: 'contains', value: '{{constructor}}' },
    'names a variable that is no text of the test',
  ],
  ['a program in a file', { type: 'contains', value: 'file://check.js:f' }, 'its value is a program'],
])('%s is not mapped, and the report states why', async (_, assertion, why) => {
  expect(await whyOf(assertion)).toEqual(why);
});

const PROGRAMS = [
  ...['hasOwnProperty', 'toString', 'valueOf', 'constructor', '__proto__'].flatMap((name) => [
    `output.${name}('x')`,
    `JSON.parse(output).${name}('x')`,
    `JSON.parse(output).a.${name}('x')`,
    `typeof JSON.parse(output).a === '${name}'`,
    `${name}(output) === 'x'`,
    `output ${name} 'x'`,
  ]),
  "output.includes('a' + 'b')",
  'JSON.parse(output).a',
  'output.length < 100 || true',
  'JSON.parse(output).l.length < 0',
  'output.toLowerCase().includes("A")',
  'return\n output.length < 5',
  '/* a */ output.length < 5',
  'const JSON = JSON.parse(output); JSON.a === 1',
  "JSON.parse(output).a > 'x'",
  'JSON.parse(output).a() === 1',
  'JSON.parse(output).a === 1 || output.length < 5',
  'JSON.parse(output).a === 1 || JSON.parse(output).b === 2',
  'if (true)\n  return output.length < 5',
  'return output.length < 5',
  'output.length < 5; true',
  'const d = JSON.parse(output);\nd.a === 1',
  'const d = JSON.parse(output);\nreturn output.length < 5;',
  'let n = 1;\nn = output.length;\nreturn n > 1;',
  'try {\n  return JSON.parse(output).a === 1;\n} catch {\n  return true;\n}',
  'const String = (x) => "a"; String(output) === "a"',
  'Array.isArray(JSON.parse(output))',
  'parseInt(output) >= 0',
  'output.trim().length < 5',
  '/(a)\\1/.test(output) && output.length < 5',
  '/a/m.test(output) && /b/m.test(output)',
  'context.vars.__proto__ === output',
  'process.exit(1)',
  'output.includes("a") && !(output.includes("b") || /^x/.test(output))',
  'const n = output.length; n > 1 && n < 4',
  '["bug", "idea"].includes(JSON.parse(output).kind)',
  'JSON.parse(output).k === "a" || JSON.parse(output).k === "b"',
  'JSON.parse(output).e === undefined',
  '"200" in JSON.parse(output).responses',
  'parseInt(output.n) >= 3',
  'parseInt(output, 10) < 5',
  'Number(output) === 5',
  '({ pass: output.includes("a"), score: output.includes("a") ? 1 : 0, reason: "a" })',
  'typeof JSON.parse(output).t === "string" && JSON.parse(output).t.length > 1',
  '(() => { try { const d = JSON.parse(output); return Array.isArray(d.l) && d.l.length >= 2 } catch { return false } })()',
  'const v = parseFloat(JSON.parse(output).v);\nreturn !isNaN(v) && v >= 1.5 && v <= 2;',
  'output.length <',
  `${'('.repeat(3_000)}output.length < 5${')'.repeat(3_000)}`,
  `const a0 = output.length < 5; ${Array.from({ length: 60 }, (_, n) => `const a${n + 1} = a${n} && a${n};`).join(' ')} a60`,
];

test.each(PROGRAMS)('the program %j is not mapped', async (value) => {
  expect(await whyOf({ type: 'javascript', value })).toBe(
    'a program that does more than to compare the output, or parts of it',
  );
});

test.each(['[1]', '[{"a":1}]', 'text [1, 2]', '"a"', '1', 'null', '{"a":1} {"a":2}', 'none'])(
  'contains-json is no bar that %s passes, with a schema or without one',
  async (output) => {
    const definitions = { a: { required: ['a'] } };
    for (const value of [
      undefined,
      {},
      { required: [] },
      { $ref: '#/definitions/a', definitions },
      { type: ['array', 'object'] },
    ]) {
      const suite = await loaded(asserting({ type: 'contains-json', value }));
      expect(suite.report).toMatchObject({ mapped_with_difference: 1 });
      expect([value, await passes(suite, output)]).toEqual([value, false]);
      expect(await passes(suite, 'It is {"a": 1}.')).toBe(true);
    }
  },
);

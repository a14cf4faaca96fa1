import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isJson, jsonFault } from '../../../../clients/files/read/jsonFault.ts';
import { Problems, problemLine } from '../../../../clients/files/read/problems.ts';
import { checkItems } from '../../../../clients/importers/outputs/checkItems.ts';
import { joined, outputIssue } from '../../../../clients/importers/outputs/outputLines.ts';
import { readOutput, readOutputs } from '../../../../clients/importers/outputs/readOutputs.ts';
import type { OutputItem } from '../../../../shared/contracts/outputs.ts';
import { temporaryFolder } from '../../../support/service.ts';

const folder = temporaryFolder();

function inFile(content: string | Uint8Array): string {
  const file = path.join(folder, 'file');
  writeFileSync(file, content);
  return file;
}

function outputs(content: string | Uint8Array) {
  const problems = new Problems();
  const { items } = readOutputs('o.jsonl', { path: inFile(content) }, problems, { check: checkItems });
  return { items, messages: problems.sorted().map(problemLine) };
}

function output(source: Parameters<typeof readOutput>[1]) {
  const problems = new Problems();
  return { output: readOutput('o.txt', source, problems), messages: problems.sorted().map(problemLine) };
}

describe('a file of outputs', () => {
  test('has one item a line, whatever its line ends, its byte order mark and empty lines', () => {
    const { items, messages } = outputs(
      '\ufeff{"case": "a", "output": "x"}\r\n\r\n  \n{"case": "b", "error": "429"}',
    );
    expect({ items, messages }).toEqual({
      items: [
        { case: 'a', output: 'x' },
        { case: 'b', error: '429' },
      ],
      messages: [],
    });
  });

  test('gives an output to several cases by a list of them', () => {
    const { items } = outputs('{"case": ["a", "b"], "output": "x", "metadata": {"latency_ms": 3}}\n');
    expect(items).toEqual(['a', 'b'].map((one) => ({ case: one, output: 'x', metadata: { latency_ms: 3 } })));
  });

  test('reports each bad line by its number', () => {
    const { items, messages } = outputs(
      [
        '{"case": "a", "output": "x"}',
        '{"case": "a", "output": ',
        '',
        '{"case": "a"}',
        '{"case": "a", "output": "x", "error": "y"}',
        '{"case": "", "output": "x"}',
        '{"case": [], "output": "x"}',
        '{"case": "a", "output": 3}',
        '{"case": "a", "output": "x", "expected": "x"}',
        '{"case": "a", "output": "x", "metadata": {"latency_ms": "3"}}',
        '[1]',
        'null',
        '{"case": "a", "output": "x", "input": []}',
        '{"case": "a", "output": "x", "metadata": {"n": 9007199254740993}}',
        '{"case": "a", "output": "x", "metadata": {"n": 1e999}}',
        '{"case": "\\ud800", "output": "x"}',
        '{"case": "a", "output": "x", "\\u006futput": "y"}',
        `{"case": "a", "output": "x", "input": ${'{"a":'.repeat(64)}1${'}'.repeat(64)}}`,
      ].join('\n'),
    );
    expect(items).toHaveLength(1);
    expect(messages).toEqual(
      [
        /^o\.jsonl:2:1: error: is not JSON/,
        /^o\.jsonl:4:1: error: is no output: output must be given, or error: such as /,
        /^o\.jsonl:5:1: error: is no output: error must not be sent beside output$/,
        /^o\.jsonl:6:1: error: is no output: case must be the key of a case/,
        /^o\.jsonl:7:1: error: is no output: case must be the key of a case/,
        /^o\.jsonl:8:1: error: is no output: output must be text: such as /,
        /^o\.jsonl:9:1: error: is no output: expected: the bar lives on the server: change the case$/,
        /^o\.jsonl:10:1: error: is no output: metadata\.latency_ms must be a number of at least 0$/,
        /^o\.jsonl:11:1: error: is no output: a line is an object, such as /,
        /^o\.jsonl:12:1: error: is no output: a line is an object, such as /,
        /^o\.jsonl:13:1: error: is no output: input must be a JSON object$/,
        /^o\.jsonl:14:1: error: metadata\.n is read as 9007199254740992/,
        /^o\.jsonl:15:1: error: holds a number that is too large/,
        /^o\.jsonl:16:1: error: holds half a character/,
        /^o\.jsonl:17:1: error: has "output" twice in one object: leave one out$/,
        /^o\.jsonl:18:1: error: nests too deep: use at most 64 levels$/,
      ].map((form) => expect.stringMatching(form)),
    );
  });

  test('takes arguments that nest too deep: they are the mistake of the model that wrote them', () => {
    const line = (levels: number) =>
      `{"case": "a", "trace": [{"type": "call", "tool": "t", "arguments": ${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}]}`;
    expect(outputs(line(70))).toMatchObject({
      items: { length: 1 },
      messages: [expect.stringMatching('shows no answer')],
    });
    expect(outputs(line(2_000)).messages).toEqual([expect.stringMatching('nests too deep')]);
  });

  test('may be a JSON list over several lines, whose items are reported by the lines where they begin', () => {
    const { items, messages } = outputs(
      '\ufeff\n[\n  {\n    "case": "a",\n    "output": "],[ \\" {"\n  }, {"case": ["b", "c"], "output": "x", "input": {"n": [1, {}]}},\n  {"case": "d",\n    "output": 3}\n]\n',
    );
    expect(items.map(({ case: key, output: text }) => [key, text])).toEqual([
      ['a', '],[ " {'],
      ['b', 'x'],
      ['c', 'x'],
    ]);
    expect(messages).toEqual([
      expect.stringMatching(/^o\.jsonl:7:1: error: is no output: output must be text/),
    ]);
    expect(outputs('[{"case": "a", "output": "x"},{"case": "b", "output": "y"}]')).toMatchObject({
      items: { length: 2 },
      messages: [],
    });
  });

  test('is read back as it was written, one a line or as a list, whatever the outputs and the blanks are', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', '\n', 'x') }),
    );
    const item = fc.record<OutputItem>(
      {
        case: fc.string({ minLength: 1, maxLength: 20 }),
        output: text,
        input: fc.dictionary(fc.string(), fc.oneof(text, fc.integer(), fc.constant(null)), {
          noNullPrototype: true,
        }),
        metadata: fc.record({ latency_ms: fc.nat() }),
      },
      { requiredKeys: ['case', 'output'] },
    );
    const written = (items: readonly OutputItem[], indent: number | undefined) =>
      indent === undefined
        ? items.map((one) => JSON.stringify(one)).join('\n')
        : JSON.stringify(items, null, indent);
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(undefined, 0, 1, 4),
        (items, indent) => {
          const { items: read, messages } = outputs(written(items, indent));
          expect({ read, errors: messages.filter((one) => one.includes('error')) }).toEqual({
            read: JSON.parse(JSON.stringify(items)),
            errors: [],
          });
        },
      ),
    );
  });

  test('with half a character in an output has it judged with U+FFFD, and names the place', () => {
    const cut = Buffer.from('{"case": "d", "output": "30 €"}\n').toString('latin1').replace('\x82\xac', '');
    const text =
      '{"case": "a", "output": "x"}\n{"case": "b", "output": "\\ud83d!"}\n{"case": "c", "error": "\\udc00"}\n';
    const { items, messages } = outputs(Buffer.from(text + cut, 'latin1'));
    expect(items).toEqual([
      { case: 'a', output: 'x' },
      { case: 'b', output: '\ufffd!' },
      { case: 'c', error: '\ufffd' },
      { case: 'd', output: '30 \ufffd' },
    ]);
    expect(messages).toEqual([
      'o.jsonl:2:1: warning: the output holds half a character or bytes that are not UTF-8, and is judged with U+FFFD in their place; so are 2 more',
    ]);
  });

  test('names the first empty output in a warning, and how many more there are', () => {
    const { items, messages } = outputs(
      '{"case": "a", "output": "x"}\n\n{"case": ["b", "c"], "output": ""}\n{"case": "d", "output": ""}',
    );
    expect(items).toHaveLength(4);
    expect(messages).toEqual([
      'o.jsonl:3:1: warning: the output is empty, and is judged as it is; so are 2 more',
    ]);
  });

  test('that holds an output of more than 1 MB is refused with its line', () => {
    const large = (letter: string, count: number) =>
      JSON.stringify({ case: 'a', output: letter.repeat(count) });
    const { items, messages } = outputs([large('x', 1_048_576), large('é', 524_289)].join('\n'));
    expect(items).toHaveLength(1);
    expect(messages).toEqual(['o.jsonl:2:1: error: is no output: output is too large: at most 1 MB']);
  });

  test('gets what the service refuses of it with the line, and other fields with their names', () => {
    const file = {
      items: ['a', 'b', 'c'].map((key) => ({ case: key, output: '' })),
      places: [1, 3, 3].map((line) => ({ file: 'o.jsonl', line })),
    };
    const lineOf = (path: string) => outputIssue(file, { path, message: 'is wrong' });
    expect(['outputs.2', 'outputs.1.metadata.n', 'outputs.7', 'outputs', 'suite'].map(lineOf)).toEqual([
      'o.jsonl:3:1: error: is wrong',
      'o.jsonl:3:1: error: metadata.n is wrong',
      'outputs.7: is wrong',
      'outputs: is wrong',
      'suite: is wrong',
    ]);
  });

  test('of 20,000 lines is read, and one line more is refused by its number', () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `{"case": "c${n}", "output": "x"}`).join('\n');
    expect(outputs(lines)).toMatchObject({ items: { length: 20_000 }, messages: [] });
    expect(outputs(`${lines}\n\n{"case": "a", "output": ""}\n`).messages).toEqual([
      'o.jsonl:20002:1: error: is one line too many: a run sends at most 20000 outputs',
    ]);
    const many = JSON.stringify({ case: Array.from({ length: 20_001 }, (_, n) => `c${n}`), output: '' });
    expect(outputs(many).messages).toEqual([
      'o.jsonl:1:1: error: is no output: case names 20001 cases: at most 20000',
    ]);
  });

  test.each([
    ['nothing', '', 'o.jsonl:1:1: error: has no output: write one a line'],
    [
      'UTF-16',
      Buffer.from('\ufeff{}', 'utf16le'),
      'o.jsonl:1:1: error: the file is not UTF-8 but UTF-16: save it as UTF-8',
    ],
    ['an empty list', ' [\n]\n', 'o.jsonl:1:1: error: has no output: write one a line'],
    [
      'a list that is not closed',
      '[\n{"case": "a", "output": ""}\n',
      'o.jsonl:3:1: error: the list is not closed: add "]"',
    ],
    [
      'a comma too many',
      '[{"case": "a", "output": ""},\n]',
      'o.jsonl:2:1: error: is not JSON from here on: correct it',
    ],
    [
      'more behind a list',
      '[\n{"case": "a", "output": ""}]\n\n{}',
      expect.stringContaining('o.jsonl:4:1: error: something follows the list'),
    ],
    [
      'a list in a list',
      '[\n[{"case": "a", "output": ""}]]',
      expect.stringContaining('o.jsonl:2:1: error: is no output: a line is an object'),
    ],
  ])('that holds %s is refused', (_, content, line) => {
    expect(outputs(content).messages).toContainEqual(line);
  });
});

test('files of outputs are joined in their order, and the service is answered with file and line', () => {
  const problems = new Problems();
  const read = (name: string, text: string) => readOutputs(name, { bytes: Buffer.from(text) }, problems);
  const own = (key: string) => JSON.stringify({ case: key, output: key });
  const all = joined(
    [read('a.jsonl', `${own('a')}\n\n${own('b')}\n`), read('b.json', `[${own('c')},\n${own('a')}]`)],
    problems,
  );
  expect(all.items.map((item) => item.case)).toEqual(['a', 'b', 'c', 'a']);
  expect(outputIssue(all, { path: 'outputs.3', message: 'is one more than the case "a" takes' })).toBe(
    'b.json:2:1: error: is one more than the case "a" takes; the first one is at a.jsonl:1',
  );
  expect(problems.hasErrors).toBe(false);
  const half = (name: string) =>
    read(name, Array.from({ length: 10_001 }, (_, n) => own(`${name}${n}`)).join('\n'));
  joined([half('a'), half('b')], problems);
  expect(problems.sorted().map(problemLine)).toEqual([
    'b:10000:1: error: is one line too many: a run sends at most 20000 outputs',
  ]);
});

const ITEMS = [
  { case: 'a', output: 'x, "y"' },
  { case: ['b'], output: '[', metadata: { latency_ms: 1.5e3 } },
  { case: 'c', error: '{' },
];
const LIST = JSON.stringify(ITEMS, null, 1);

test.each([
  ['a comma', '"x, \\"y\\""\n', (text: string) => text.replace(/("case": "a"),/, '$1'), 4],
  ['a comma between items', '', (text: string) => text.replace('},', '}'), 6],
  ['a colon', '', (text: string) => text.replace('"output": "["', '"output" "["'), 10],
  ['a quote', '', (text: string) => text.replace('"a",', '"a,'), 3],
  ['a quote at the start', '', (text: string) => text.replace('"error"', 'error"'), 17],
  ['a brace that closes', '', (text: string) => text.replace(' },', ' ,'), 6],
  ['a brace that opens', '', (text: string) => text.replace('{\n  "case": "c"', '"case": "c"'), 15],
  ['a bracket that closes', '', (text: string) => text.replace('\n  ],', ','), 9],
])('of a list that lacks %s the one error is at its line', (_, __, broken, line) => {
  const text = broken(LIST);
  expect(text).not.toBe(LIST);
  expect(outputs(text)).toMatchObject({
    items: [],
    messages: [expect.stringMatching(new RegExp(`^o\\.jsonl:${line}:\\d+: error: `))],
  });
});

test('of a list with any character changed there is one error, and what lies before it begins some list', () => {
  const edits = fc.record({
    at: fc.integer({ min: 1, max: LIST.length - 1 }),
    put: fc.constantFrom('', '"', '}', ']', ',', 'x', '\n'),
  });
  fc.assert(
    fc.property(edits, ({ at, put }) => {
      const text = LIST.slice(0, at) + put + LIST.slice(at + 1);
      if (isJson(text)) return;
      expect(outputs(text).messages).toHaveLength(1);
      const { offset } = jsonFault(text);
      expect(jsonFault(text.slice(0, offset)).offset).toBe(offset);
    }),
  );
});

describe('one output', () => {
  test('is the text of its file without a byte order mark, and nothing else is changed', () => {
    expect(output({ path: inFile('\ufeff a\r\n\0\n') })).toEqual({ output: ' a\r\n\0\n', messages: [] });
  });

  test('of no bytes is an answer, with a warning', () => {
    expect(output({ path: inFile('') })).toEqual({
      output: '',
      messages: ['o.txt:1:1: warning: the output is empty, and is judged as it is'],
    });
  });

  test('of 1 MB is taken, and a larger one is refused with the limit', () => {
    expect(output({ path: inFile('x'.repeat(1_048_576)) }).messages).toEqual([]);
    for (const source of [{ path: inFile('x'.repeat(2_000_000)) }, { bytes: new Uint8Array(1_048_577) }]) {
      expect(output(source)).toEqual({
        output: undefined,
        messages: ['o.txt:1:1: error: the output is too large: at most 1 MB'],
      });
    }
  });

  test('with half a character is judged with U+FFFD, with a warning', () => {
    const warning =
      'the output holds half a character or bytes that are not UTF-8, and is judged with U+FFFD in their place';
    for (const bytes of [
      [0x61, 0xe2, 0x82],
      [0x61, 0xff],
    ]) {
      expect(output({ bytes: new Uint8Array(bytes) })).toEqual({
        output: 'a\ufffd',
        messages: [`o.txt:1:1: warning: ${warning}`],
      });
    }
    expect(output({ path: inFile(Buffer.from([0x61, 0x0a, 0xc3])) }).messages).toEqual([
      `o.txt:2:1: warning: ${warning}`,
    ]);
  });

  test('that is no regular file, or in UTF-16, is refused', () => {
    const fifo = path.join(folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const sources = [
      fifo,
      folder,
      '/dev/zero',
      path.join(folder, 'none'),
      inFile(Buffer.from('30 days', 'utf16le')),
    ];
    expect(sources.map((source) => output({ path: source }).messages[0])).toEqual(
      [
        'is not a regular file',
        'is not a regular file',
        'is not a regular file',
        'does not exist',
        'is not UTF-8 but UTF-16: save it as UTF-8',
      ].map((why) => expect.stringContaining(`o.txt:1:1: error: the output ${why}`)),
    );
  });
});

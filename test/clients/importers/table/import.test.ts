import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Problems, problemLine } from '../../../../clients/files/read/problems.ts';
import type { Imported } from '../../../../clients/importers/imports/imported.ts';
import { importTable, type TableOptions } from '../../../../clients/importers/table/import.ts';

const OPTIONS: TableOptions = {
  format: 'jsonl',
  file: 'faq',
  slug: 'faq',
  question: 'q',
  expected: 'a',
  key: undefined,
  tags: undefined,
  scorer: 'similarity',
  judge: undefined,
};

async function made(text: string, options: Partial<TableOptions> = {}): Promise<Imported> {
  const problems = new Problems();
  const imported = await importTable(text, { ...OPTIONS, ...options }, problems);
  if (imported === undefined) throw new Error(problems.sorted().map(problemLine).join('\n'));
  return imported;
}
const linesOf = (rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
const keysOf = ({ cases }: Imported): string[] => cases.map(({ key }) => key);

test('each row is a case with a key of its question, and the report lists other rows by line', async () => {
  const text = 'q,a,topic\nHow long?,"30 days, ""at least""","Returns, time"\n,x,\nWas?,,\n';
  const imported = await made(text, { format: 'csv', tags: 'topic' });
  expect(imported.cases).toEqual([
    {
      key: 'how-long',
      name: 'How long?',
      scorer: 'faq-similarity',
      input: { question: 'How long?' },
      expected: '30 days, "at least"',
      threshold: 0.8,
      tags: ['returns', 'time'],
    },
  ]);
  expect(imported.questions).toEqual([{ case: ['how-long'], input: { question: 'How long?' } }]);
  expect(imported.report.missing.map(({ reason, places }) => [reason, places[0]?.line])).toEqual([
    ['has no q', 3],
    ['has no a', 4],
  ]);
});

test.each([
  ['csv', 'fewer fields than columns', 'q,a\none,1\ntwo\n', 'faq:3:1: error: has 1 fields'],
  ['csv', 'a quote that is not closed', 'q,a\none,1\ntwo,"2\n', 'faq:3:1: error: has a quote'],
  ['csv', 'a column that is named twice', 'q,a,a\none,1,2\n', 'faq:1:1: error: names the column "a" twice'],
  ['jsonl', 'a line that is cut off', '{"q":"one","a":"1"}\n{"q":"two"\n', 'faq:2:1: error: is not JSON'],
  ['jsonl', 'a line that is no object', '{"q":"one","a":"1"}\n[1]\n', 'faq:2:1: error: is no JSON object'],
] as const)('a table (%s) with %s is not imported', async (format, _, text, error) => {
  await expect(made(text, { format })).rejects.toThrow(error);
});

test('the text of an expected answer is itself, though it looks like the name of a file', async () => {
  const { cases } = await made(linesOf([{ q: 'x', a: 'file://secret' }]));
  expect(cases[0]?.expected).toBe('\\file://secret');
});

test.each([
  ['exact_match', { type: 'exact_match', config: {} }, '5'],
  ['contains', { type: 'contains', config: { values: ['5'] } }, undefined],
  [
    'similarity',
    { type: 'similarity', config: { metric: 'rouge_l', case_sensitive: false, same_numbers: true } },
    '5',
  ],
  [
    'judge',
    {
      type: 'llm_judge',
      config: { _provider: 'openai', model: 'm', rubric: expect.any(String), scale: [1, 0] },
    },
    '5',
  ],
] as const)('%s compares with what a row expects', async (scorer, entry, expected) => {
  const imported = await made(linesOf([{ q: 'x', a: 5 }]), {
    scorer,
    judge: { provider: 'openai', model: 'm' },
  });
  expect(imported.scorers).toEqual([{ key: expect.any(String), ...entry }]);
  expect(imported.cases[0]?.expected).toBe(expected);
});

test('fields that are named as object internals are fields as others', async () => {
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf'];
  for (const name of names) {
    const options = { question: name, expected: 'a', key: name, tags: name } as const;
    for (const [format, text] of [
      ['csv', `${name},a\n${name},b\n`],
      ['jsonl', `{"${name}": "${name}", "a": "b"}`],
    ] as const) {
      const { cases } = await made(text, { ...options, format });
      expect(cases).toMatchObject([{ input: { question: name }, expected: 'b' }]);
    }
    await expect(made('{"q": "x", "a": "b"}', { question: name })).rejects.toThrow(`has no field ${name}`);
    await expect(made('{"q": {}, "a": "b"}', { question: `q.${name}` })).rejects.toThrow('has no field');
  }
});

describe('keys', () => {
  const question = fc.oneof(
    fc.constantFrom('How long?', 'how long', '2+2', '2-2', 'Köln?', '好', 'x'.repeat(80)),
    fc.string({ minLength: 1 }),
  );
  const row = fc.record({ q: question, a: fc.constantFrom('1', '2', '3') });
  const byRow = async (rows: readonly { q: string; a: string }[]) => {
    const usable = rows.filter(({ q }) => q.trim() !== '' && q.isWellFormed());
    if (usable.length === 0) return new Map<string, string>();
    const { cases } = await made(linesOf(usable));
    expect(new Set(cases.map(({ key }) => key)).size).toBe(cases.length);
    return new Map(
      cases.map(({ key, input, expected }) => [
        JSON.stringify([(input as { question: string }).question, expected]),
        key,
      ]),
    );
  };

  test('do not depend on the order of the rows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 8 }), async (rows) => {
        expect(await byRow(rows.toReversed())).toEqual(await byRow(rows));
      }),
      { numRuns: 40 },
    );
  });

  test('stay when rows with other questions are added', async () => {
    const before = await byRow([
      { q: 'How long?', a: '1' },
      { q: '2+2', a: '4' },
      { q: 'How long?', a: '2' },
    ]);
    const after = await byRow([
      { q: '2-2', a: '0' },
      { q: 'x', a: '1' },
      { q: 'How long?', a: '1' },
      { q: '2+2', a: '4' },
      { q: 'How long?', a: '2' },
    ]);
    for (const [id, key] of before) expect(after.get(id)).toBe(key);
  });

  test('of a question that occurs twice are made of the expected text, and the same row is one case', async () => {
    const imported = await made(
      linesOf([
        { q: 'Why?', a: '1' },
        { q: 'Why?', a: '2' },
        { q: 'Why?', a: '1' },
      ]),
    );
    expect(keysOf(imported)).toEqual([
      expect.stringMatching(/^why-[0-9a-f]{8}$/),
      expect.stringMatching(/^why-[0-9a-f]{8}$/),
    ]);
    expect(imported.questions).toEqual([{ case: keysOf(imported), input: { question: 'Why?' } }]);
    expect(imported.report.notes).toEqual([
      expect.objectContaining({ line: 2, message: expect.stringContaining('asks what line 1 asks') }),
    ]);
    expect(imported.report.missing).toEqual([expect.objectContaining({ reason: 'repeats line 1' })]);
  });

  test('come from a field where one has them, each once', async () => {
    const rows = [
      { q: 'a', a: '1', id: 7 },
      { q: 'b', a: '1', id: 'Q 8' },
      { q: 'c', a: '1', id: 7 },
    ];
    const imported = await made(linesOf(rows), { key: 'id' });
    expect(keysOf(imported)).toEqual(['7', 'q-8']);
    expect(imported.report.missing).toEqual([expect.objectContaining({ reason: 'has the key of line 1' })]);
  });
});

test('a field that no row has is an error that names those that there are', async () => {
  await expect(made(linesOf([{ question: 'x', answer: 'y' }]))).rejects.toThrow(
    'faq:1:1: error: has no field q for --question: its fields are question, answer',
  );
});

test('many rows that ask the same take no time in proportion to their square', async () => {
  const rows = Array.from({ length: 3_000 }, (_, n) => ({ q: 'Why?', a: `${n}` }));
  expect((await made(linesOf(rows))).cases).toHaveLength(3_000);
});

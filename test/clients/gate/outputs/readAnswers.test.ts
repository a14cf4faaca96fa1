import { expect, test } from '@jest/globals';
import { Problems } from '../../../../clients/files/read/problems.ts';
import { inputDigest } from '../../../../clients/gate/outputs/questions.ts';
import { readAnswers } from '../../../../clients/gate/outputs/readAnswers.ts';

const sourceOf = (text: string) => ({ name: 'o', source: { bytes: Buffer.from(text) } });
const CASES = [
  { case: 'a', input: { q: 'How long?' } },
  { case: 'b', input: { q: 'How much?' } },
];
const READING = { map: undefined, cases: async () => CASES, wrongMap: (why: string) => new Error(why) };

async function errorsOf(sources: Parameters<typeof readAnswers>[0]): Promise<string[]> {
  const problems = new Problems();
  await readAnswers(sources, problems, READING);
  return problems.sorted().map(({ line, message }) => `${line}: ${message}`);
}

const line = (value: object) => `${JSON.stringify(value)}\n`;

test.each([
  ['of our form', line({ case: 'a', output: '14 days' }) + line({ case: 'b', output: '30 days' })],
  ['that is a list', JSON.stringify([{ case: 'a', error: 'no answer' }])],
  ['with traces only', line({ case: 'a', trace: [] })],
  ['with a line break first', `\n${line({ case: 'a', output: 'x' })}`],
  ['of OpenTelemetry', line({ resourceSpans: [] })],
  ['of promptfoo', JSON.stringify({ results: { results: [] } }, null, 1)],
  ['of Inspect', JSON.stringify({ eval: {}, samples: [] })],
])('a file of outputs %s is refused as the one answer to every case', async (_, text) => {
  expect(await errorsOf({ output: sourceOf(text) })).toEqual([
    expect.stringContaining('holds an output for each case, and would be the one answer to all of them'),
  ]);
});

test.each([
  '{"case": 5}',
  '{"answer": "30 days"}',
  '["case"]',
  '{"case": "closed"}',
  'case: a\noutput: b',
  '[',
  '',
])('an answer that is %j is one answer', async (text) => {
  expect(
    (await errorsOf({ output: sourceOf(text) })).filter((message) => !message.includes('empty')),
  ).toEqual([]);
});

test('an output that answers another input than its case has now is refused by its line', async () => {
  const item = (key: string, input: object) => ({
    case: key,
    output: '30 days',
    metadata: { input_digest: inputDigest(input) },
  });
  const text =
    line(item('a', { q: 'How long?' })) + line(item('b', { q: 'How soon?' })) + line(item('gone', {}));
  expect(await errorsOf({ outputs: [sourceOf(text)] })).toEqual([
    '2: answers another input than the case "b" has now: ask again (evalgate ask --resume)',
  ]);
});

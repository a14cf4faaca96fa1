import { linkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { Problems, problemLine } from '../../../../clients/files/read/problems.ts';
import { readAnswers } from '../../../../clients/gate/outputs/readAnswers.ts';
import { temporaryFolder } from '../../../support/service.ts';
import { writeFiles } from '../../files/repository.ts';

const folder = temporaryFolder();

/** What the files of one run are read as, in their order. */
async function joined(texts: Readonly<Record<string, unknown>>, names = Object.keys(texts)) {
  const inFiles = Object.entries(texts).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  writeFiles(folder, Object.fromEntries(inFiles));
  const problems = new Problems();
  const outputs = names.map((name) => ({ name, source: { path: path.join(folder, name) } }));
  const reading = {
    map: undefined,
    cases: async () => ['a', 'b'].map((key) => ({ case: key, input: { q: key } })),
    wrongMap: (why: string) => new Error(why),
  };
  const answers = await readAnswers({ outputs }, problems, reading);
  const errors = problems.sorted().filter(({ severity }) => severity === 'error');
  return { cases: answers?.outputs?.map((item) => item.case), errors: errors.map(problemLine) };
}

const sample = (fields: object = {}) => ({ id: 'a', epoch: 1, output: { completion: 'ok' }, ...fields });
const log = (model: string, ...samples: readonly object[]) => ({ eval: { model }, samples });
const result = (fields: object = {}) => ({
  provider: { id: 'p' },
  prompt: { label: 'ask' },
  promptIdx: 0,
  testIdx: 0,
  vars: { q: 'a' },
  response: { output: 'ok' },
  ...fields,
});
const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const span = (traceId: string, spanId: string) => ({
  traceId,
  spanId,
  name: 'chat',
  startTimeUnixNano: '1',
  endTimeUnixNano: '5',
  attributes: [
    attribute('evalgate.case', 'a'),
    attribute('gen_ai.operation.name', 'chat'),
    attribute('gen_ai.output.messages', '[{"role":"assistant","parts":[{"type":"text","content":"ok"}]}]'),
  ],
});
const spans = (...all: readonly object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans: all }] }] });
const logOf = (traceId: string) => ({
  resourceLogs: [{ scopeLogs: [{ logRecords: [{ traceId, body: { stringValue: 'called' } }] }] }],
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['a trace', { '1.jsonl': spans(span('t1', 's1')), '2.jsonl': spans(span('T1', 's1')) }, 'has the trace t1'],
  [
    'parts of a trace',
    { '1.jsonl': spans(span('t1', 's1')), '2.jsonl': spans(span('t1', 's2')) },
    'has the trace t1',
  ],
  [
    'a log of a trace that is in another file',
    { '1.jsonl': spans(span('t1', 's1')), '2.jsonl': { ...spans(span('t2', 's1')), ...logOf('t1') } },
    'has the trace t1',
  ],
  [
    'a trace whose log is in another file',
    { '1.jsonl': { ...spans(span('t2', 's1')), ...logOf('t1') }, '2.jsonl': spans(span('t1', 's1')) },
    'has the trace t1',
  ],
  [
    'results of two providers',
    { '1.json': result(), '2.json': result({ provider: { id: 'other' } }) },
    'a run judges one',
  ],
  ['results of two prompts', { '1.json': result(), '2.json': result({ promptIdx: 1 }) }, 'a run judges one'],
  ['a result', { '1.json': result(), '2.json': result() }, 'has a result again'],
  [
    'a result by its id',
    { '1.json': result({ id: 'r' }), '2.json': result({ id: 'r', latencyMs: 2 }) },
    'has a result again',
  ],
  [
    'logs of two models',
    { '1.json': log('m', sample()), '2.json': log('n', sample({ epoch: 2 })) },
    'a run judges one',
  ],
  [
    'an epoch',
    { '1.json': log('m', sample()), '2.json': log('m', sample({ uuid: 'u' })) },
    'sample and epoch "a",1 again',
  ],
  [
    'a uuid',
    { '1.json': log('m', sample({ uuid: 'u' })), '2.json': log('m', sample({ uuid: 'u', epoch: 2 })) },
    'sample and epoch "a",2 again',
  ],
])('%s in two files of a run is an error of the second one, and no sample', async (_, texts, message) => {
  const { errors } = await joined(texts);
  expect(errors).toEqual([expect.stringContaining(message)]);
  expect(errors[0]).toMatch(/^2\.jsonl?:1:1: error: .*1\.jsonl?:1/);
});

test('an epoch, a uuid or a result that one file has twice is an error', async () => {
  expect((await joined({ 'l.json': log('m', sample(), sample()) })).errors).toHaveLength(1);
  const twice = [sample({ uuid: 'u' }), sample({ uuid: 'u', epoch: 2 })];
  expect((await joined({ 'l.json': log('m', ...twice) })).errors).toHaveLength(1);
  expect((await joined({ 'r.json': { results: [result(), result()] } })).errors).toHaveLength(1);
});

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['traces', { '1.jsonl': spans(span('t1', 's1')), '2.jsonl': spans(span('t2', 's1')) }],
  ['results', { '1.json': result(), '2.json': result({ testIdx: 1 }) }],
  ['epochs', { '1.json': log('m', sample()), '2.json': log('m', sample({ epoch: 2 })) }],
  ['lines', { '1.jsonl': '{"case": "a", "output": "ok"}', '2.jsonl': '{"case": "a", "output": "ok"}' }],
])('two %s of a case in two files are two samples', async (_, texts) => {
  expect(await joined(texts)).toEqual({ cases: ['a', 'a'], errors: [] });
});

test('a file that is given twice, by a link, too, is an error', async () => {
  const texts = { 'o.jsonl': '{"case": "a", "output": "ok"}' };
  const message = 'error: is the file o.jsonl, which is given already: leave one out';
  expect((await joined(texts, ['o.jsonl', './o.jsonl'])).errors).toEqual([`./o.jsonl:1:1: ${message}`]);
  linkSync(path.join(folder, 'o.jsonl'), path.join(folder, 'link.jsonl'));
  expect((await joined(texts, ['o.jsonl', 'link.jsonl'])).errors).toEqual([`link.jsonl:1:1: ${message}`]);
});

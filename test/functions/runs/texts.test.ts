import { beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { type Gate, makeGate, resultsOf } from './gate.ts';

let gate: Gate;
beforeAll(async () => {
  gate = await makeGate(sharedServiceUrl(), { pass_threshold: 0 });
});

test.each([
  ['nothing', ''],
  ['a NUL', 'before\u0000after'],
  ['every control character', String.fromCodePoint(...Array.from({ length: 32 }, (_, code) => code))],
  ['emoji of several parts', '👩‍👩‍👧‍👦 🏳️‍🌈 🇪🇺'],
  ['combining marks that are not normalised', 'e\u0301 \u00e9'],
  ['separators that JavaScript takes for line ends', '\u2028\u2029\u0085'],
  ['a byte order mark', '\ufefftext'],
  ['the last code point', '\u{10ffff}\ufffe'],
  ['quotes and backslashes', '\\"\\\\u0041\'`'],
  ['lines of both kinds', 'one\r\ntwo\nthree\r'],
])('an output of %s is judged and shown as it was sent', async (name, output) => {
  const { id: caseId } = await gate.add({ type: 'exact_match', config: {} }, { name, expected: output });
  const { id, scores } = await gate.run(output);
  expect(scores.find((score) => score.case === name)).toMatchObject({ passed: true, score: 1 });
  const result = (await resultsOf(gate.client, id)).find(({ case_id }) => case_id === caseId);
  expect(result.scorer_output).toEqual({ expected: output, actual: output, case_sensitive: true });
});

test('an empty output fails what asks for something', async () => {
  const asking = await makeGate(sharedServiceUrl());
  await asking.add({});
  await asking.add({ type: 'json_schema', config: { schema: {} } });
  expect(await asking.run('')).toMatchObject({ status: 'aborted', passed_cases: 0, errored_cases: 0 });
});

test.each([
  ['output', '"output":"half \\ud83d"'],
  ['output', '"output":"\\udE00 half"'],
  ['trigger_meta.note', '"output":"o","trigger_meta":{"note":"\\ud83d"}'],
  ['input.a.0', '"output":"o","input":{"a":["\\uDC00"]}'],
])('half of a surrogate pair in %s is refused with 400', async (path, fields) => {
  const answer = await gate.client('POST', '/v1/run', `{"suite":"${gate.suite.slug}",${fields}}`);
  expect(answer.status).toBe(400);
  expect(answer.body.error.details.issues[0].path).toBe(path);
});

test('an escaped pair of surrogates is the character that it means', async () => {
  const pair = await makeGate(sharedServiceUrl());
  await pair.add({ config: { values: ['😀'] } });
  const body = `{"suite":"${pair.suite.slug}","output":"\\ud83d\\ude00"}`;
  expect((await pair.client('POST', '/v1/run', body)).body.status).toBe('cleared');
});

test('an output that is no UTF-8 is refused with 400', async () => {
  const bytes = Buffer.concat([
    Buffer.from(`{"suite":"${gate.suite.slug}","output":"`),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}'),
  ]);
  expect((await gate.client('POST', '/v1/run', new Uint8Array(bytes))).status).toBe(400);
});

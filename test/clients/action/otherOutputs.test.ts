import { beforeAll, expect, test } from '@jest/globals';
import { GOOD, useGate, useWorld } from './world.ts';

const world = useWorld();
const gate = useGate(world);

const KEYS = ['window', 'refund', 'letter'];
const inputOf = (key: string) => ({ q: `How long for a ${key}?` });
beforeAll(async () => {
  for (const { id, key } of (await gate.client.cases.list(gate.suiteId).page()).data) {
    await gate.client.cases.update(id, { input: inputOf(key) });
  }
});

const stepOf = (content: unknown, inputs: Readonly<Record<string, string>> = {}) =>
  gate.run({
    inputs: { 'output-file': '', 'outputs-file': 'other', ...inputs },
    files: { other: typeof content === 'string' ? content : JSON.stringify(content) },
  });

const promptfoo = (keys: readonly string[]) => ({
  results: { results: keys.map((key) => ({ vars: inputOf(key), response: { output: GOOD } })) },
});

test.each<[string, unknown, string?]>([
  ['a JSON list', KEYS.map((key) => ({ case: key, output: GOOD }))],
  ['a log of Inspect', { eval: {}, samples: KEYS.map((id) => ({ id, output: { completion: GOOD } })) }],
  [
    'lines of any fields',
    `{"ids": ${JSON.stringify(KEYS)}, "said": "${GOOD}"}\n`,
    'case=$.ids,output=$.said',
  ],
  ['a table', `id,said\n${KEYS.map((key) => `${key},${GOOD}\n`).join('')}`, 'case=id,output=said'],
])('outputs of %s are gated', async (_, content, map = '') => {
  const { code, outputs, stdout } = await stepOf(content, { 'outputs-map': map });
  expect({ code, passed: outputs['passed-cases'], stdout }).toMatchObject({ code: 0, passed: '3' });
});

test('results of promptfoo are gated by the inputs that the suite shows; where it hides them, the step fails and nothing is sent', async () => {
  const before = await gate.runCount();
  const hidden = await stepOf(promptfoo(KEYS), { 'fail-on': 'aborted' });
  expect([hidden.code, hidden.outputs.verdict]).toEqual([2, 'error']);
  expect(hidden.commands.findLast(({ name }) => name === 'error')?.message).toContain('show_inputs');
  expect(await gate.runCount()).toBe(before);
  await gate.client.suites.update('bot', 'returns', { show_inputs: true });
  const { code, outputs } = await stepOf(promptfoo(KEYS));
  expect([code, outputs['passed-cases']]).toEqual([0, '3']);
  // A case without a result does not pass.
  expect((await stepOf(promptfoo(KEYS.slice(1)))).outputs).toMatchObject({ passed: 'false' });
});

test('keys that fit no case are named with the nearest one of the suite, whether others fit or not', async () => {
  await gate.client.suites.update('bot', 'returns', { show_inputs: true });
  const typo = { case: 'windo', output: GOOD };
  for (const content of [[typo], [typo, { case: 'refund', output: GOOD }]]) {
    const { commands, outputs } = await stepOf(content);
    expect(outputs.passed).toBe('false');
    expect(commands.map(({ message }) => message)).toContain('windo is no case of the suite: is it window?');
  }
});

import { beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { type Attributes, lineOf, ROOT, span } from '../importers/outputs/otlp.ts';
import { useGate, usePlace } from './cli.ts';

const url = sharedServiceUrl();
const gated = useGate();
const place = usePlace(() => ({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey }));

beforeAll(async () => {
  const { gate } = gated;
  const suite = await gate.suites.create('bot', { name: 'Deeds' });
  const { id } = await gate.scorers.create('bot', {
    name: 'Deletes nothing',
    type: 'trajectory',
    config: { calls: [], allow_extra: true, forbidden: ['delete_*'] },
  });
  await gate.cases.create(suite.id, { name: 'Refund A1', input: {}, scorer_id: id });
});

async function gatedRun(text: string) {
  place.file('outputs.json', text);
  const { code, stdout, stderr } = await place.cli(['run', 'deeds', '--outputs', 'outputs.json']);
  return { code, said: `${stdout}\n${stderr}` };
}

const answer = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.output.messages': '[{"role": "assistant", "parts": [{"type": "text", "content": "Done."}]}]',
};
const spans = (...given: readonly Attributes[]) =>
  lineOf([ROOT, ...given.map((attributes, at) => span(`root/s${at}`, [at * 10, at * 10 + 5], attributes))]);

test.each<[title: string, code: number, said: string, text: string]>([
  [
    'a forbidden call as a span of OpenInference',
    1,
    'forbidden: delete_account',
    spans({ 'openinference.span.kind': 'TOOL', 'tool.name': 'delete_account' }, answer),
  ],
  [
    'a forbidden call as a span of the AI SDK of Vercel',
    1,
    'forbidden: delete_account',
    spans({ 'ai.operationId': 'ai.toolCall', 'ai.toolCall.name': 'delete_account' }, answer),
  ],
  [
    'a call in a convention that is not read',
    2,
    'outputs.json:1:1: error: the trace t1 shows a call in langfuse.observation.type of the span "root/s0" (s0)',
    spans({ 'langfuse.observation.type': 'tool' }, answer),
  ],
  ['a span that shows nothing', 2, 'shows neither what was called nor what was answered', spans({})],
  [
    'an answer beside one that is not recorded',
    1,
    'warning: the trace t1 does not show whether a tool was called',
    spans({ 'gen_ai.operation.name': 'chat' }, answer),
  ],
  ['an answer without a call', 0, 'cleared', spans(answer)],
  [
    'a log of Inspect, whose calls are not read',
    1,
    'the output came without its trace',
    JSON.stringify({ eval: {}, samples: [{ id: 'refund-a1', output: { completion: 'Done.' } }] }),
  ],
  [
    'results of promptfoo, whose calls are not read',
    1,
    'the output came without its trace',
    JSON.stringify({
      results: [{ vars: {}, response: { output: [{ function: { name: 'delete_account' } }] } }],
    }),
  ],
])('the exit code and the sentence of a run are right for %s', async (_, code, said, text) => {
  expect(await gatedRun(text)).toEqual({ code, said: expect.stringContaining(said) });
});

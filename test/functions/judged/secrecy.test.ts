import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ApiAnswer } from '../../support/api.ts';
import { type Answer, content, failure, verdict } from '../../support/providers.ts';
import { ended, newClient, type ProcessStage, startStage } from '../../support/stage.ts';
import { makeKey } from '../byokKeys/keys.ts';
import { type JudgedGate, makeJudgedGate } from './gate.ts';

/** Of no run but this one, so that finding it anywhere means that it got there now. */
const RAW_KEY = `sk-proj-${'Qw7eRtYuIo2'.repeat(3)}${Date.now()}`;
const TELLING = RAW_KEY.slice(8);
const FORMS = [TELLING, TELLING.slice(0, 12), Buffer.from(TELLING).toString('hex')];

let stage: ProcessStage;
beforeAll(async () => {
  stage = await startStage({ LOG_LEVEL: 'debug', OPENAI_LOG: 'debug', ANTHROPIC_LOG: 'debug' });
});
afterAll(() => stage.stop());

const LEAKS: Record<string, Answer> = {
  'a key echoed in a 401': failure(401, { message: `Incorrect API key provided: ${RAW_KEY}.` }),
  'a key echoed in a 500': failure(500, {
    message: `${RAW_KEY} failed`,
    headers: { 'x-should-retry': 'false' },
  }),
  'a masked key': failure(400, { message: `${RAW_KEY.slice(0, 12)}***${RAW_KEY.slice(-4)}` }),
  'a key as the reason': verdict({ reasoning: `Your key is ${RAW_KEY}.` }),
  'a key as prose': content(`The key: ${RAW_KEY}`),
  'a key within the response': (_call, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-key': RAW_KEY });
    const message = { role: 'assistant', content: '{"reasoning":"Fine.","score":1}' };
    response.end(JSON.stringify({ [RAW_KEY]: [RAW_KEY], choices: [{ finish_reason: 'stop', message }] }));
  },
};

const expectNothingOfTheKey = (text: string | Buffer): void => {
  for (const form of FORMS) expect(text.includes(form)).toBe(false);
};

function filesOf(): Buffer[] {
  const names = readdirSync(stage.dataDir, { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => path.join(stage.dataDir, name)).filter((file) => statSync(file).isFile());
  return files.map((file) => readFileSync(file));
}

/** All that a client can read of a run. */
async function everythingAnswered(gate: JudgedGate): Promise<ApiAnswer[]> {
  const { client, suite, project } = gate;
  const body = { suite: suite.slug, project: project.slug, output: 'Paris' };
  const sent = await client('POST', '/v1/run', body);
  await ended(client, sent.body.id);
  return [
    sent,
    await client('GET', `/v1/runs/${sent.body.id}`),
    await client('GET', `/v1/runs/${sent.body.id}/results`),
  ];
}

test('a raw key is in no answer, log line or byte of the data folder, whatever the provider answers', async () => {
  const as = await newClient(stage);
  const key = await makeKey(as.client, { key: RAW_KEY });
  const answers = new Map(Object.entries(LEAKS).map(([name, answer]) => [name.replaceAll(' ', '-'), answer]));
  stage.providers.always('openai', (call, response) => answers.get(call.model)?.(call, response));
  for (const model of answers.keys()) {
    const gate = await makeJudgedGate(stage, { as, key: false, config: { model } });
    for (const { body, headers } of await everythingAnswered(gate))
      expectNothingOfTheKey(JSON.stringify([body, [...headers]]));
  }
  for (const answer of [failure(401, { message: RAW_KEY }), failure(500, { message: RAW_KEY })]) {
    stage.providers.always('openai', answer, 'list_models');
    const tested = await as.client('POST', `/v1/byok-keys/${key.id}/test`);
    expectNothingOfTheKey(JSON.stringify([tested.body, [...tested.headers]]));
  }
  // All of it was there to leak.
  expect(new Set(stage.providers.calls.map(({ apiKey }) => apiKey))).toEqual(new Set([RAW_KEY]));
  const files = filesOf();
  const { stdout, stderr } = await stage.service.stop();
  expect(stderr.includes('evaluator-evaluate')).toBe(true);
  for (const written of [stdout, stderr, ...files, ...filesOf()]) expectNothingOfTheKey(written);
});

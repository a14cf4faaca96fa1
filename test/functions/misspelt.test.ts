import { beforeAll, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../support/api.ts';
import { expectInvalid } from '../support/expectations.ts';

const NO_ID = '00000000-0000-4000-8000-000000000000';
let client: Api;
let suiteId: string;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  await client('POST', '/v1/projects', { name: 'Bot', slug: 'bot' });
  suiteId = (await client('POST', '/v1/projects/bot/suites', { name: 'Returns', slug: 'returns' })).body.data
    .id;
});

test.each<[string, string, object, string]>([
  [
    'treshold',
    'POST /v1/suites/:id/cases',
    { name: 'One', input: {}, expected: 'a', scorer_id: NO_ID, treshold: 0.9 },
    'threshold',
  ],
  [
    'mustPass',
    'POST /v1/suites/:id/cases',
    { name: 'One', input: {}, expected: 'a', scorer_id: NO_ID, mustPass: true },
    'must_pass',
  ],
  ['gate', 'POST /v1/projects/bot/suites', { name: 'Two', slug: 'two', gate: {} }, 'gates'],
  ['passThreshold', 'PATCH /v1/projects/bot/suites/returns', { passThreshold: 1 }, 'pass_threshold'],
  ['suite_digst', 'POST /v1/run', { suite: 'returns', output: 'a', suite_digst: 'sha256:0' }, 'suite_digest'],
  ['suiteDigest', 'POST /v1/run', { suite: 'returns', output: 'a', suiteDigest: 'sha256:0' }, 'suite_digest'],
  ['ouptut', 'POST /v1/run', { suite: 'returns', output: 'a', ouptut: 'b' }, 'output'],
])(
  'the field %s of %s is refused by its name, and the message names the intended one',
  async (name, route, body, intended) => {
    const [method = '', path = ''] = route.replace(':id', suiteId).split(' ');
    const answer = await client(method, path, body);
    expectInvalid(answer, name);
    expect(answer.body.error.details.issues[0].message).toBe(
      `is not known here: use ${intended}, or leave it out`,
    );
  },
);

test('a field that is not nearly a known one is ignored, however many there are', async () => {
  const others = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`note_${index}`, 0]));
  const answer = await client('PATCH', '/v1/projects/bot/suites/returns', { ...others, comment: 'x' });
  expect(answer.status).toBe(200);
});

test('a list or an object in a field of an output that is not read is refused: it may show calls', async () => {
  const item = { case: 'a', output: 'ok', trace: [], tool_calls: [{ function: { name: 'delete_account' } }] };
  const answer = await client('POST', '/v1/run', { suite: 'returns', outputs: [item] });
  expectInvalid(answer, 'outputs.0');
  expect(answer.body.error.details.issues[0].message).toContain(
    '"tool_calls", which is not read and may show calls',
  );
});

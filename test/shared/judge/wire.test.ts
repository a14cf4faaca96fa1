import { describe, expect, test } from '@jest/globals';
import { Secret } from '../../../shared/domain/byok/secret.ts';
import { createJudge } from '../../../shared/judge/judge.ts';
import { judgeSettingsFromEnv } from '../../../shared/judge/settings.ts';
import { failure, verdict } from '../../support/providers.ts';
import { ALL, KEY, startJudging } from './setup.ts';

const { providers, judgeOnce } = await startJudging();

const VERDICT_SCHEMA = {
  type: 'object',
  properties: { reasoning: { type: 'string' }, score: { type: 'number' } },
  required: ['reasoning', 'score'],
  additionalProperties: false,
};

describe.each(ALL)('%s', (provider) => {
  test("judges, and the outcome is the provider's", async () => {
    providers.next(provider, verdict({ score: 0.75, reasoning: 'One slip.' }));
    const { outcome } = await judgeOnce({ provider });
    expect(outcome).toMatchObject({
      kind: 'verdict',
      score: 0.75,
      reason: 'One slip.',
      usage: { input_tokens: 120, output_tokens: 30 },
    });
    expect(JSON.stringify(outcome)).toContain('standin');
    expect(outcome).not.toHaveProperty('precision');
    expect(providers.calls).toHaveLength(1);
  });

  test('sends all five inputs, the rubric and the scale, and no temperature', async () => {
    await judgeOnce({ provider });
    const { system, user, body } = providers.calls[0]!;
    for (const text of ['names the capital', '- 0 (wrong): Another town.', '- 1 (right): The capital.']) {
      expect(system).toContain(text);
    }
    for (const text of ['case-France', 'run-question', 'expected-Paris', 'output-Paris']) {
      expect(user).toContain(text);
      expect(system).not.toContain(text);
    }
    for (const sampling of ['temperature', 'top_p', 'top_k', 'stream'])
      expect(body).not.toHaveProperty(sampling);
  });

  test('wraps each input in delimiters of the call', async () => {
    const { trace } = await judgeOnce({ provider });
    const { user, system } = providers.calls[0]!;
    const [delimiter = ''] = trace.delimiters;
    expect(system).toContain(delimiter);
    expect(user.match(/^<<<(BEGIN|END) \w+ \w+>>>$/gm)).toEqual(
      ['run_input', 'case_input', 'expected', 'output'].flatMap((name) => [
        `<<<BEGIN ${name} ${delimiter}>>>`,
        `<<<END ${name} ${delimiter}>>>`,
      ]),
    );
  });

  test('asks for both sides of a dual-sided scorer and scores their F1', async () => {
    providers.next(provider, verdict({ precision: 1, recall: 0.5 }));
    const { outcome } = await judgeOnce({ provider, dualSided: true });
    expect(outcome).toMatchObject({ kind: 'verdict', precision: 1, recall: 0.5 });
    expect(outcome).toHaveProperty('score', expect.closeTo(2 / 3));
    const asked = JSON.stringify(providers.calls[0]?.body);
    expect(asked).toContain('["reasoning","precision","recall"]');
  });

  test('sends the key in its own header only, and nothing that the environment adds', async () => {
    const added = {
      OPENAI_CUSTOM_HEADERS: 'Authorization: Bearer operators-own\nx-operator: yes',
      ANTHROPIC_CUSTOM_HEADERS: 'Authorization: Bearer operators-own\nx-operator: yes',
      OPENAI_ORG_ID: 'org-operator',
      OPENAI_PROJECT_ID: 'proj-operator',
      OPENAI_API_KEY: 'operators-own',
      OPENAI_ADMIN_KEY: 'operators-own',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/nowhere',
      ANTHROPIC_AUTH_TOKEN: 'operators-own',
      ANTHROPIC_API_KEY: 'operators-own',
    };
    const before = { ...process.env };
    Object.assign(process.env, added);
    try {
      await judgeOnce({ provider });
    } finally {
      for (const name of Object.keys(added)) delete process.env[name];
      Object.assign(process.env, before);
    }
    const { headers } = providers.calls[0]!;
    const { host: _host, 'content-length': _length, ...sent } = headers;
    const credential = provider === 'azure_openai' ? { 'api-key': KEY } : { authorization: `Bearer ${KEY}` };
    const version = provider === 'anthropic' ? { 'anthropic-version': expect.any(String) } : {};
    expect(sent).toEqual({
      accept: 'application/json',
      'accept-encoding': 'identity',
      connection: 'keep-alive',
      'content-type': 'application/json',
      'user-agent': 'evalgate',
      ...credential,
      ...version,
    });
  });
});

describe('each in its own wire format', () => {
  test.each(['openai', 'google', 'azure_openai'] as const)('%s: a strict JSON schema', async (provider) => {
    await judgeOnce({ provider });
    expect(providers.calls[0]?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'verdict', strict: true, schema: VERDICT_SCHEMA },
    });
  });

  test.each([
    ['openai', 'max_completion_tokens'],
    ['azure_openai', 'max_completion_tokens'],
    ['google', 'max_tokens'],
    ['anthropic', 'max_tokens'],
  ] as const)('%s: %s is what a model writes within the time of the call', async (provider, limit) => {
    await judgeOnce({ provider }, {}, { callTimeoutMs: 45_000 });
    await judgeOnce({ provider }, {}, { callTimeoutMs: 60_000 });
    expect(providers.calls.map(({ body }) => body[limit])).toEqual([4_500, 6_000]);
  });

  test('anthropic: an output format', async () => {
    await judgeOnce({ provider: 'anthropic' });
    expect(providers.calls[0]?.body).toMatchObject({
      output_config: { format: { type: 'json_schema', schema: VERDICT_SCHEMA } },
    });
  });

  test('the reasoning comes before the figures', async () => {
    await judgeOnce();
    const { schema } = providers.calls[0]!.body.response_format.json_schema;
    expect(Object.keys(schema.properties)).toEqual(['reasoning', 'score']);
  });

  test('azure: deployment in the path, version in the query', async () => {
    await judgeOnce({ provider: 'azure_openai', model: providers.azureModel('gate-4') });
    expect(providers.calls[0]?.path).toBe(
      '/openai/deployments/gate-4/chat/completions?api-version=2025-04-01-preview',
    );
  });

  test.each([
    ['openai', 'gpt-5.4-mini'],
    ['anthropic', 'claude-sonnet-5-5'],
    ['google', 'gemini-3.8-flash'],
  ] as const)('%s: the default model is %s, and another can be named', async (provider, model) => {
    await judgeOnce({ provider });
    await judgeOnce({ provider, model: 'a-model-of-my-own' });
    expect(providers.calls.map((call) => call.model)).toEqual([model, 'a-model-of-my-own']);
  });

  test("anthropic's cached input counts as input", async () => {
    const usage = {
      input_tokens: 5,
      cache_creation_input_tokens: 7,
      cache_read_input_tokens: 11,
      output_tokens: 3,
    };
    providers.next('anthropic', (call, response) => {
      const content = [
        { type: 'thinking', thinking: '', signature: 's' },
        { type: 'text', text: '{"reasoning":"r","score":1}' },
      ];
      const message = {
        type: 'message',
        role: 'assistant',
        model: call.model,
        content,
        stop_reason: 'end_turn',
        usage,
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
    });
    const { outcome } = await judgeOnce({ provider: 'anthropic' });
    expect(outcome).toMatchObject({ kind: 'verdict', usage: { input_tokens: 23, output_tokens: 3 } });
  });
});

test.each(ALL)(
  '%s: a valid key, a rejected key and a failing provider give three different outcomes',
  async (provider) => {
    const azureDefault = { JUDGE_MODEL_AZURE_OPENAI: providers.azureModel() };
    const judge = createJudge(judgeSettingsFromEnv({ ...providers.env, ...azureDefault }));
    expect(await judge.testKey(provider, new Secret(KEY))).toEqual({ kind: 'tested', valid: true });
    expect(providers.calls).toMatchObject([{ operation: 'list_models', apiKey: KEY, method: 'GET' }]);
    providers.always(provider, failure(401), 'list_models');
    expect(await judge.testKey(provider, new Secret(KEY))).toEqual({ kind: 'tested', valid: false });
    providers.always(provider, failure(503), 'list_models');
    expect(await judge.testKey(provider, new Secret(KEY))).toMatchObject({
      kind: 'error',
      code: 'JUDGE_UNAVAILABLE',
    });
    expect(providers.calls).toHaveLength(3);
  },
);

test('a restricted key that may not list models is still a good key', async () => {
  const message = 'You have insufficient permissions for this operation. Missing scopes: api.model.read.';
  providers.always('openai', failure(403, { message }), 'list_models');
  const judge = createJudge(judgeSettingsFromEnv(providers.env));
  expect(await judge.testKey('openai', new Secret(KEY))).toEqual({ kind: 'tested', valid: true });
});

test('azure: a key cannot be tested without an endpoint of the deployment', async () => {
  const judge = createJudge(judgeSettingsFromEnv(providers.env));
  expect(await judge.testKey('azure_openai', new Secret(KEY))).toMatchObject({
    kind: 'error',
    code: 'MODEL_NOT_CONFIGURED',
  });
  expect(providers.calls).toHaveLength(0);
});

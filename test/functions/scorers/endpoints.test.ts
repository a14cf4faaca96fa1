import { beforeAll, describe, expect, test } from '@jest/globals';
import { HOSTILE_ENDPOINTS, NO_DEPLOYMENTS } from '../../shared/judge/hostileEndpoints.ts';
import { type Api, type ApiAnswer, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject, makeScorer } from '../../support/builders.ts';
import { expectData, expectInvalid } from '../../support/expectations.ts';

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let project: any;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
});

const judge = (model: string, _provider = 'azure_openai') => ({
  type: 'llm_judge',
  config: { rubric: 'Is the answer polite?', _provider, model },
});

const GOOD = judge('https://acme.openai.azure.com|gate');

const create = (fields: object) =>
  client('POST', `/v1/projects/${project.slug}/scorers`, { name: 'n', ...fields });

/** Refused by name, with what to write instead. */
function expectRefused(answer: ApiAnswer): void {
  expectInvalid(answer, 'config.model');
  const [{ message }] = answer.body.error.details.issues;
  expect(message).toMatch(/https:\/\/<resource>\.openai\.azure\.com|must not hold line breaks/);
}

const HOSTILE = [...HOSTILE_ENDPOINTS.map((endpoint) => `${endpoint}|gate`), ...NO_DEPLOYMENTS];

describe("a judge's Azure endpoint", () => {
  // biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
  let scorer: any;
  beforeAll(async () => {
    scorer = await makeScorer(client, project, GOOD);
  });

  test.each(HOSTILE)(
    'cannot be written as %j: neither when a scorer is made nor when it is changed',
    async (model) => {
      for (const provider of ['azure_openai', 'provider_a_cloud']) {
        expectRefused(await create(judge(model, provider)));
        const { config } = judge(model, provider);
        expectRefused(await client('PATCH', `/v1/scorers/${scorer.id}`, { name: 'Half', config }));
      }
      expectData(await client('GET', `/v1/scorers/${scorer.id}`), 200, scorer);
    },
  );

  test('cannot come in by way of another type or provider', async () => {
    const { config } = judge('https://attacker.com|gate', 'openai');
    const elsewhere = await makeScorer(client, project, { type: 'llm_judge', config });
    const azure = { config: { ...config, _provider: 'azure_openai' } };
    expectRefused(await client('PATCH', `/v1/scorers/${elsewhere.id}`, azure));
    const plain = await makeScorer(client, project);
    expectRefused(await client('PATCH', `/v1/scorers/${plain.id}`, { type: 'llm_judge', ...azure }));
  });

  test.each([
    'https://acme.openai.azure.com|gate',
    'https://acme.openai.azure.com/|gate',
    'HTTPS://Acme-2.OpenAI.Azure.com|gpt-5.4_mini',
    'https://acme.cognitiveservices.azure.com|gate',
    'https://acme.services.ai.azure.com|gate',
  ])('may be %s and is kept as it was written', async (model) => {
    const { body, status } = await create(judge(model));
    expect({ status, model: body.data?.config.model }).toEqual({ status: 201, model });
  });
});

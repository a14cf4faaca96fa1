import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Api, api } from '../../support/api.ts';
import { aRepository, type Repository } from '../../support/oidc.ts';
import { expectToken, type Keyless, startKeyless } from '../auth/keyless.ts';
import { PUSHER, pushing, workflowRef } from '../auth/pushing.ts';

let keyless: Keyless;
beforeAll(async () => {
  keyless = await startKeyless();
});
afterAll(() => keyless.stop());

const PATH = '/v1/projects/bot/suites/returns/definition';
const push = async (client: Api, pass_threshold: number): Promise<void> => {
  const definition = { version: 1, suite: 'returns', pass_threshold, scorers: {}, cases: [] };
  expect((await client('PUT', PATH, { definition, allow_weaker: true })).status).toBe(200);
};

test('an entry names the API key, also of a token made with it, or the repository by its id, as they were named then', async () => {
  const { org, repository, ask } = await pushing(keyless);
  const { baseUrl } = keyless.service;
  const made = (await org.client('POST', '/v1/api-keys', { name: 'Ada', scope: 'suites' })).body.data;
  const key = api(baseUrl, made.key);
  const renamed = { ...repository, name: aRepository().name };
  const job = async (as: Repository, run_id: string): Promise<Api> =>
    api(baseUrl, expectToken(await ask({ run_id, ...workflowRef(as) }, as)));
  await push(key, 0.5);
  await push(api(baseUrl, (await key('POST', '/v1/auth/token')).body.data.token), 0.6);
  await push(await job(repository, '71'), 0.7);
  await push(await job(renamed, '72'), 0.8);
  expect((await org.client('DELETE', `/v1/api-keys/${made.id}`)).status).toBe(204);
  const { id } = (await org.client('GET', '/v1/projects/bot/suites/returns')).body.data;
  const { data } = (await org.client('GET', `/v1/suites/${id}/changes`)).body;
  const jobNamed = (name: string) => ({
    type: 'github_actions',
    repository_id: repository.id,
    label: `${name}, .github/workflows/${PUSHER.workflow}`,
  });
  expect(data.map(({ by }: { by: unknown }) => by)).toMatchObject([
    jobNamed(renamed.name),
    jobNamed(repository.name),
    { type: 'token', key_id: made.id, label: 'Ada' },
    { type: 'api_key', key_id: made.id, label: 'Ada' },
  ]);
  const { last_push } = (await org.client('GET', '/v1/projects/bot/suites/returns')).body.data;
  expect(last_push.by).toEqual(data[0].by);
});

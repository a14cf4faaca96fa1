import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Bundle } from '../../../infra/aws/bundle/bundle.ts';
import { api } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { gatewayEvent, startCold } from '../../support/bundles.ts';
import { type EngineService, startEngineService, TABLE_NAME } from '../../support/ownService.ts';
import { sharedBundles } from '../../support/sharedBundles.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-cold-'));
let bundles: ReadonlyMap<string, Bundle>;
let service: EngineService;
let key: string;
let client: ReturnType<typeof api>;

beforeAll(async () => {
  [bundles, service] = await Promise.all([sharedBundles(), startEngineService()]);
  const { body } = await api(service.baseUrl)('POST', '/v1/auth/signup', { name: 'Cold' });
  ({ key } = body.data.api_key);
  client = api(service.baseUrl, key);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const variables = () => ({
  TABLE_NAME,
  DYNAMODB_ENDPOINT: service.endpoint,
  QUEUE_URL: 'http://127.0.0.1:9/000000000000/evaluations',
  // A machine busy with tests must not count as a failing table.
  RATE_LIMIT_WAIT_MS: '10000',
});

/** A copy of the bundle without its lazy chunks. */
function withoutLaterChunks({ folder: from, name, lazy }: Bundle) {
  const to = path.join(folder, `start-of-${name}`);
  cpSync(from, to, { recursive: true, filter: (file) => !lazy.has(path.basename(file)) });
  return { folder: to, name };
}

/** A run of a suite of one case for each of these scorers. */
async function aRunOf(output: string, ...scorers: readonly [type: string, config: object][]) {
  const project = await makeProject(client);
  const suite = await makeSuite(client, project);
  for (const [type, config] of scorers) {
    const scorer = await makeScorer(client, project, { type, config });
    await makeCase(client, suite, scorer, { expected: output });
  }
  return gatewayEvent({ key, body: { project: project.slug, suite: suite.slug, output } });
}

describe('a synchronous run', () => {
  test('by scorers of text needs nothing that is loaded later', async () => {
    const start = withoutLaterChunks(bundles.get('runs/create') as Bundle);
    const event = await aRunOf(
      'yes',
      ['exact_match', {}],
      ['contains', { values: ['yes'] }],
      ['regex', { pattern: 'y.s' }],
      ['similarity', { metric: 'levenshtein' }],
    );
    const { answer } = startCold(start, event, variables());
    expect(JSON.parse(answer.body)).toMatchObject({ status: 'cleared', passed_cases: 4 });
  });

  test.each<[string, object]>([
    ['json_schema', { schema: { type: 'object' } }],
    ['json_path', { assertions: [{ path: '$', op: 'exists' }] }],
  ])('by %s loads code of its own', async (type, config) => {
    const whole = bundles.get('runs/create') as Bundle;
    const event = await aRunOf('{}', [type, config]);
    expect(JSON.parse(startCold(whole, event, variables()).answer.body)).toMatchObject({ status: 'cleared' });
    expect(startCold(withoutLaterChunks(whole), event, variables()).answer.statusCode).toBe(500);
  });
});

test('only functions that write scorers load the schema checker', async () => {
  const whole = bundles.get('scorers/create') as Bundle;
  const { slug } = await makeProject(client);
  const scorer = (type: string, config: object) =>
    gatewayEvent({ key, pathParameters: { slug }, body: { name: 'A scorer', type, config } });
  const wrong = startCold(whole, scorer('json_schema', { schema: { type: 'objekt' } }), variables());
  expect(JSON.parse(wrong.answer.body).error.details.issues[0].path).toBe('config.schema.type');
  const plain = startCold(withoutLaterChunks(whole), scorer('exact_match', {}), variables());
  expect(plain.answer.statusCode).toBe(201);
});

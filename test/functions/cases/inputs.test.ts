import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';

const url = sharedServiceUrl();

let client: Api;
let runner: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let [project, scorer]: any[] = [];
beforeAll(async () => {
  client = await signUp(url);
  project = await makeProject(client);
  scorer = await makeScorer(client, project);
  const { body } = await client('POST', '/v1/api-keys', { name: 'CI', scope: 'run' });
  runner = api(url, body.data.key);
});

const pathOf = ({ id }: { id: string }, cursor?: string | null) =>
  `/v1/suites/${id}/inputs${cursor ? `?cursor=${cursor}` : ''}`;

async function pushed(definition: object) {
  const path = `/v1/projects/${project.slug}/suites/pushed`;
  const whole = { version: 1, suite: 'pushed', ...definition };
  const answer = await client('PUT', `${path}/definition`, {
    definition: whole,
    prune: true,
    allow_weaker: true,
  });
  expect([200, 201]).toContain(answer.status);
  return (await client('GET', path)).body.data;
}

const SCORERS = { eq: { type: 'exact_match', config: {} } };
const count = (length: number) =>
  Array.from({ length }, (_, index) => ({ key: `k${index}`, scorer: 'eq', input: { index } }));

describe('GET /v1/suites/:suiteId/inputs', () => {
  test('answers key, input and samples of active cases in their order, and nothing else, to any scope', async () => {
    const suite = await makeSuite(client, project, { show_inputs: true });
    const secret = { description: 'd', expected: 'secret', tags: ['t'], must_pass: true };
    await makeCase(client, suite, scorer, { key: 'b', input: { q: 1 }, ...secret, sample_count: 3 });
    await makeCase(client, suite, scorer, { key: 'off', is_active: false });
    const last = await makeCase(client, suite, scorer, { key: 'a', input: { q: 2 }, ...secret });
    await client('POST', `/v1/suites/${suite.id}/cases/reorder`, {
      case_ids: [
        last.id,
        ...(await client('GET', `/v1/suites/${suite.id}/cases`)).body.data
          .map(({ id }: { id: string }) => id)
          .filter((id: string) => id !== last.id),
      ],
    });
    const body = {
      data: [
        { case: 'a', input: { q: 2 }, samples: 1 },
        { case: 'b', input: { q: 1 }, samples: 3 },
      ],
      next_cursor: null,
    };
    for (const reader of [client, runner]) {
      expect(await reader('GET', pathOf(suite))).toMatchObject({ status: 200, body });
      expect((await reader('GET', pathOf(suite))).body).toEqual(body);
    }
  });

  test('is closed to scope run unless the suite sets show_inputs, which a suite of the API does not by itself', async () => {
    const suite = await makeSuite(client, project, {});
    await makeCase(client, suite, scorer, { input: { q: 'secret' } });
    const refused = await runner('GET', pathOf(suite));
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual({
      error: { code: 'SCOPE_REQUIRED', message: expect.stringContaining('set its show_inputs to true') },
    });
    expect((await client('GET', pathOf(suite))).body.data).toHaveLength(1);
  });

  test('is open to scope run for a suite that is pushed from a file, unless the file sets otherwise', async () => {
    const definition = { scorers: SCORERS, cases: count(1) };
    const suite = await pushed(definition);
    expect(suite.show_inputs).toBe(true);
    expect((await runner('GET', pathOf(suite))).body.data).toEqual([
      { case: 'k0', input: { index: 0 }, samples: 1 },
    ]);
    await pushed({ ...definition, show_inputs: false });
    expect((await runner('GET', pathOf(suite))).status).toBe(403);
  });

  test('goes on by its cursor until every case came once, and not after a change', async () => {
    const suite = await pushed({ scorers: SCORERS, cases: count(1_003) });
    const first = (await runner('GET', pathOf(suite))).body;
    expect(first.data).toHaveLength(1_000);
    const rest = (await runner('GET', pathOf(suite, first.next_cursor))).body;
    expect(rest.next_cursor).toBeNull();
    const keys = [...first.data, ...rest.data].map(({ case: key }: { case: string }) => key);
    expect(keys).toEqual(count(1_003).map(({ key }) => key));
    await pushed({ scorers: SCORERS, cases: count(1_002) });
    expect((await runner('GET', pathOf(suite, first.next_cursor))).body.error.code).toBe('VERSION_CONFLICT');
  });

  test('answers fewer cases where their texts are long, and all of them by its cursor', async () => {
    const suite = await makeSuite(client, project, { show_inputs: true });
    const input = { text: 'x'.repeat(250_000) };
    for (let index = 0; index < 18; index++)
      await makeCase(client, suite, scorer, { key: `k${index}`, input });
    const first = (await runner('GET', pathOf(suite))).body;
    const rest = (await runner('GET', pathOf(suite, first.next_cursor))).body;
    expect([first.data.length, rest.data.length]).toEqual([16, 2]);
  });

  test.each(['x', '1', '1.0', '1.-1', '1.2.3'])(
    'refuses the cursor %s, which no answer has',
    async (cursor) => {
      const suite = await makeSuite(client, project, {});
      expect((await client('GET', pathOf(suite, cursor))).body.error.details.issues).toEqual([
        { path: 'cursor', message: 'must be the next_cursor of an answer' },
      ]);
    },
  );
});

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Api, api } from '../../support/api.ts';
import { expectToken, type Keyless, startKeyless } from '../auth/keyless.ts';
import { type Pushing, pushing } from '../auth/pushing.ts';

/** Another writer comes between what a push has read and the write that puts it in force. */

let keyless: Keyless;
let pushed: Pushing;
beforeAll(async () => {
  keyless = await startKeyless();
});
beforeEach(async () => {
  pushed = await pushing(keyless);
  await put(pushed.org.client, definition(0.5));
});
afterEach(() => {
  for (const name of ['transact', 'update']) Reflect.deleteProperty(keyless.service.table, name);
});
afterAll(() => keyless.stop());

const PATH = '/v1/projects/bot/suites/returns/definition';
const definition = (pass_threshold: number) => ({
  version: 1,
  suite: 'returns',
  pass_threshold,
  scorers: { says: { type: 'contains', config: { values: ['30 days'] } } },
  cases: [{ key: 'window', scorer: 'says', input: {} }],
});
const put = (client: Api, sent: object, options: object = {}) =>
  client('PUT', PATH, { definition: sent, allow_weaker: true, ...options });
const job = async (run_id: string): Promise<Api> =>
  api(keyless.service.baseUrl, expectToken(await pushed.ask({ run_id })));
const read = async (path: string) => (await pushed.org.client('GET', path)).body.data;

/** `act` ends before the next push is committed or recorded. */
function overtakeWith(act: () => Promise<{ readonly status: number }>): void {
  const { table } = keyless.service;
  const transact = table.transact.bind(table);
  const update = table.update.bind(table);
  let isOvertaken = false;
  async function overtake(isFlip: boolean): Promise<void> {
    if (isOvertaken || !isFlip) return;
    isOvertaken = true;
    expect((await act()).status).toBe(200);
  }
  Object.assign(table, {
    async transact(...[writes, options]: Parameters<typeof transact>) {
      await overtake('head' in writes && 'project' in writes);
      return transact(writes, options);
    },
    async update(change: Parameters<typeof update>[0]) {
      await overtake(change.UpdateExpression?.startsWith('SET n = :n') === true);
      return update(change);
    },
  });
}

test.each(['cases', 'scorers'])(
  'a push that an edit of its %s overtakes ends with what was pushed, and not with a part of the edit',
  async (edited) => {
    const { client } = pushed.org;
    overtakeWith(async () => {
      if (edited === 'cases') {
        const suite = await read('/v1/projects/bot/suites/returns');
        const [{ id }] = await read(`/v1/suites/${suite.id}/cases`);
        return client('PATCH', `/v1/cases/${id}`, { weight: 3 });
      }
      const [{ id }] = await read('/v1/projects/bot/scorers');
      return client('PATCH', `/v1/scorers/${id}`, { config: { values: ['anything'] } });
    });
    const answer = await put(client, definition(0.9));
    expect(answer.body.data).toMatchObject({ applied: true });
    expect((await read(PATH)).definition).toMatchObject(definition(0.9));
    expect((await read(PATH)).definition.cases[0].weight ?? 1).toBe(1);
  },
);

test('a push of a job that a newer one overtakes, which changes nothing, is refused as stale', async () => {
  await put(await job('71'), definition(0.6));
  const [older, newer] = [await job('72'), await job('73')];
  overtakeWith(() => put(newer, definition(0.6)));
  const answer = await put(older, definition(0.9));
  expect([answer.status, answer.body.error?.code]).toEqual([409, 'STALE_PUSH']);
  expect((await read(PATH)).definition.pass_threshold).toBe(0.6);
});

test('a job that pushes what is there, and is overtaken by a push of something else, pushes it again', async () => {
  await put(await job('71'), definition(0.6));
  const unchanged = await job('72');
  overtakeWith(() => put(pushed.org.client, definition(0.9)));
  expect((await put(unchanged, definition(0.6))).body.data).toMatchObject({ applied: true });
  expect((await read(PATH)).definition.pass_threshold).toBe(0.6);
});

test('a job that pushes what is there, and is overtaken by a newer one that does, leaves that one the newest', async () => {
  await put(await job('71'), definition(0.6));
  const [older, newer, between] = [await job('72'), await job('74'), await job('73')];
  overtakeWith(() => put(newer, definition(0.6)));
  await put(older, definition(0.6));
  const answer = await put(between, definition(0.9));
  expect([answer.status, answer.body.error?.code]).toEqual([409, 'STALE_PUSH']);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { type Api, type ApiAnswer, api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { makeKey, newOrganisation } from '../apiKeys/organisation.ts';

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());

const SUITE = '/v1/projects/bot/suites/returns';
const PATH = `${SUITE}/definition`;

interface Said {
  readonly pass_threshold?: number;
  readonly max?: number;
  readonly cases?: readonly object[];
}
const CASES = [
  { key: 'window', scorer: 'fast', input: { q: 'How long?' }, expected: 'secret', must_pass: true },
  { key: 'price', scorer: 'fast', input: {} },
];
const saying = ({ pass_threshold = 0.9, max = 500, cases = CASES }: Said) => ({
  version: 1,
  suite: 'returns',
  pass_threshold,
  cases,
  scorers: { fast: { type: 'metric', config: { field: 'latency_ms', max } } },
});
const push = (client: Api, said: Said, options: object = {}): Promise<ApiAnswer> =>
  client('PUT', PATH, { definition: saying(said), ...options });
const isDone = ({ status }: ApiAnswer) => expect([200, 201, 204]).toContain(status);
const weakerOf = ({ body }: ApiAnswer) =>
  (body.error?.details.weaker ?? body.data.weaker).map(
    ({ kind, key }: { kind: string; key: string }) => `${kind} ${key}`,
  );

interface World {
  readonly owner: Api;
  readonly keeper: Api;
}

/** An organisation with a suite that is pushed. */
async function aPushedSuite(fields: object = {}): Promise<World> {
  const { client: owner } = await newOrganisation(service);
  await makeProject(owner, { slug: 'bot', ...fields });
  const keeper = api(service.baseUrl, (await makeKey(owner, { scope: 'suites' })).key);
  isDone(await push(owner, {}));
  return { owner, keeper };
}

const remove = async (client: Api) => isDone(await client('DELETE', SUITE));
const make = async (client: Api, fields: object = {}) =>
  isDone(await client('POST', '/v1/projects/bot/suites', { name: 'Returns', slug: 'returns', ...fields }));
const scorerId = async (client: Api) =>
  (await client('GET', '/v1/projects/bot/scorers?key=fast')).body.data[0].id;

const WAYS: readonly [string, (client: Api) => Promise<void>][] = [
  ['deleted', remove],
  [
    'deleted and made empty',
    async (client) => {
      await remove(client);
      await make(client, { pass_threshold: 0.1 });
    },
  ],
  [
    'deleted, made empty and deleted',
    async (client) => {
      await remove(client);
      await make(client);
      await remove(client);
    },
  ],
  [
    'deleted twice',
    async (client) => {
      await remove(client);
      isDone(await push(client, {}));
      await remove(client);
    },
  ],
];

test.each(WAYS)(
  'a suite that was %s is planned against what it was when it is pushed again',
  async (_, prepare) => {
    const { owner } = await aPushedSuite();
    await prepare(owner);
    const weaker: readonly [Said, string[]][] = [
      [{ pass_threshold: 0.5 }, ['suite returns']],
      [{ max: 900 }, ['scorer fast']],
      [{ cases: CASES.slice(0, 1) }, ['case price']],
      [{ cases: CASES.map((one) => ({ ...one, must_pass: false })) }, ['case window']],
    ];
    for (const [said, expected] of weaker) {
      const refused = await push(owner, said);
      expect([refused.status, refused.body.error?.code]).toEqual([409, 'WEAKER_BAR']);
      expect(weakerOf(refused)).toEqual(expect.arrayContaining(expected));
      const planned = await push(owner, said, { dry_run: true });
      expect(weakerOf(planned)).toEqual(weakerOf(refused));
      expect(planned.body.data.replaces).toEqual({
        suite_id: expect.any(String),
        deleted_at: expect.any(String),
      });
      expect(JSON.stringify(planned.body.data)).not.toContain('secret');
    }
    const same = await push(owner, {});
    expect(same).toMatchObject({ status: 200, body: { data: { applied: true, weaker: [] } } });
  },
);

test('a scorer that changed while no suite used it is compared with what it was', async () => {
  const { owner } = await aPushedSuite();
  await remove(owner);
  const changed = { config: { field: 'latency_ms', max: 9_000 } };
  isDone(await owner('PATCH', `/v1/scorers/${await scorerId(owner)}`, changed));
  expect(weakerOf(await push(owner, { max: 9_000 }))).toContain('scorer fast');
  expect((await push(owner, { max: 500 })).status).toBe(200);
});

test('a suite whose cases were all deleted may get weaker by any case', async () => {
  const { owner } = await aPushedSuite();
  isDone(await push(owner, { cases: [] }, { prune: true, allow_weaker: true }));
  expect(weakerOf(await push(owner, {}))).toEqual(['case window', 'case price']);
});

test('where weaker bars are for scope full, no credential of scope suites makes a deleted suite anew with one', async () => {
  const { owner, keeper } = await aPushedSuite({ weaker_pushes: 'full' });
  await remove(owner);
  const low = { pass_threshold: 0.1 };
  const refused = [
    await push(keeper, low, { allow_weaker: true }),
    await keeper('POST', '/v1/projects/bot/suites', { name: 'Returns', ...low }),
    await keeper('POST', '/v1/projects/bot/suites/from-template', {
      template_slug: 'json-schema-extraction',
      slug: 'returns',
    }),
  ];
  for (const { status, body } of refused) expect([status, body.error?.code]).toEqual([403, 'SCOPE_REQUIRED']);
  expect((await push(keeper, {})).status).toBe(200);
});

test('30 days after its deletion a suite is compared with nothing', async () => {
  const { owner } = await aPushedSuite();
  await remove(owner);
  service.clock.ms = Date.now() + 30 * DAY_MS;
  const { status, body } = await push(owner, { pass_threshold: 0.1 });
  expect([status, body.data.weaker, body.data.replaces]).toEqual([200, [], undefined]);
});

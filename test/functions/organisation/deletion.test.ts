import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sha256OfKey } from '../../../shared/domain/accounts/apiKey.ts';
import { DAY_MS, MINUTE_MS, timestamp } from '../../../shared/domain/time.ts';
import * as keys from '../../../shared/storage/table/keys.ts';
import type { Item, Table } from '../../../shared/storage/table/table.ts';
import { type Api, api } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { dyingAt } from '../../support/dyingAt.ts';
import { type EvaluatorByHand, evaluatorByHand } from '../../support/evaluatorByHand.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import {
  type PaymentProvider,
  type ProvidedSubscription,
  startPaymentProvider,
} from '../../support/paymentProvider.ts';
import { type TokenKey, tokenKeys } from '../../support/tokenKeys.ts';
import { deliver, eventOf, signatureOf } from '../../support/webhookEvents.ts';
import { makeKey, makeToken } from '../apiKeys/organisation.ts';
import { type Buyer, newSubscriber } from '../billing/buyer.ts';

/** The provider's events are signed now. */
const T0 = Math.floor(Date.now() / 1_000) * 1_000;
const DELETION = '/v1/organisation/deletion';
const { folder, keys: tokenKey } = tokenKeys(1);
const [signing] = tokenKey as [TokenKey];
let stripe: PaymentProvider;
let service: OwnService;
let evaluator: EvaluatorByHand;
beforeAll(async () => {
  stripe = await startPaymentProvider();
  service = await startOwnService({ ...stripe.env, TOKEN_KEY_FILES: signing.file });
  service.clock.ms = T0;
  evaluator = evaluatorByHand(service);
});
afterAll(async () => {
  await service.stop();
  await stripe.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface User extends Buyer {
  readonly subscription: ProvidedSubscription;
  readonly token: string;
  readonly runId: string;
  readonly suiteId: string;
  /** What no item of another organisation holds. */
  readonly traces: readonly string[];
}

/** An organisation that has used all there is, with an item of every kind. */
async function newUser(mark: string): Promise<User> {
  const buyer = await newSubscriber(service, stripe);
  const { client, orgId, key, customer } = buyer;
  const project = await makeProject(client, { name: mark });
  const scorer = await makeScorer(client, project, { type: 'contains', config: { values: [mark] } });
  const suite = await makeSuite(client, project, { name: mark, keep_outputs: 'all' });
  await makeCase(client, suite, scorer, { expected: mark });
  const body = { suite: suite.slug, output: `an output of ${mark}`, trigger_meta: { sha: 'a'.repeat(40) } };
  const run = await client('POST', '/v1/run', body, { 'idempotency-key': mark });
  const runId: string = run.body.id;
  await client('POST', '/v1/run', { ...body, async: true });
  await client('POST', `/v1/suites/${suite.id}/baselines`, { run_ids: [runId], reason: mark });
  for (const slug of ['left', 'gone']) {
    const other = await makeProject(client, { name: `${mark} ${slug}`, slug });
    await makeSuite(client, other, { name: `${mark} ${slug}` });
  }
  await client('DELETE', '/v1/projects/gone');
  await client('DELETE', `/v1/projects/left/suites/${encodeURIComponent(`${mark}-left`)}`);
  const another = await makeKey(client, { name: mark, expires_at: '2036-06-01T00:00:00.000Z' });
  await client('POST', '/v1/byok-keys', { provider: 'openai', key: `sk-${mark}`, is_default: true });
  for (const is_default of [true, false])
    await client('POST', '/v1/byok-keys', {
      provider: 'openai',
      key: `sk-${mark}`,
      is_default,
      project: project.slug,
    });
  await client('POST', '/v1/trusted-issuers', { repository: `${mark}/bot` });
  await putOthers(service.table, { orgId, suiteId: suite.id, project });
  const suites = (await service.items()).filter(({ pk }) => String(pk).startsWith(`ORG#${orgId}`));
  const ids = suites.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  const traces = [orgId, mark, customer, runId, sha256OfKey(key), sha256OfKey(another.key), ...ids];
  return { ...buyer, token: await makeToken(service, key), runId, suiteId: suite.id, traces };
}

interface Place {
  readonly orgId: string;
  readonly suiteId: string;
  readonly project: { readonly id: string };
}

/** Items of kinds that exist for a moment only. */
async function putOthers(table: Table, { orgId, suiteId }: Place): Promise<void> {
  const partition = keys.suitePartition(orgId, suiteId);
  const at = '2036-05-05T10:00:00.000Z';
  const some = [
    keys.usageKey(orgId, '2036-05', 2, undefined, 3),
    keys.overageKey(orgId, '2036-05'),
    keys.slotKey(orgId, 'openai', 1),
    keys.slotKey(orgId, 'seats:openai', 1),
    keys.openCasesKey(orgId),
    keys.waitingChunkKey(orgId, 'openai', { created_at: at, id: 'run_1' }, 0),
    keys.keyTestKey(orgId, 'a-test'),
    keys.dayRollupKey(orgId, suiteId, '2036-05-05', 3),
    keys.resultsKey(orgId, suiteId, 'token', { chunk: 0, part: 0 }),
    keys.outputsKey(orgId, suiteId, 'token', 0, 0),
    keys.chunkKey(orgId, suiteId, 'token', 0),
    keys.judgedKey(orgId, suiteId, 'token', 0, 0),
    keys.verdictKey(orgId, suiteId, 'digest'),
    keys.checkKey(partition),
    keys.commitKey(partition, 'a'.repeat(40)),
    keys.wrongAnswersKey(partition),
    keys.waiverKey(partition, { suite: 's', outputs: 'o' }, 1),
    keys.retentionDueKey(orgId),
    keys.signInKey(orgId),
    keys.endedSessionsKey(orgId, { issuer: 'https://login.example.com', subject: 'a person' }),
  ];
  for (const key of some) if ((await table.get(key)) === undefined) await table.put({ ...key });
}

const textOf = (item: Item): string =>
  JSON.stringify(item, (_, value) =>
    value instanceof Uint8Array || value?.type === 'Buffer' ? Buffer.from(value).toString('latin1') : value,
  );
const isOf = ({ traces }: Pick<User, 'traces'>, item: Item): boolean => {
  const text = textOf(item);
  return traces.some((trace) => text.includes(trace));
};
const itemsOf = async (user: Pick<User, 'traces'>) =>
  (await service.items()).filter((item) => isOf(user, item));
const kindOf = ({ pk, sk }: Item): string =>
  String(String(pk).startsWith('ORG#') ? sk : pk).replace(/#.*/, '');

/** All kinds of docs/items.md. */
const documented = (): Set<string> => {
  const text = readFileSync('docs/items.md', 'utf8');
  return new Set([...text.matchAll(/^- `([A-Z]+)/gm)].map(([, kind]) => kind ?? ''));
};
/** Of no organisation: they hold nothing of one but for a hash or an address, and expire within days. */
const SHARED = ['SPENTTOKEN', 'KEYSET', 'RATE', 'POSITION'];

const begin = (client: Api, organisation = 'A buyer') => client('POST', DELETION, { organisation });
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  body?.error?.code ?? status;

const at = (ms: number) => {
  service.clock.ms = ms;
};

/** The hourly purges until the organisation is gone. */
async function purgeWhole(fromMs: number): Promise<void> {
  for (let hour = 0; hour < 3; hour++) {
    at(fromMs + hour * 61 * MINUTE_MS);
    await evaluator.purge();
  }
}

describe('an organisation that used all there is', () => {
  let user: User;
  let other: User;
  let before: string[];
  let deletesAt: string;
  beforeAll(async () => {
    at(T0);
    user = await newUser('leaving');
    other = await newUser('staying');
    before = (await itemsOf(other)).map(textOf).sort();
  });

  test('has an item of every kind that docs/items.md lists, but for those of no organisation', async () => {
    const kinds = new Set((await itemsOf(user)).map(kindOf));
    // Without work that is listed somewhere, a page has no position.
    const missing = [...documented()].filter((kind) => !kinds.has(kind) && !SHARED.includes(kind));
    expect(missing).toEqual([]);
  });

  test('is deleted by its name or id only, by an API key of scope full of all projects', async () => {
    expect(await begin(user.client, 'Another')).toMatchObject({
      status: 400,
      body: { error: { details: { issues: [{ path: 'organisation' }] } } },
    });
    const suites = await makeKey(user.client, { scope: 'suites' });
    expect(codeOf(await begin(api(service.baseUrl, suites.key)))).toBe('SCOPE_REQUIRED');
    const bound = await makeKey(user.client, { project: 'left' });
    expect(codeOf(await begin(api(service.baseUrl, bound.key)))).toBe('NOT_FOUND');
    expect(codeOf(await begin(api(service.baseUrl, user.token)))).toBe('SCOPE_REQUIRED');
    expect(codeOf(await user.client('DELETE', `/v1/api-keys/${suites.id}`))).toBe(204);
    expect((await user.client('GET', '/v1/whoami')).body.data.organisation.deletes_at).toBeUndefined();
  });

  test('reads, and neither runs nor changes anything for seven days, with keys and tokens alike', async () => {
    const answer = await begin(user.client, user.orgId);
    deletesAt = answer.body.data.deletes_at;
    expect(Date.parse(deletesAt) - T0).toBe(7 * DAY_MS);
    for (const client of [user.client, api(service.baseUrl, user.token)]) {
      const { organisation } = (await client('GET', '/v1/whoami')).body.data;
      expect(organisation.deletes_at).toBe(deletesAt);
      expect((await client('GET', `/v1/runs/${user.runId}/results`)).status).toBe(200);
      const refused = await client('POST', '/v1/run', { suite: 'leaving', output: 'leaving' });
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'ORGANISATION_BEING_DELETED' } } });
      expect(refused.body.error.message).toContain(`until ${deletesAt} it can be read`);
      expect(codeOf(await client('DELETE', '/v1/projects/left'))).toBe('ORGANISATION_BEING_DELETED');
    }
    // Begun again it keeps its time.
    at(T0 + DAY_MS);
    expect((await begin(user.client)).body.data.deletes_at).toBe(deletesAt);
    expect(codeOf(await user.client('POST', '/v1/billing/portal'))).toBe(200);
  });

  test('is what it was when the deletion is taken back, and its log has both', async () => {
    expect((await user.client('DELETE', DELETION)).status).toBe(204);
    expect((await user.client('DELETE', DELETION)).status).toBe(204);
    const run = { suite: 'leaving', output: 'leaving' };
    expect((await user.client('POST', '/v1/run', run)).body.status).toBe('cleared');
    const { data } = (await user.client('GET', '/v1/changes')).body;
    const own = data.filter(({ target }: { target: { type: string } }) => target.type === 'organisation');
    expect(own.map(({ action }: { action: string }) => action)).toEqual(['restored', 'deleted']);
    await purgeWhole(T0 + 30 * DAY_MS);
    at(T0 + DAY_MS);
    expect((await user.client('POST', '/v1/run', run)).status).toBe(200);
  });

  test('leaves no byte in the table and no subscription, and nothing of another organisation changes', async () => {
    at(T0 + DAY_MS);
    await begin(user.client);
    at(T0 + 8 * DAY_MS - 1);
    await evaluator.purge();
    expect(codeOf(await user.client('GET', '/v1/whoami'))).toBe(200);
    expect(user.subscription.status).toBe('active');
    before = (await itemsOf(other)).map(textOf).sort();
    await purgeWhole(T0 + 8 * DAY_MS);
    expect(codeOf(await user.client('GET', '/v1/whoami'))).toBe('UNAUTHORIZED');
    expect(codeOf(await api(service.baseUrl, user.token)('GET', '/v1/projects'))).toBe('UNAUTHORIZED');
    expect(user.subscription.status).toBe('canceled');
    expect(other.subscription.status).toBe('active');
    const ended = eventOf('customer.subscription.deleted', { customer: user.customer });
    const signature = signatureOf(ended, { at: service.clock.ms ?? 0 });
    expect((await deliver(service.baseUrl, ended, { 'stripe-signature': signature })).status).toBe(200);
    expect((await itemsOf(user)).map(textOf)).toEqual([]);
    const unrelated = ({ pk }: Item) => pk !== 'PURGEDUE';
    const after = (await itemsOf(other)).map(textOf).sort();
    const isLater = (text: string): boolean => unrelated(JSON.parse(text) as Item);
    expect(after.filter(isLater)).toEqual(before.filter(isLater));
    expect(service.log.filter(({ code }) => code === 'organisation_deleted')).toMatchObject([
      { org_id: user.orgId },
    ]);
  });
});

test('every partition of keys.ts is one that the deletion drops, or of no organisation', () => {
  const source = readFileSync('shared/storage/table/keys.ts', 'utf8');
  const own = [...source.matchAll(/pk: [`']([A-Z]+)/g)].map(([, name]) => name ?? '');
  const dropped = ['APIKEY', 'CUSTOMER', 'SUBSCRIBER', 'PENDING', 'RETENTIONDUE', 'PURGEDUE'];
  expect([...new Set(own)].sort()).toEqual([...dropped, ...SHARED].sort());
  const below = [...source.matchAll(/\$\{org\(orgId\)\}#([A-Z]+)#/g)].map(([, name]) => name);
  expect(below).toEqual(['PROJECT', 'SUITE']);
});

test.each([true, false])(
  'a purge that dies at any write goes on where it stopped (the last write done: %s)',
  async (isDone) => {
    at(T0);
    const user = await newUser(`dying-${isDone}`);
    await begin(user.client);
    at(T0 + 7 * DAY_MS);
    for (let write = 1; (await itemsOf(user)).length > 0; write += 1 + Math.floor(write / 3)) {
      at((service.clock.ms ?? 0) + 61 * MINUTE_MS);
      await evaluator.purge(dyingAt(service.table, { write, isDone }));
      expect(write).toBeLessThan(5_000);
    }
    expect(user.subscription.status).toBe('canceled');
  },
);

test('no item is dropped while the payment provider fails, since its subscription would be billed on', async () => {
  at(T0);
  const user = await newUser('billed');
  await begin(user.client);
  stripe.hooks.fault = 'down';
  await purgeWhole(T0 + 7 * DAY_MS);
  stripe.hooks.fault = undefined;
  expect(codeOf(await user.client('GET', `/v1/suites/${user.suiteId}`))).toBe(200);
  // It is too late to take it back.
  expect(codeOf(await user.client('DELETE', DELETION))).toBe('NOT_FOUND');
  await purgeWhole(T0 + 8 * DAY_MS);
  expect(user.subscription.status).toBe('canceled');
  expect((await itemsOf(user)).map(textOf)).toEqual([]);
});

test.each([
  ['begin', 'ORGANISATION_BEING_DELETED'],
  ['be taken back', 200],
])(
  'keys that died uninformed of a deletion that did %s are informed by the next purge',
  async (what, code) => {
    at(T0);
    const user = await newUser(`uninformed-${what.length}`);
    const key = keys.apiKeyKey(sha256OfKey(user.key));
    await begin(user.client);
    if (what !== 'begin') await user.client('DELETE', DELETION);
    const change = what === 'begin' ? 'REMOVE deletes_at' : 'SET deletes_at = :at';
    await service.table.update({
      Key: key,
      UpdateExpression: change,
      ...(what !== 'begin' && { ExpressionAttributeValues: { ':at': timestamp(T0 + 7 * DAY_MS) } }),
    });
    await evaluator.purge();
    const run = { suite: `uninformed-${what.length}`, output: `uninformed-${what.length}` };
    expect(codeOf(await user.client('POST', '/v1/run', run))).toBe(code);
  },
);

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Project } from '../../../shared/contracts/projects.ts';
import { byokKeyKey } from '../../../shared/storage/table/keys.ts';
import { type Api, api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectInvalid, expectNotFound } from '../../support/expectations.ts';
import { type EngineService, startEngineService } from '../../support/ownService.ts';
import { makeKey as makeApiKey, newOrganisation, type Organisation } from '../apiKeys/organisation.ts';
import { addKey, keysOf, makeKey } from './keys.ts';

let service: EngineService;
let organisation: Organisation;
let client: Api;
let [mine, other]: Project[] = [];
/** A key of scope `full` that is bound to the first project. */
let bound: Api;
beforeAll(async () => {
  service = await startEngineService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  organisation = await newOrganisation(service);
  client = organisation.client;
  mine = await makeProject(client, { name: 'Mine', slug: 'mine' });
  other = await makeProject(client, { name: 'Other', slug: 'other' });
  bound = api(service.baseUrl, (await makeApiKey(client, { project: 'mine' })).key);
});

const idsOf = async (sender: Api, project?: string) => {
  const { body } = await sender('GET', `/v1/byok-keys${project ? `?project=${project}` : ''}`);
  return body.data.map(({ id }: { id: string }) => id);
};
/** A deleted one is hidden, and has no ciphertext. */
const storedOf = async ({ id }: { id: string }) => {
  const { pk, sk } = byokKeyKey(organisation.id, id);
  const [item] = await service.table.query({ pk, prefix: sk }, { withExpired: true });
  return { isHidden: item?.deleted_at !== undefined, isSealed: item?.ciphertext !== undefined };
};

test('keys of the organisation and of each project are listed apart, each with a default of its own', async () => {
  const own = await makeKey(client, { is_default: true });
  const first = await makeKey(client, { project: 'mine', is_default: true });
  const second = await makeKey(client, { project: 'mine', is_default: true });
  const others = await makeKey(client, { project: 'other' });
  expect([own, first, others].map(({ project_id }) => project_id)).toEqual([null, mine?.id, other?.id]);
  expect(await idsOf(client)).toEqual([own.id]);
  expect(await idsOf(client, 'mine')).toEqual([second.id, first.id]);
  expect(await idsOf(client, 'other')).toEqual([others.id]);
  const { body } = await client('GET', '/v1/byok-keys?project=mine');
  expect(body.data.map(({ is_default }: { is_default: boolean }) => is_default)).toEqual([true, false]);
  expect((await keysOf(client))[0].is_default).toBe(true);
});

test('a credential that is bound to a project manages the keys of that one, and finds no others', async () => {
  const own = await makeKey(client);
  const others = await makeKey(client, { project: 'other' });
  const made = await makeKey(bound, { project: 'mine' });
  expect(await idsOf(bound, 'mine')).toEqual([made.id]);
  const answers = [
    await addKey(bound),
    await addKey(bound, { project: 'other' }),
    await bound('GET', '/v1/byok-keys'),
    await bound('GET', '/v1/byok-keys?project=other'),
    await bound('DELETE', `/v1/byok-keys/${own.id}`),
    await bound('DELETE', `/v1/byok-keys/${others.id}`),
    await bound('POST', `/v1/byok-keys/${others.id}/test`),
  ];
  for (const answer of answers) expectNotFound(answer);
  expect((await bound('DELETE', `/v1/byok-keys/${made.id}`)).status).toBe(204);
  expect(await idsOf(client)).toEqual([own.id]);
  expect(await idsOf(client, 'other')).toEqual([others.id]);
});

test.each(['run', 'read', 'suites'])(
  'a credential of scope %s that is bound to the project reaches none of its keys',
  async (scope) => {
    const { id } = await makeKey(client, { project: 'mine' });
    const lesser = api(service.baseUrl, (await makeApiKey(client, { project: 'mine', scope })).key);
    const answers = [
      await addKey(lesser, { project: 'mine' }),
      await lesser('GET', '/v1/byok-keys?project=mine'),
      await lesser('DELETE', `/v1/byok-keys/${id}`),
      await lesser('POST', `/v1/byok-keys/${id}/test`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(await idsOf(client, 'mine')).toEqual([id]);
  },
);

test('a project of another organisation, or none, takes no key', async () => {
  const stranger = await newOrganisation(service);
  for (const project of ['mine', 'nowhere']) expectNotFound(await addKey(stranger.client, { project }));
  expect(await idsOf(client, 'mine')).toEqual([]);
});

test('a project holds at most 20 keys, however many are stored at once, and its organisation 100 beside them', async () => {
  const answers = await Promise.all(Array.from({ length: 23 }, () => addKey(client, { project: 'mine' })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  for (const refused of answers.filter(({ status }) => status !== 201)) expectInvalid(refused, 'body');
  await makeKey(client);
  await makeKey(client, { project: 'other' });
});

test('creating and revoking the key of a project are entries of the log of the project', async () => {
  const { id } = await makeKey(client, { project: 'mine', name: 'Team' });
  await client('DELETE', `/v1/byok-keys/${id}`);
  const { body } = await client('GET', '/v1/projects/mine/changes');
  const entries = body.data.filter(({ target }: { target: { type: string } }) => target.type === 'byok_key');
  expect(entries.map(({ action, target }: { action: string; target: object }) => [action, target])).toEqual([
    ['revoked', { type: 'byok_key', id, name: 'Team' }],
    ['created', { type: 'byok_key', id, name: 'Team' }],
  ]);
});

test('deleting a project destroys its keys, at most 20, and no others', async () => {
  const keys = [];
  for (let nth = 0; nth < 20; nth++)
    keys.push(await makeKey(client, { project: 'mine', is_default: nth === 5 }));
  const left = [await makeKey(client), await makeKey(client, { project: 'other' })];
  expect((await client('DELETE', '/v1/projects/mine')).status).toBe(204);
  for (const key of keys) expect(await storedOf(key)).toEqual({ isHidden: true, isSealed: false });
  for (const key of left) expect(await storedOf(key)).toEqual({ isHidden: false, isSealed: true });
  expectNotFound(await client('DELETE', `/v1/byok-keys/${keys[0].id}`));
  const items = (await service.items()).filter(({ sk }) => String(sk).includes(mine?.id ?? '-'));
  expect(items.filter(({ sk }) => /^(?:BYOKDEFAULT|LIST#BYOK)/.test(String(sk)))).toEqual([]);
});

test('of keys that are stored and revoked while their project is deleted none is left', async () => {
  for (let round = 0; round < 5; round++) {
    const slug = `round-${round}`;
    await makeProject(client, { name: slug, slug });
    const first = await makeKey(client, { project: slug });
    const [deleted, ...made] = await Promise.all([
      client('DELETE', `/v1/projects/${slug}`),
      addKey(client, { project: slug, is_default: true }),
      addKey(client, { project: slug }),
      client('DELETE', `/v1/byok-keys/${first.id}`),
    ]);
    expect(deleted.status).toBe(204);
    const keys = made.flatMap(({ status, body }) => (status === 201 ? [body.data] : []));
    for (const key of [first, ...keys])
      expect(await storedOf(key)).toEqual({ isHidden: true, isSealed: false });
  }
});

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { timestamp } from '../../../shared/domain/time.ts';
import { api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectInvalid, expectNotFound, TIMESTAMP, UUID } from '../../support/expectations.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { NAMES, SLUGS, testFields } from '../../support/rules.ts';
import { tokenKeys } from '../../support/tokenKeys.ts';
import { makeKey, makeToken, newOrganisation, type Organisation, statusFor } from './organisation.ts';

const { folder, keys } = tokenKeys(1);
let service: OwnService;
let organisation: Organisation;
beforeAll(async () => {
  service = await startOwnService({ TOKEN_KEY_FILES: String(keys[0]?.file) });
  organisation = await newOrganisation(service);
});
beforeEach(() => {
  service.clock.ms = undefined;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

const create = (body: unknown) => organisation.client('POST', '/v1/api-keys', body);
const listed = async () => (await organisation.client('GET', '/v1/api-keys?pageSize=100')).body.data;

describe('POST /v1/api-keys', () => {
  test('makes a key for everything, which is shown once and works at once', async () => {
    const answer = await create({ name: '  Nightly 🌙 ' });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 201,
      body: {
        data: {
          id: UUID,
          name: 'Nightly 🌙',
          key: expect.stringMatching(/^egk_[0-9A-Za-z]{49}$/),
          key_prefix: answer.body.data.key.slice(0, 12),
          project_id: null,
          scope: 'full',
          expires_at: null,
          last_used_at: null,
          created_at: TIMESTAMP,
          created_by: { type: 'api_key', key_id: organisation.first.id, label: organisation.first.name },
        },
      },
    });
    const { key, ...shown } = answer.body.data;
    expect(await statusFor(service, key)).toBe(200);
    expect(await listed()).toContainEqual({ ...shown, last_used_at: TIMESTAMP });
  });

  test('keeps nothing that the key could be made of again', async () => {
    const { key } = await makeKey(organisation.client);
    await statusFor(service, key);
    const kept = JSON.stringify([await service.items(), service.log]);
    expect(kept).toContain(key.slice(0, 12));
    expect(kept).not.toContain(key.slice(0, 13));
    expect(kept).not.toContain(key.slice(-10));
  });

  test('binds a key to one project by its slug', async () => {
    const project = await makeProject(organisation.client, { slug: 'bound-to' });
    for (const scope of ['run', 'suites', 'full']) {
      const made = await makeKey(organisation.client, { project: 'bound-to', scope });
      expect(made).toMatchObject({ project_id: project.id, scope });
    }
  });

  test('takes any way to write a time, and keeps it in UTC to the millisecond', async () => {
    service.clock.ms = Date.parse('2030-01-01T00:00:00Z');
    const kept = async (expires_at: unknown) =>
      (await makeKey(organisation.client, { expires_at })).expires_at;
    expect(await kept('2030-06-01T12:00:00Z')).toBe('2030-06-01T12:00:00.000Z');
    expect(await kept('2030-06-01T12:00:00.5+02:00')).toBe('2030-06-01T10:00:00.500Z');
    expect(await kept('2030-01-01T00:00:00.001Z')).toBe('2030-01-01T00:00:00.001Z');
    expect(await kept(null)).toBeNull();
  });

  test('refuses every field that is not the caller’s to say, and makes no key', async () => {
    const fields = {
      id: 'x',
      key: 'egk_mine',
      org_id: 'x',
      plan: 'enterprise',
      project_id: 'x',
      sha256: 'x',
    };
    const { total } = (await organisation.client('GET', '/v1/api-keys')).body.pagination;
    expectInvalid(await create({ name: 'Key', ...fields }), ...Object.keys(fields));
    expect((await organisation.client('GET', '/v1/api-keys')).body.pagination.total).toBe(total);
  });

  testFields((fields) => create({ name: 'Key', ...fields }), {
    name: { bad: NAMES.bad },
    project: { bad: SLUGS.bad },
  });

  test('knows no project that is not there, or another organisation’s', async () => {
    await makeProject((await newOrganisation(service)).client, { slug: 'theirs' });
    const answers = [
      await create({ name: 'Key', project: 'nowhere' }),
      await create({ name: 'Key', project: 'theirs' }),
    ];
    for (const answer of answers) expectNotFound(answer);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });

  test.each(['admin', 'FULL', '', null, 1, ['full']])('refuses the scope %j', async (scope) => {
    expectInvalid(await create({ name: 'Key', scope }), 'scope');
  });

  test.each([
    ['a text', 'tomorrow'],
    ['a day', '2099-01-01'],
    ['without a zone', '2099-01-01T00:00:00'],
    ['no day of the calendar', '2031-02-29T00:00:00Z'],
    ['a number', 4_102_444_800_000],
    ['true', true],
    ['past', timestamp(Date.now() - 1)],
    ['more than ten years away', timestamp(Date.now() + 3_654 * 86_400_000)],
  ])('refuses an expiry that is %s', async (_, expires_at) => {
    expectInvalid(await create({ name: 'Key', expires_at }), 'expires_at');
  });

  test('refuses an expiry that is this very moment', async () => {
    service.clock.ms = Date.parse('2030-01-01T00:00:00Z');
    expectInvalid(await create({ name: 'Key', expires_at: '2030-01-01T00:00:00.000Z' }), 'expires_at');
  });

  test('is for keys of the organisation: a token makes none, whatever the key it was made for', async () => {
    const token = await makeToken(service, organisation.first.key);
    const before = (await listed()).length;
    const answer = await api(service.baseUrl, token)('POST', '/v1/api-keys', { name: 'More' });
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({
      status: 403,
      code: 'SCOPE_REQUIRED',
    });
    expect(await listed()).toHaveLength(before);
  });

  test('leaves a line in the log with ids and without the key, at sign-up too', async () => {
    const { id, client, first } = await newOrganisation(service);
    const made = await makeKey(client, { scope: 'run' });
    const lines = service.log.filter(({ code, org_id }) => code === 'api_key_created' && org_id === id);
    const line = { level: 'info', code: 'api_key_created', org_id: id, project_id: null };
    expect(lines).toEqual([
      { ...line, key_id: first.id, scope: 'full', by: null },
      { ...line, key_id: made.id, scope: 'run', by: { type: 'api_key', key_id: first.id } },
    ]);
    for (const { key } of [first, made]) expect(JSON.stringify(service.log)).not.toContain(key.slice(12));
  });
});

test('at the limit a new key takes the place of the one that expired first, and of no key that works', async () => {
  const { client } = await newOrganisation(service);
  service.clock.ms = Date.parse('2030-01-01T00:00:00Z');
  const ids = async (): Promise<string[]> =>
    (await client('GET', '/v1/api-keys?pageSize=100')).body.data.map(({ id }: { id: string }) => id).sort();
  const ending = (second: number) => makeKey(client, { expires_at: `2030-01-01T00:00:0${second}Z` });
  const [third, first, second] = [await ending(3), await ending(1), await ending(2)];
  while ((await ids()).length < 50) await makeKey(client);
  let expected = await ids();
  expectInvalid(await client('POST', '/v1/api-keys', { name: 'Too early' }), 'name');

  service.clock.ms = Date.parse('2030-01-01T00:00:02Z');
  const replaced = (by: string, gone: string) => [...expected.filter((id) => id !== gone), by].sort();
  for (const gone of [first, second]) {
    expected = replaced((await makeKey(client)).id, gone.id);
    expect(await ids()).toEqual(expected);
  }
  expectInvalid(await client('POST', '/v1/api-keys', { name: 'One more' }), 'name');
  expect(await ids()).toEqual(expected);
  expect(await statusFor(service, third.key)).toBe(200);
});

test('an organisation has at most 50 keys, however many it requests at once; a revoked one makes room', async () => {
  const { client } = await newOrganisation(service);
  const answers = await Promise.all(
    Array.from({ length: 55 }, (_, nth) => client('POST', '/v1/api-keys', { name: `Key ${nth}` })),
  );
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(49);
  for (const refused of answers.filter(({ status }) => status !== 201)) expectInvalid(refused, 'name');
  expect(new Set(made.map(({ body }) => body.data.key)).size).toBe(49);
  expect((await client('GET', '/v1/api-keys')).body.pagination.total).toBe(50);
  expect((await client('DELETE', `/v1/api-keys/${made[0]?.body.data.id}`)).status).toBe(204);
  await makeKey(client);
  expectInvalid(await client('POST', '/v1/api-keys', { name: 'One more' }), 'name');
});

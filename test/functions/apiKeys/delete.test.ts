import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sha256OfKey } from '../../../shared/domain/accounts/apiKey.ts';
import { apiKeyKey } from '../../../shared/storage/table/keys.ts';
import { api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectInvalid, expectNoContent, expectNotFound } from '../../support/expectations.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { tokenKeys } from '../../support/tokenKeys.ts';
import { makeKey, makeToken, newOrganisation, statusFor } from './organisation.ts';

const { folder, keys } = tokenKeys(1);
let service: OwnService;
beforeAll(async () => {
  service = await startOwnService({ TOKEN_KEY_FILES: String(keys[0]?.file) });
});
beforeEach(() => {
  service.clock.ms = undefined;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

const pathOf = ({ id }: { readonly id: string }): string => `/v1/api-keys/${id}`;

describe('DELETE /v1/api-keys/:keyId', () => {
  test('ends the key and every token made with it: their next request is a 401', async () => {
    const { client } = await newOrganisation(service);
    const doomed = await makeKey(client);
    const tokens = [await makeToken(service, doomed.key), await makeToken(service, doomed.key)];
    for (const credential of [doomed.key, ...tokens]) expect(await statusFor(service, credential)).toBe(200);
    expectNoContent(await client('DELETE', pathOf(doomed)));
    for (const credential of [doomed.key, ...tokens]) expect(await statusFor(service, credential)).toBe(401);
    expect((await api(service.baseUrl, doomed.key)('POST', '/v1/auth/token')).status).toBe(401);
    expect((await client('GET', '/v1/api-keys')).body.pagination.total).toBe(1);
  });

  test('leaves the organisation’s other keys and their tokens alone', async () => {
    const { client, first } = await newOrganisation(service);
    const [doomed, kept] = [await makeKey(client), await makeKey(client)];
    const token = await makeToken(service, kept.key);
    await client('DELETE', pathOf(doomed));
    for (const credential of [first.key, kept.key, token])
      expect(await statusFor(service, credential)).toBe(200);
  });

  test('knows a key by its id in upper case too, and once only', async () => {
    const { client } = await newOrganisation(service);
    const { id } = await makeKey(client);
    expectNoContent(await client('DELETE', pathOf({ id: id.toUpperCase() })));
    expectNotFound(await client('DELETE', pathOf({ id })));
  });

  test('knows no key of another organisation', async () => {
    const [{ client }, theirs] = [await newOrganisation(service), await newOrganisation(service)];
    const another = await makeKey(theirs.client);
    const absent = await client('DELETE', pathOf({ id: randomUUID() }));
    expectNotFound(absent);
    for (const key of [another, theirs.first]) {
      expect((await client('DELETE', pathOf(key))).body).toEqual(absent.body);
      expect(await statusFor(service, key.key)).toBe(200);
    }
  });

  test('lets a key revoke itself while another one can manage the organisation', async () => {
    const { client, first } = await newOrganisation(service);
    const heir = await makeKey(client);
    expectNoContent(await client('DELETE', pathOf(first)));
    expect(await statusFor(service, heir.key)).toBe(200);
  });

  test('leaves a line in the log', async () => {
    const { id, client, first } = await newOrganisation(service);
    const doomed = await makeKey(client);
    await client('DELETE', pathOf({ id: randomUUID() }));
    await client('DELETE', pathOf(doomed));
    expect(service.log.filter(({ code, org_id }) => code === 'api_key_revoked' && org_id === id)).toEqual([
      {
        level: 'info',
        code: 'api_key_revoked',
        org_id: id,
        key_id: doomed.id,
        by: { type: 'api_key', key_id: first.id },
      },
    ]);
  });
});

describe('the last key that may manage an organisation', () => {
  test('stays, with a word on what to do first', async () => {
    const { client, first } = await newOrganisation(service);
    const answer = await client('DELETE', pathOf(first));
    expectInvalid(answer, 'keyId');
    expect(answer.body.error.details.issues[0].message).toMatch(
      /first create another one that expires no earlier/,
    );
    expect(await statusFor(service, first.key)).toBe(200);
  });

  test('stays beside any number of keys that may not', async () => {
    const { client, first } = await newOrganisation(service);
    const { slug } = await makeProject(client);
    const now = Date.parse('2030-01-01T00:00:00Z');
    service.clock.ms = now;
    const expires_at = new Date(now + 1_000).toISOString();
    const others = [{ scope: 'run' }, { scope: 'suites' }, { project: slug }, { expires_at }];
    for (const fields of others) await makeKey(client, fields);
    service.clock.ms = now + 1_000;
    expectInvalid(await client('DELETE', pathOf(first)), 'keyId');
    for (const { id } of (await client('GET', '/v1/api-keys')).body.data) {
      if (id !== first.id) expectNoContent(await client('DELETE', pathOf({ id })));
    }
  });

  test('stays beside keys that end before it does: revoking shortens no time that there is to manage', async () => {
    const { client, first } = await newOrganisation(service);
    service.clock.ms = Date.parse('2030-01-01T00:00:00Z');
    const day = (nth: number) => makeKey(client, { expires_at: `2030-01-0${nth}T00:00:00Z` });
    const [second, third, sameDay] = [await day(2), await day(3), await day(3)];
    expectInvalid(await client('DELETE', pathOf(first)), 'keyId');
    expect(await statusFor(service, first.key)).toBe(200);
    for (const key of [second, third, sameDay]) expectNoContent(await client('DELETE', pathOf(key)));

    const heir = await makeKey(client);
    expectNoContent(await client('DELETE', pathOf(first)));
    expect(await statusFor(service, heir.key)).toBe(200);
  });

  test('stays, too, where none but keys that end are left', async () => {
    const { client, first } = await newOrganisation(service);
    service.clock.ms = Date.parse('2030-01-01T00:00:00Z');
    const [early, late] = [
      await makeKey(client, { expires_at: '2030-02-01T00:00:00Z' }),
      await makeKey(client, { expires_at: '2030-02-01T00:00:00.001Z' }),
    ];
    // No endpoint takes the lasting key away.
    await service.table.transact({ key: { Delete: { Key: apiKeyKey(sha256OfKey(first.key)) } } });
    const by = api(service.baseUrl, early.key);
    expectInvalid(await by('DELETE', pathOf(late)), 'keyId');
    expectNoContent(await by('DELETE', pathOf(early)));
    expectInvalid(await api(service.baseUrl, late.key)('DELETE', pathOf(late)), 'keyId');
  });

  test('stays when the last two revoke each other, or themselves, at once', async () => {
    for (let round = 0; round < 8; round++) {
      const { client, first } = await newOrganisation(service);
      const second = await makeKey(client);
      const other = api(service.baseUrl, second.key);
      const [one, two] = round % 2 === 0 ? [first, second] : [second, first];
      const answers = await Promise.all([client('DELETE', pathOf(one)), other('DELETE', pathOf(two))]);
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses[0]).toBe(204);
      // 401: the key was revoked before its request was authenticated.
      expect([400, 401]).toContain(statuses[1]);
      const left = await Promise.all([first, second].map(({ key }) => statusFor(service, key)));
      expect(left.sort()).toEqual([200, 401]);
    }
  });
});

test('revoking a key while it is used lets nothing in afterwards', async () => {
  const { client } = await newOrganisation(service);
  const doomed = await makeKey(client);
  let revoked = false;
  const late: number[] = [];
  const using = Array.from({ length: 4 }, async () => {
    for (;;) {
      const startedAfter = revoked;
      const status = await statusFor(service, doomed.key);
      if (!startedAfter) continue;
      late.push(status);
      return;
    }
  });
  await client('DELETE', pathOf(doomed));
  revoked = true;
  await Promise.all(using);
  expect(late).toEqual([401, 401, 401, 401]);
});

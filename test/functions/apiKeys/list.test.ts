import { expect, test } from '@jest/globals';
import { api, sharedServiceUrl } from '../../support/api.ts';
import { nextMillisecond } from '../../support/expectations.ts';
import { makeKey, newOrganisation } from './organisation.ts';

const service = { baseUrl: sharedServiceUrl() };

test('GET /v1/api-keys lists the organisation’s keys, newest first, and never the keys themselves', async () => {
  const { client, first } = await newOrganisation(service);
  await makeKey((await newOrganisation(service)).client);
  const made = [first];
  for (const name of ['second', 'third']) {
    await nextMillisecond();
    made.unshift(await makeKey(client, { name }));
  }
  const { status, body } = await client('GET', '/v1/api-keys');
  expect(status).toBe(200);
  expect(body.data).toEqual(
    made.map(({ key: _, ...shown }) => ({
      ...shown,
      ...(shown.id === first.id && { last_used_at: expect.any(String) }),
    })),
  );
  for (const { key } of made) expect(JSON.stringify(body)).not.toContain(key.slice(12));
});

test('pages of keys hold each key once', async () => {
  const { client } = await newOrganisation(service);
  for (let nth = 0; nth < 6; nth++) await makeKey(client, { name: `Key ${nth}` });
  const pages = await Promise.all(
    [1, 2, 3, 4].map(async (page) => (await client('GET', `/v1/api-keys?page=${page}&pageSize=3`)).body),
  );
  expect(pages.map(({ data }) => data.length)).toEqual([3, 3, 1, 0]);
  expect(pages.map(({ pagination }) => pagination.hasMore)).toEqual([true, true, false, false]);
  expect(new Set(pages.flatMap(({ data }) => data.map(({ id }: { id: string }) => id))).size).toBe(7);
});

test('a key answers null until its first use, then the time of its last use', async () => {
  const { client } = await newOrganisation(service);
  const made = await makeKey(client);
  const lastUse = async () =>
    (await client('GET', '/v1/api-keys')).body.data.find(({ id }: { id: string }) => id === made.id)
      .last_used_at;
  expect(await lastUse()).toBeNull();
  const before = new Date().toISOString();
  await api(service.baseUrl, made.key)('GET', '/v1/projects');
  expect((await lastUse()) >= before).toBe(true);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { newOrganisation } from '../apiKeys/organisation.ts';
import { addKey, makeKey, RAW_KEY } from './keys.ts';

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());

test('the log names the credentials that add and revoke a BYOK key, by ids, and holds nothing of the key', async () => {
  const { id: org_id, client, first } = await newOrganisation(service);
  const { id } = await makeKey(client, { name: 'Production', provider: 'anthropic' });
  await addKey(client, { provider: 'nobody' });
  await client('DELETE', `/v1/byok-keys/${randomUUID()}`);
  for (let time = 0; time < 2; time++) await client('DELETE', `/v1/byok-keys/${id}`);
  const line = { level: 'info', org_id, key_id: id, by: { type: 'api_key', key_id: first.id } };
  expect(service.log.filter(({ code }) => code.startsWith('byok_key_'))).toEqual([
    { ...line, code: 'byok_key_added', provider: 'anthropic' },
    { ...line, code: 'byok_key_revoked' },
  ]);
  expect(JSON.stringify(service.log)).not.toContain(RAW_KEY.slice(0, 8));
});

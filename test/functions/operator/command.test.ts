import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OperatorDeps, operate } from '../../../shared/domain/accounts/operate.ts';
import { operatorStores } from '../../../shared/storage/billing/operator.ts';
import { api } from '../../support/api.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';

let service: OwnService;
let deps: OperatorDeps;
beforeAll(async () => {
  service = await startOwnService({ SIGN_UP: 'closed' });
  const { table, now, newId } = service.runtime;
  deps = { ...operatorStores(table, now), plan: 'scale', now, newId };
});
afterAll(() => service.stop());

const made = async (name: string, plan?: string) => {
  const { organisation, api_key } = await operate(deps, { command: 'create-organisation', name, plan });
  return { organisation, key: api_key?.key ?? '', client: api(service.baseUrl, api_key?.key ?? '') };
};

test('where sign-up is closed the operator makes organisations, on the plan of the installation or on a named one', async () => {
  expect((await api(service.baseUrl, '')('POST', '/v1/auth/signup', { name: 'Me' })).status).toBe(404);
  for (const [named, plan] of [
    [undefined, 'scale'],
    ['pro', 'pro'],
  ] as const) {
    const { client } = await made('Acme', named);
    expect((await client('GET', '/v1/whoami')).body.data).toMatchObject({
      organisation: { name: 'Acme', plan },
      scope: 'full',
      project: null,
    });
  }
});

test('a plan that the operator sets is in force for all keys at once', async () => {
  const { organisation, client } = await made('Moved');
  const other = (await client('POST', '/v1/api-keys', { name: 'other' })).body.data.key;
  await operate(deps, { command: 'set-plan', organisation: organisation.id, plan: 'enterprise' });
  for (const key of [client, api(service.baseUrl, other)])
    expect((await key('GET', '/v1/billing/usage')).body).toMatchObject({
      plan: 'enterprise',
      monthly_limit: -1,
    });
});

test('a key that the operator makes has scope full, and each command is an entry of the log by the operator, without the key', async () => {
  const { organisation, key } = await made('Lost', 'free');
  await operate(deps, { command: 'set-plan', organisation: organisation.id, plan: 'pro' });
  await operate(deps, { command: 'set-plan', organisation: organisation.id, plan: 'pro' });
  const again = await operate(deps, { command: 'create-key', organisation: organisation.id });
  const client = api(service.baseUrl, again.api_key?.key ?? '');
  const log = (await client('GET', '/v1/changes')).body.data;
  const entries = log.map(
    ({ action, target, by }: { action: string; target: { type: string }; by: unknown }) => [
      action,
      target.type,
      by,
    ],
  );
  expect(entries.toSorted()).toEqual([
    ['created', 'api_key', null],
    ['created', 'organisation', null],
    ['updated', 'organisation', null],
  ]);
  expect(log.find(({ action }: { action: string }) => action === 'updated').changes).toEqual({
    plan: { from: 'free', to: 'pro' },
  });
  for (const secret of [key, again.api_key?.key ?? '']) expect(JSON.stringify(log)).not.toContain(secret);
});

test('an organisation that is being deleted gets no key, but the time until which that can be taken back, and a key after it was', async () => {
  const { organisation, client } = await made('Leaving');
  const named = { organisation: organisation.id };
  const { deletes_at } = (await client('POST', '/v1/organisation/deletion', named)).body.data;
  const command = { command: 'create-key', organisation: organisation.id };
  await expect(operate(deps, command)).rejects.toMatchObject({
    code: 'ORGANISATION_BEING_DELETED',
    message: expect.stringContaining(`until ${deletes_at} DELETE /v1/organisation/deletion`),
  });
  await client('DELETE', '/v1/organisation/deletion');
  expect((await operate(deps, command)).api_key).toMatchObject({ scope: 'full' });
});

test.each([
  [
    { command: 'create-organisation', name: 'A', plan: 'gold' },
    'plan: must be one of free, pro, scale, enterprise',
  ],
  [{ command: 'set-plan', organisation: 'acme', plan: 'pro' }, 'organisation: '],
  [{ command: 'create-key', organisation: crypto.randomUUID() }, 'organisation'],
  [{ command: 'create-key', organisation: crypto.randomUUID(), scope: 'run' }, 'scope'],
  [{}, 'command'],
  [undefined, 'not understood'],
])('the command %j is refused with a sentence that has %j', async (command, words) => {
  await expect(operate(deps, command)).rejects.toThrow(words);
});

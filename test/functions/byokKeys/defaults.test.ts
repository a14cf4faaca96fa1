import { beforeEach, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { addKey, keysOf, makeKey } from './keys.ts';

let client: Api;
beforeEach(async () => {
  client = await signUp(sharedServiceUrl());
});

const defaults = async (): Promise<string[]> =>
  (await keysOf(client)).filter(({ is_default }) => is_default).map(({ id }) => id);

test('a new default takes the place of the one that was', async () => {
  const first = await makeKey(client, { is_default: true });
  expect(await defaults()).toEqual([first.id]);
  const second = await makeKey(client, { is_default: true });
  expect(await defaults()).toEqual([second.id]);
  await makeKey(client, { is_default: false });
  expect(await defaults()).toEqual([second.id]);
});

test('each provider has a default of its own', async () => {
  const keys = [];
  for (const provider of ['openai', 'anthropic', 'google', 'azure_openai']) {
    keys.push(await makeKey(client, { provider, is_default: true }));
  }
  expect(await defaults()).toEqual(keys.map(({ id }) => id).reverse());
});

test.each([
  ['openai', 'provider_a'],
  ['anthropic', 'provider_b'],
  ['google', 'provider_c'],
  ['azure_openai', 'provider_a_cloud'],
])('%s and %s share one default', async (name, alias) => {
  const named = await makeKey(client, { provider: name, is_default: true });
  const aliased = await makeKey(client, { provider: alias, is_default: true });
  expect(await defaults()).toEqual([aliased.id]);
  const again = await makeKey(client, { provider: name, is_default: true });
  expect(await defaults()).toEqual([again.id]);
  expect((await keysOf(client)).map(({ id }) => id)).toEqual([again.id, aliased.id, named.id]);
});

test('of 20 keys made at once, each as the default, exactly one is: the newest of them', async () => {
  // So that there is a default whenever somebody looks.
  await makeKey(client, { is_default: true });
  const watching = watch();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      addKey(client, { provider: index % 2 === 0 ? 'openai' : 'provider_a', is_default: true }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(Math.max(...(await watching.seen()))).toBe(1);
  const keys = await keysOf(client);
  expect(keys).toHaveLength(21);
  expect(await defaults()).toEqual([keys[0].id]);
});

/** How many defaults a reader saw, again and again. */
function watch() {
  let done = false;
  const reading = (async () => {
    const counts: number[] = [];
    while (!done) counts.push((await defaults()).length);
    return counts;
  })();
  return {
    seen: () => {
      done = true;
      return reading;
    },
  };
}

test('revoking the default key leaves no default, revoking another key leaves it', async () => {
  const other = await makeKey(client);
  const key = await makeKey(client, { is_default: true });
  const anthropic = await makeKey(client, { provider: 'anthropic', is_default: true });
  await client('DELETE', `/v1/byok-keys/${other.id}`);
  expect(await defaults()).toEqual([anthropic.id, key.id]);
  await client('DELETE', `/v1/byok-keys/${key.id}`);
  expect(await defaults()).toEqual([anthropic.id]);
  const next = await makeKey(client, { is_default: true });
  expect(await defaults()).toEqual([next.id, anthropic.id]);
});

test('a default revoked while another is made leaves the new one', async () => {
  for (let round = 0; round < 10; round++) {
    const key = await makeKey(client, { is_default: true });
    const [revoked, made] = await Promise.all([
      client('DELETE', `/v1/byok-keys/${key.id}`),
      addKey(client, { is_default: true }),
    ]);
    expect([revoked.status, made.status]).toEqual([204, 201]);
    expect(await defaults()).toEqual([made.body.data.id]);
  }
});

import { expect, test } from '@jest/globals';
import { sharedServiceUrl, signUp } from '../../support/api.ts';
import { describePages } from '../../support/pages.ts';
import { keysOf, makeKey } from './keys.ts';

describePages('BYOK keys, newest first', async () => {
  const client = await signUp(sharedServiceUrl());
  let made = 0;
  return {
    client,
    path: '/v1/byok-keys',
    create: () => makeKey(client, { name: `key ${made++}` }),
    order: 'newest first',
  };
});

test('an organisation sees its own keys only', async () => {
  const [one, other] = [await signUp(sharedServiceUrl()), await signUp(sharedServiceUrl())];
  const key = await makeKey(one, { is_default: true });
  expect(await keysOf(one)).toEqual([key]);
  expect(await keysOf(other)).toEqual([]);
});

import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { expectData, expectInvalid, TIMESTAMP, UUID } from '../../support/expectations.ts';
import { NAMES } from '../../support/rules.ts';
import { addKey, keysOf, makeKey, RAW_KEY } from './keys.ts';

let client: Api;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
});

const PROVIDERS = [
  'openai',
  'anthropic',
  'google',
  'azure_openai',
  'provider_a',
  'provider_b',
  'provider_c',
  'provider_a_cloud',
];

test('a key is answered by its record: the fields of the specification and its project, nothing more', async () => {
  const before = new Date().toISOString();
  const answer = await addKey(client, { provider: 'anthropic', name: ' Production ', is_default: true });
  expectData(answer, 201, {
    id: UUID,
    org_id: UUID,
    project_id: null,
    provider: 'anthropic',
    name: 'Production',
    key_prefix: 'sk-proj-',
    is_default: true,
    last_used_at: null,
    created_at: TIMESTAMP,
  });
  expect(answer.body.data.created_at >= before).toBe(true);
  expect(await keysOf(client)).toEqual([answer.body.data]);
});

test('provider and key are enough: no name, no default', async () => {
  const { name, is_default } = await makeKey(client);
  expect({ name, is_default }).toEqual({ name: null, is_default: false });
  expect((await makeKey(client, { name: null })).name).toBeNull();
});

test.each(PROVIDERS)('the provider %s is taken and comes back as it was sent', async (provider) => {
  const key = await makeKey(client, { provider });
  expect(key.provider).toBe(provider);
  expect((await keysOf(client))[0].provider).toBe(provider);
});

test('unknown fields are refused: a client sets no id, owner, prefix or time', async () => {
  const before = await keysOf(client);
  const fields = ['id', 'org_id', 'key_prefix', 'last_used_at', 'created_at', 'ciphertext', 'isDefault'];
  const stranger = Object.fromEntries(fields.map((field) => [field, 'x']));
  const sent = { provider: 'openai', key: 'sk-refused-0123456789', ...stranger };
  const answer = await client('POST', '/v1/byok-keys', sent);
  expectInvalid(answer, ...fields);
  expect(JSON.stringify(answer.body)).not.toContain('sk-refused');
  expect(await keysOf(client)).toEqual(before);
});

describe('fields that are refused by name', () => {
  let before: unknown[];
  beforeEach(async () => {
    before = await keysOf(client);
  });

  test.each([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['unknown', 'provider_d'],
    ['in upper case', 'OpenAI'],
    ['a number', 1],
    ['an array', ['openai']],
    ['a name that every object has', 'toString'],
  ])('a provider that is %s', async (_what, provider) => {
    expectInvalid(await addKey(client, { provider }), 'provider');
    expect(await keysOf(client)).toEqual(before);
  });

  test.each([
    ['missing', undefined],
    ['null', null],
    ['a number', 12345678],
    ['an object', { text: RAW_KEY }],
    ['an array', [RAW_KEY]],
    ['a boolean', true],
    ['empty', ''],
    ['of 2,049 characters', 'k'.repeat(2_049)],
    ['of 5 kB', 'k'.repeat(5_120)],
    ['ending with a line break', `${RAW_KEY}\n`],
    ['ending with a carriage return', `${RAW_KEY}\r`],
    ['beginning with a line break', `\n${RAW_KEY}`],
    ['ending with a blank', `${RAW_KEY} `],
    ['beginning with a blank', ` ${RAW_KEY}`],
    ['ending with a no-break space', `${RAW_KEY}\u00a0`],
    ['with a blank inside', `sk-proj ${RAW_KEY}`],
    ['of one blank', ' '],
    ['of one line break', '\n'],
    ['with a tab inside', `sk-proj\t${RAW_KEY}`],
    ['with a line break inside', `sk-proj\n${RAW_KEY}`],
    ['with a null character', `sk-proj\u0000${RAW_KEY}`],
    ['with a delete character', `sk-proj\u007f${RAW_KEY}`],
    ['with a zero-width space', `sk-proj\u200b${RAW_KEY}`],
    ['with a letter beyond ASCII', `sk-pröj-${RAW_KEY}`],
    ['with an emoji', `🔑${RAW_KEY}`],
    ['of blanks', '          '],
  ])('a key that is, or comes, %s', async (_what, key) => {
    const answer = await addKey(client, { key });
    expectInvalid(answer, 'key');
    // Not even of a mistaken key is anything said again.
    expect(JSON.stringify(answer.body)).not.toMatch(/Zx81kLmN|12345678|sk-1234|kkkkkkkk/);
    expect(await keysOf(client)).toEqual(before);
  });

  test('a pasted line break, with what to do about it', async () => {
    const { issues } = (await addKey(client, { key: `${RAW_KEY}\n` })).body.error.details;
    expect(issues.map(({ message }: { message: string }) => message).join()).toMatch(
      /line break.*paste the key alone/,
    );
  });

  test.each(NAMES.bad.filter(([, name]) => name !== null))('a name that is %s', async (_what, name) => {
    expectInvalid(await addKey(client, { name }), 'name');
    expect(await keysOf(client)).toEqual(before);
  });

  test.each([
    ['null', null],
    ['a text', 'true'],
    ['a number', 1],
  ])('an is_default that is %s', async (_what, is_default) => {
    expectInvalid(await addKey(client, { is_default }), 'is_default');
    expect(await keysOf(client)).toEqual(before);
  });

  test('all that is wrong at once', async () => {
    expectInvalid(await client('POST', '/v1/byok-keys', {}), 'provider', 'key');
    expectInvalid(await client('POST', '/v1/byok-keys', []), 'body');
  });

  test.each([
    ['a stray character after it', `{"provider":"openai","key":"${RAW_KEY}" x}`],
    ['no quotes around it', `{"provider":"openai","key":${RAW_KEY}}`],
    ['nothing around it', RAW_KEY],
    ['a broken escape in it', `{"key":"\\q${RAW_KEY}"}`],
    ['a line break in it', `{"key":"${RAW_KEY}\n"}`],
    ['no end', `{"key":"${RAW_KEY}`],
  ])('a body that is not JSON, with %s, without a word of the key', async (_what, body) => {
    const answer = await client('POST', '/v1/byok-keys', body);
    expectInvalid(answer, 'body');
    expect(answer.body.error.details.issues[0].message).toMatch(/^must be JSON: \w+ /);
    for (let at = 0; at + 6 <= RAW_KEY.length; at++) {
      expect(JSON.stringify(answer.body)).not.toContain(RAW_KEY.slice(at, at + 6));
    }
  });
});

test.each([
  ['a key of 16 characters', 'sk-1234567890123', 'sk-12345'],
  ['the longest key', `abcdefgh${'k'.repeat(2_040)}`, 'abcdefgh'],
  ['a key of all punctuation', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '!"#$%&\'('],
  ['a key of 15 characters', 'sk-123456789012', 'sk-1234'],
  ['a key of 7 characters', 'sk-1234', 'sk-'],
  ['a key of one character', 'k', ''],
])('%s is taken; its first 8 characters are shown, but no more than half', async (_what, key, prefix) => {
  expect((await makeKey(client, { key })).key_prefix).toBe(prefix);
});

test('an organisation holds at most 100 keys, also when many arrive at once; one less makes room for one', async () => {
  const full = await signUp(sharedServiceUrl());
  for (let made = 0; made < 90; made += 10) {
    await Promise.all(Array.from({ length: 10 }, () => makeKey(full)));
  }
  const answers = await Promise.all(Array.from({ length: 20 }, () => addKey(full, { is_default: true })));
  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array(10).fill(201),
    ...Array(10).fill(400),
  ]);
  const refused = await addKey(full);
  expectInvalid(refused, 'body');
  expect(refused.body.error.details.issues[0].message).toBe(
    'an organisation holds at most 100 BYOK keys: delete some first',
  );
  const keys = await keysOf(full);
  expect(keys).toHaveLength(100);
  expect((await full('DELETE', `/v1/byok-keys/${keys[50].id}`)).status).toBe(204);
  await makeKey(full);
  expect((await addKey(full)).status).toBe(400);
});

test.each([
  ['GET', undefined],
  ['POST', { provider: 'openai', key: RAW_KEY }],
])('%s asks for a credential', async (method, body) => {
  const { api } = await import('../../support/api.ts');
  const answer = await api(sharedServiceUrl())(method, '/v1/byok-keys', body);
  expect(answer.status).toBe(401);
});

import { beforeAll, describe, expect, test } from '@jest/globals';

import { contracts } from '../../shared/contracts/registry.ts';
import { type Api, sharedServiceUrl, signUp } from '../support/api.ts';
import { expectInvalid } from '../support/expectations.ts';
import { makeNames, type Names, requestTo } from '../support/requests.ts';

const withBody = contracts
  .filter(({ body }) => body !== undefined)
  .map((contract) => [contract.id, contract] as const);

let client: Api;
let names: Names;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  names = await makeNames(client);
});

const utf16 = Buffer.from('{"name":"n"}', 'utf16le');
const broken: readonly (readonly [string, string | Uint8Array])[] = [
  ['empty', ''],
  ['blank', ' \r\n'],
  ['half an object', '{"name":"n"'],
  ['an object with a comma too many', '{"name":"n",}'],
  ['an object in single quotes', "{'name':'n'}"],
  ['two objects', '{}{}'],
  ['a form', 'name=n&slug=s'],
  ['a word', 'undefined'],
  ['NaN', '{"name":NaN}'],
  ['a byte order mark alone', '\ufeff'],
  ['two byte order marks before JSON', '\ufeff\ufeff{"name":"n"}'],
  ['a raw line break in a text', '{"name":"a\nb"}'],
  ['an unknown escape', '{"name":"\\x41"}'],
  ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d)],
  ['a text cut within a character', Uint8Array.of(0x22, 0xf0, 0x9f, 0x8e)],
  ['an overlong encoding', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)],
  ['a surrogate in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
  ['UTF-16', utf16],
  ['null', 'null'],
  ['an array', '[{"name":"n"}]'],
  ['a text', '"name"'],
  ['a number', '1'],
  ['a boolean', 'true'],
  ['66 levels deep', '['.repeat(66) + ']'.repeat(66)],
  ['a million levels deep', '[{"a":'.repeat(500_000)],
  ['a number that overflows', '1e999'],
  ['half a character', '"\\ud800"'],
];

const REPEATED: readonly (readonly [body: string, path: string])[] = [
  ['{"name":"n","name":"n"}', 'name'],
  ['{"name":"n","n\\u0061me":"m"}', 'name'],
  ['{"x":[{},{"y":{"a":":","b":[1,2],"a":":"}}]}', 'x.1.y.a'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"":1,"":1}', 'body'],
  [`{"x":{"${'k'.repeat(200)}":1,"${'k'.repeat(200)}":1}}`, `x.${'k'.repeat(100)}`],
];

/** A field that was ignored would be a lower bar, or grant more than its author wanted. */
const STRICT: ReadonlySet<string> = new Set([
  'definitions/put',
  'projects/create',
  'projects/update',
  'organisation/delete',
  'trustedIssuers/create',
  'signIn/put',
  'auth/beginSignIn',
  'auth/finishSignIn',
  'auth/createCliCode',
  'apiKeys/create',
  'auth/token',
  'byokKeys/create',
  'byokKeys/test',
  'waivers/create',
]);

/** Examples that are refused for what they name, or by where they come from, and the fields. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  // Another organisation, so that this one stays.
  ['organisation/delete', 'organisation'],
  ['signIn/put', 'issuer'],
  ['auth/beginSignIn', 'sec-fetch-site'],
  ['auth/finishSignIn', 'sec-fetch-site'],
]);

describe.each(withBody)('%s', (_, contract) => {
  const send = (body: string | Uint8Array, headers: Record<string, string> = {}) => {
    const { method, path } = requestTo(contract, names);
    return client(method, path, body, headers);
  };

  test('refuses every body that is no JSON object, naming the body', async () => {
    for (const [title, body] of broken) {
      if (body === '' && 'bodyIsOptional' in contract) continue;
      const answer = await send(body);
      expect({ title, status: answer.status }).toEqual({ title, status: 400 });
      expectInvalid(answer, 'body');
    }
  });

  test('refuses a name that comes twice in an object, wherever it is, and names the place', async () => {
    for (const [body, path] of REPEATED) {
      const answer = await send(body);
      expect({ body, status: answer.status }).toEqual({ body, status: 400 });
      expectInvalid(answer, path);
      expect(answer.body.error.details.issues[0].message).toContain('is named twice');
    }
  });

  test('refuses a body of another content type, and takes JSON under its other names', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonx',
      'json',
      '',
    ]) {
      const answer = await send('{}', { 'content-type': type });
      expect({ type, status: answer.status }).toEqual({ type, status: 400 });
      expectInvalid(answer, 'body');
    }
    for (const type of [
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/merge-patch+json',
    ]) {
      const answer = await send('[]', { 'content-type': type });
      expect(answer.body.error.details.issues[0].message).not.toContain('Content-Type');
    }
  });

  test('names a field that holds half of a character, even one it does not know', async () => {
    expectInvalid(await send('{"unknown":{"deep":["\\udfff"]}}'), 'unknown.deep.0');
  });

  test('ignores unknown fields, whatever they are called, unless it is strict', async () => {
    const { method, path, body } = requestTo(contract, await makeNames(client));
    const junk = '"__proto__":{"name":5},"constructor":1,"":null,"a.b":[],"$where":"1","toString":{}';
    const answer = await client(
      method,
      path,
      JSON.stringify(body).replace('{', `{${junk},`).replace(',}', '}'),
    );
    const answers = STRICT.has(contract.id) ? [400] : Object.keys(contract.responses).map(Number);
    expect(answers).toContain(answer.status);
    if (STRICT.has(contract.id)) return;
    expect(JSON.stringify(answer.body)).not.toMatch(/__proto__|\$where|"a\.b"/);
  });

  test('takes a body with a byte order mark in front', async () => {
    const { method, path, body } = requestTo(contract, await makeNames(client));
    const answer = await client(method, path, `\ufeff${JSON.stringify(body)}`);
    // The body was read.
    const refused = REFUSED.get(contract.id);
    if (refused !== undefined) return expectInvalid(answer, refused);
    if (contract.id === 'auth/createCliCode') return expect(answer.status).toBe(403);
    expect(Object.keys(contract.responses).map(Number)).toContain(answer.status);
  });

  test('takes the last of two fields of one name, as JSON readers do', async () => {
    const { body = {} } = requestTo(contract, names);
    const field = Object.keys(body).at(STRICT.has(contract.id) ? -1 : 0);
    // A body without fields.
    if (field === undefined) return;
    const answer = await send(JSON.stringify(body).replace(/}$/, `,"${field}":{"not":"valid"}}`));
    expectInvalid(answer, String(field));
  });
});

test('a body of more than 6 MB is refused wherever it is sent', async () => {
  for (const path of ['/v1/projects', `/v1/suites/${names.suiteId}/cases`]) {
    const answer = await client('POST', path, `{"name":"${'n'.repeat(6 * 1_024 * 1_024)}"}`);
    expectInvalid(answer, 'body');
  }
});

const open = contracts.filter(
  ({ access, method, rawBody }) => access === 'public' && method === 'POST' && !rawBody,
);

test.each(open.map((contract) => [contract.id, contract] as const))(
  'a body of more than 16 kB is refused where anybody may send one: %s',
  async (_, contract) => {
    const body = JSON.stringify(requestTo(contract, names).body).padEnd(16 * 1_024);
    const ofPage = { 'sec-fetch-site': 'same-origin' };
    const { status, body: read } = await client('POST', contract.path, body, ofPage);
    // Without a cookie there is no sign-in to finish.
    expect([status === 400, read.error?.code]).not.toEqual([true, 'VALIDATION_ERROR']);
    const answer = await client('POST', contract.path, `${body} `, ofPage);
    expectInvalid(answer, 'body');
    expect(answer.body.error.details.issues[0].message).toContain('16 kB');
  },
);

test('an unknown path answers 404 whatever the size of the body', async () => {
  expect((await client('POST', '/v1/nowhere', { output: 'o'.repeat(1_048_576) })).status).toBe(404);
});

test('an unexpected body is not parsed', async () => {
  const answer = await client('DELETE', `/v1/cases/${names.caseId}`, '{broken');
  expect(answer.status).toBe(204);
});

import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { contracts } from '../../shared/contracts/registry.ts';
import { type Api, api, sharedServiceUrl, signUp } from '../support/api.ts';
import { expectInvalid } from '../support/expectations.ts';
import { makeNames, type Names, requestTo } from '../support/requests.ts';
import { firstOf } from '../support/soak.ts';
import { type Gate, makeGate } from './runs/gate.ts';

const MEGABYTE = 1_048_576;
const LARGE: Readonly<Record<string, readonly [bytes: number, named: string]>> = {
  'runs/create': [32 * MEGABYTE, '32 MB'],
  'definitions/put': [6 * MEGABYTE, '6 MB'],
};
const GZIP = { 'content-encoding': 'gzip' };

/** Those with a limit of their own first. */
const withBody = contracts
  .filter(({ body }) => body !== undefined)
  .toSorted((one, other) => Number(other.id in LARGE) - Number(one.id in LARGE))
  .map((contract) => [contract.id, contract] as const);

let client: Api;
let names: Names;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  names = await makeNames(client);
});

/** JSON of so many bytes, with a field that no endpoint knows. */
const jsonOf = (bytes: number, body: object = {}): string => {
  const rest = JSON.stringify({ ...body, junk: '' }).length;
  return JSON.stringify({ ...body, junk: 'j'.repeat(bytes - rest) });
};

/** Gzip that is a little longer than what it holds. */
const stored = (bytes: number) => gzipSync(jsonOf(bytes), { level: 0 });

const packed = gzipSync('{"name":"n"}');
const refused: readonly (readonly [string, Uint8Array | string, string])[] = [
  ['plain JSON', '{"name":"n"}', 'gzip'],
  ['nothing', '', 'gzip'],
  ['gzip that ends early', packed.subarray(0, -1), 'gzip'],
  ['gzip without a trailer', packed.subarray(0, -8), 'gzip'],
  ['gzip with a byte behind it', Buffer.concat([packed, Buffer.from('}')]), 'gzip'],
  ['gzip with zeros behind it', Buffer.concat([packed, Buffer.alloc(8)]), 'gzip'],
  ['two members', Buffer.concat([packed, packed]), 'gzip'],
  ['gzip of broken JSON', gzipSync('{"name":'), 'gzip'],
  ['gzip of nothing', gzipSync(''), 'gzip'],
  ['gzip of no object', gzipSync('[]'), 'gzip'],
  ['gzip of bytes that are no UTF-8', gzipSync(Uint8Array.of(0x22, 0xff, 0x22)), 'gzip'],
  ['gzip of two byte order marks', gzipSync('\ufeff\ufeff{"name":"n"}'), 'gzip'],
  ['gzip of gzip', gzipSync(packed), 'gzip'],
  ['gzip of gzip that says so', gzipSync(packed), 'gzip, gzip'],
  ['gzip without a word', packed, 'identity'],
  ['another name of gzip', packed, 'x-gzip'],
  ['another encoding', '{"name":"n"}', 'br'],
  ['another encoding after gzip', packed, 'gzip, br'],
  ['identity twice', '{"name":"n"}', 'identity, identity'],
  ['gzip with a weight', packed, 'gzip;q=1'],
];

describe.each(firstOf(4, withBody))('%s', (_, contract) => {
  const send = async (body: string | Uint8Array, encoding: string) => {
    const { method, path } = requestTo(contract, names);
    return client(method, path, body, { 'content-encoding': encoding });
  };

  test.each(['gzip', 'GZIP', ' gzip ,'])('takes a body with Content-Encoding: %s', async (encoding) => {
    const { method, path, body } = requestTo(contract, await makeNames(client));
    const answer = await client(method, path, gzipSync(`\ufeff${JSON.stringify(body)}`), {
      'content-encoding': encoding,
    });
    expect(Object.keys(contract.responses).map(Number)).toContain(answer.status);
  });

  test('takes a plain body that declares identity', async () => {
    const { method, path, body } = requestTo(contract, await makeNames(client));
    const answer = await client(method, path, body, { 'content-encoding': 'Identity' });
    expect(Object.keys(contract.responses).map(Number)).toContain(answer.status);
  });

  test('refuses every other encoding and all that is not one whole gzip member, naming the body', async () => {
    for (const [title, body, encoding] of refused) {
      if (body === '' && 'bodyIsOptional' in contract) continue;
      const answer = await send(body, encoding);
      expect({ title, status: answer.status }).toEqual({ title, status: 400 });
      expectInvalid(answer, 'body');
    }
  });

  test('refuses what unpacks to more than it takes, by name of the limit', async () => {
    const isPublic = contract.access === 'public';
    const [limit, named] = LARGE[contract.id] ?? (isPublic ? [16_384, '16 kB'] : [MEGABYTE, '1 MB']);
    const answer = await send(gzipSync(jsonOf(limit + 1)), 'gzip');
    expectInvalid(answer, 'body');
    expect(answer.body.error.details.issues[0].message).toContain(`${named} when unpacked`);
    const other = await send(gzipSync(jsonOf(limit)), 'gzip');
    expect(JSON.stringify(other.body)).not.toContain('when unpacked');
  });
});

describe('a run', () => {
  let gate: Gate;
  beforeAll(async () => {
    gate = await makeGate(sharedServiceUrl());
    await gate.add({ config: { values: ['ok'] } });
  });

  const bodyOf = (output: string) => ({ suite: gate.suite.slug, output });
  const post = (body: Uint8Array, headers: Record<string, string> = GZIP) =>
    gate.client('POST', '/v1/run', body, headers);
  const counted = async () => ({
    usage: (await gate.client('GET', '/v1/billing/usage')).body.current_usage,
    runs: (await gate.client('GET', `/v1/suites/${gate.suite.id}/runs`)).body.pagination.total,
  });

  test('gets the verdict of the same body without gzip', async () => {
    const [plain, gzipped] = await Promise.all([
      gate.client('POST', '/v1/run', bodyOf('ok 漢字 😀')),
      post(gzipSync(JSON.stringify(bodyOf('ok 漢字 😀')))),
    ]);
    const { id: _, duration_ms: __, ...verdict } = plain.body;
    expect(gzipped.status).toBe(200);
    expect(gzipped.body).toMatchObject(verdict);
  });

  test('of a body that unpacks to 32 MB is scored', async () => {
    const answer = await post(gzipSync(jsonOf(32 * MEGABYTE, bodyOf('ok'))));
    expect([answer.status, answer.body.status]).toEqual([200, 'cleared']);
  });

  test('whose body was refused is neither stored nor counted, and its idempotency key is free', async () => {
    const before = await counted();
    const whole = gzipSync(JSON.stringify(bodyOf('ok')));
    const key = { 'idempotency-key': 'gzip' };
    for (const [body, encoding] of [
      [whole.subarray(0, -3), 'gzip'],
      [Buffer.concat([whole, whole]), 'gzip'],
      [whole, 'gzip, gzip'],
      [whole, 'br'],
      [gzipSync(jsonOf(33 * MEGABYTE, bodyOf('ok'))), 'gzip'],
      [stored(5 * MEGABYTE), 'gzip'],
    ] as const) {
      expectInvalid(await post(body, { ...key, 'content-encoding': encoding }), 'body');
    }
    expect(await counted()).toEqual(before);
    expect(await post(whole, { ...key, ...GZIP })).toMatchObject({
      status: 200,
      body: { status: 'cleared' },
    });
  });

  test('may be replayed with a body that is packed differently', async () => {
    const key = { 'idempotency-key': 'packed differently' };
    const body = JSON.stringify(bodyOf('ok'));
    const first = await post(gzipSync(body, { level: 1 }), { ...key, ...GZIP });
    const again = await post(Buffer.from(body), key);
    expect(again.body.id).toBe(first.body.id);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('of more than 4.5 MB of gzip is refused by name of the limit', async () => {
    const answer = await post(stored(4.5 * MEGABYTE));
    expectInvalid(answer, 'body');
    expect(answer.body.error.details.issues[0].message).toContain('4.5 MB as gzip');
  });
});

test('a body holds at most a million values, so that memory and time are bounded, too', async () => {
  for (const [start, unit, end, megabytes] of [
    ['[', '{},', '0]', 30],
    ['[', '0,', '0]', 3],
    ['', '{"a":[', '', 30],
  ] as const) {
    const body = `{"junk":${start}${unit.repeat((megabytes * MEGABYTE) / unit.length)}${end}}`;
    const answer = await client('POST', '/v1/run', gzipSync(body), GZIP);
    expectInvalid(answer, 'body');
    expect(answer.body.error.details.issues[0].message).toContain('1,000,000 values');
  }
  const text = `{"junk":${JSON.stringify('{[,'.repeat(10 * MEGABYTE))}}`;
  expectInvalid(await client('POST', '/v1/run', gzipSync(text), GZIP), 'suite', 'output');
});

test('a bomb without a valid credential is a 401', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * MEGABYTE));
  for (const credential of [undefined, 'eg_live_nobody']) {
    const answer = await api(sharedServiceUrl(), credential)('POST', '/v1/run', bomb, GZIP);
    expect(answer.status).toBe(401);
  }
});

test('an endpoint without a body ignores what a body would be encoded by', async () => {
  const answer = await client('GET', `/v1/cases/${names.caseId}`, undefined, { 'content-encoding': 'br' });
  expect(answer.status).toBe(200);
});

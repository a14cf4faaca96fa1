import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../../support/api.ts';
import { expectInvalid } from '../../../support/expectations.ts';
import { ALL, makeTrust, type Trust } from './trust.ts';

const MEGABYTE = 1_048_576;

let trust: Trust;
beforeAll(async () => {
  trust = await makeTrust(sharedServiceUrl());
});

const BODY = JSON.stringify({ suite: 't', outputs: ALL });
const post = (body: Uint8Array, encoding = 'gzip') =>
  trust.client('POST', '/v1/run', body, { 'content-encoding': encoding });

test('outputs in gzip have the verdict of the same outputs without it', async () => {
  const { id: _, duration_ms: __, ...verdict } = await trust.run(ALL);
  const answer = await post(gzipSync(BODY));
  expect(answer).toMatchObject({ status: 200, body: verdict });
  expect(verdict.status).toBe('cleared');
});

test('outputs of 30 MB in all are judged', async () => {
  const own = await makeTrust(sharedServiceUrl(), { keep_outputs: 'none', pass_threshold: 0.03 });
  await own.patchCase('a', { sample_count: 30, sample_pass_rate: 0 });
  const long = Array.from({ length: 29 }, () => ({ case: 'a', output: 'x'.repeat(MEGABYTE) }));
  const body = gzipSync(JSON.stringify({ suite: 't', outputs: [...long, ...ALL] }));
  const answer = await own.client('POST', '/v1/run', body, { 'content-encoding': 'gzip' });
  expect(answer).toMatchObject({ status: 200, body: { status: 'cleared', passed_cases: 4 } });
});

const whole = gzipSync(BODY);
const bomb = (bytes: number) => gzipSync(`${BODY.slice(0, -1)},"junk":"${'j'.repeat(bytes)}"}`);

test.each<[string, () => Uint8Array, string]>([
  ['unpacks to 33 MB', () => bomb(33 * MEGABYTE), 'gzip'],
  ['ends early', () => whole.subarray(0, -9), 'gzip'],
  ['ends before its checksum', () => whole.subarray(0, -8), 'gzip'],
  ['has a byte behind it', () => Buffer.concat([whole, Buffer.from('x')]), 'gzip'],
  ['has another member behind it', () => Buffer.concat([whole, whole]), 'gzip'],
  ['is no gzip', () => Buffer.from(BODY), 'gzip'],
  ['is packed twice', () => gzipSync(whole), 'gzip'],
  ['says br', () => whole, 'br'],
  ['says deflate', () => whole, 'deflate'],
  ['says two encodings', () => whole, 'gzip, gzip'],
])('a body that %s is refused by name: nothing is stored or counted', async (_, body, encoding) => {
  const before = await trust.counted();
  expectInvalid(await post(body(), encoding), 'body');
  expect(await trust.counted()).toEqual(before);
});

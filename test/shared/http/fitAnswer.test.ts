import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { fitAnswer } from '../../../shared/http/fitAnswer.ts';

const eventOf = (acceptEncoding: string | undefined, method = 'GET') =>
  ({
    headers: acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding },
    requestContext: { http: { method } },
  }) as unknown as APIGatewayProxyEventV2;

const answerOf = (bytes: number) => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json' },
  body: 'x'.repeat(bytes),
});

test.each([
  ['gzip', true],
  ['gzip, deflate, br', true],
  ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
  ['GZIP', true],
  ['gzip;q=0', false],
  ['identity', false],
  ['', false],
  [undefined, false],
])('2 kB travel gzipped where the caller takes that: %p', (accepted, isCompressed) => {
  const answer = answerOf(2_048);
  const { headers, body = '', isBase64Encoded = false } = fitAnswer(eventOf(accepted), answer);
  expect(isBase64Encoded).toBe(isCompressed);
  expect(headers?.['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
  // Either form depends on what was accepted: no cache may give one for the other.
  expect(headers).toMatchObject({ 'content-type': 'application/json', vary: 'accept-encoding' });
  expect(isCompressed ? gunzipSync(Buffer.from(body, 'base64')).toString() : body).toBe(answer.body);
});

test('less than 2 kB travel as they are', () => {
  const answer = answerOf(2_047);
  expect(fitAnswer(eventOf('gzip'), answer)).toBe(answer);
});

test('a read with too large an answer gets an error that shows how to request less; a write is answered', () => {
  const large = answerOf(6 * 1_024 * 1_024 + 1);
  const issues = [{ path: 'accept-encoding', message: expect.stringContaining('Accept-Encoding: gzip') }];
  expect(() => fitAnswer(eventOf('identity'), large)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', details: { issues } }),
  );
  expect(fitAnswer(eventOf('gzip'), large).isBase64Encoded).toBe(true);
  expect(fitAnswer(eventOf('identity', 'POST'), large).body).toBe(large.body);
});

const [small, large] = [answerOf(3_000), answerOf(6 * 1_024 * 1_024 + 1)];
const shorter = [large, answerOf(10), answerOf(5)].map((form) => () => form);

test('the first shorter form that fits replaces an answer that is too large, and no other', () => {
  expect(fitAnswer(eventOf('identity', 'PUT'), large, shorter)).toEqual(answerOf(10));
  expect(fitAnswer(eventOf('identity', 'PUT'), small, shorter).body).toBe(small.body);
  expect(fitAnswer(eventOf('gzip', 'PUT'), large, shorter).isBase64Encoded).toBe(true);
});

test('a shorter form travels gzipped where the caller takes that', () => {
  const body = randomBytes(6 * 1_024 * 1_024).toString('base64');
  const { isBase64Encoded = false } = fitAnswer(eventOf('gzip', 'PUT'), { statusCode: 200, body }, [
    () => answerOf(2_048),
  ]);
  expect(isBase64Encoded).toBe(true);
});

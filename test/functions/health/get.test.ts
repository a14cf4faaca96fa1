import { expect, test } from '@jest/globals';
import manifest from '../../../package.json' with { type: 'json' };
import { api, sharedServiceUrl } from '../../support/api.ts';
import { TIMESTAMP } from '../../support/expectations.ts';

const anyone = api(sharedServiceUrl());

test('answers with status, version, time and the real state of the services, without an envelope', async () => {
  const before = Date.now();
  const answer = await anyone('GET', '/health');
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 200,
    body: {
      status: 'ok',
      version: manifest.version,
      timestamp: TIMESTAMP,
      services: { database: 'connected', redis: 'not_configured' },
    },
  });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const at = Date.parse(answer.body.timestamp);
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now());
});

test('lies outside of /v1', async () => {
  expect((await anyone('GET', '/v1/health')).status).toBe(404);
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiFrom } from '../../support/fromAddress.ts';
import { type RunningService, startService } from '../../support/service.ts';
import { statuses } from './clients.ts';

/** A blank variable is one that is not set: the limits are on unless they are turned off. */
const DEFAULTS = {
  RATE_LIMITS: '',
  RATE_LIMIT_WAIT_MS: '10000',
  // The window of a minute lasts for hours, however long the requests take.
  NODE_OPTIONS: `--import=${path.resolve('test/support/otherClock.ts')}`,
  TEST_CLOCK_SLOWNESS: '1000',
};

let services: RunningService[] = [];
beforeAll(async () => {
  const first = await startService({ env: DEFAULTS });
  const command = readFileSync(`/proc/${first.enginePid()}/cmdline`, 'utf8');
  const port = /--port\0(\d+)/.exec(command)?.[1];
  const second = await startService({ env: { ...DEFAULTS, DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}` } });
  services = [second, first];
});
afterAll(async () => {
  for (const service of services) await service.stop();
});

test('of 130 requests at once to two processes on one table exactly 100 pass', async () => {
  const clients = services.map(({ baseUrl }) => apiFrom(baseUrl, '127.0.4.1'));
  const calls = Array.from({ length: 65 }, () => clients.map(({ call }) => call('GET', '/v1/templates')));
  expect(statuses(await Promise.all(calls.flat()))).toEqual({ 200: 100, 429: 30 });
  for (const client of clients) client.close();
});

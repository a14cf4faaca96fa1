import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { handler as listTemplates } from '../../../functions/templates/list.ts';
import type { Runtime } from '../../../shared/runtime/runtime.ts';
import { createTable } from '../../../shared/storage/table/dynamoTable.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { eventFrom } from './events.ts';

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService({ RATE_LIMITS: 'on', RATE_LIMIT_WAIT_MS: '100' });
});
afterAll(() => service.stop());

const call = async (runtime: Runtime, sourceIp = '198.51.100.1') =>
  listTemplates.withRuntime(runtime)(eventFrom(sourceIp), { awsRequestId: 'one' } as never);

/** The service's table, but for how it takes updates. */
const tableWhere = (update: Table['update']): Table =>
  Object.assign(Object.create(service.table) as Table, { update, consumed: () => service.table.consumed() });

const alarms = () => service.log.filter(({ code }) => code === 'rate_limit_unavailable');

test.each([
  ['cannot be reached', () => createTable({ name: 'none', endpoint: 'http://127.0.0.1:9', now: Date.now })],
  ['fails', () => tableWhere(() => Promise.reject(new Error('throttled')))],
  ['does not answer', () => tableWhere(() => new Promise(() => undefined))],
])('a request passes when the table %s, and an alarm is raised', async (_, table) => {
  const before = alarms().length;
  const config = { ...service.runtime.config, metricsNamespace: 'evalgate/dev' };
  const answer = await call({ ...service.runtime, config, table: table() });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({ 'ratelimit-limit': '100', 'ratelimit-remaining': '100' });
  const [alarm, ...more] = alarms().slice(before);
  expect(more).toEqual([]);
  expect(alarm).toMatchObject({
    level: 'error',
    message: expect.any(String),
    RateLimitUnavailable: 1,
    _aws: {
      Timestamp: expect.any(Number),
      CloudWatchMetrics: [
        {
          Namespace: 'evalgate/dev',
          Dimensions: [[]],
          Metrics: [{ Name: 'RateLimitUnavailable', Unit: 'Count' }],
        },
      ],
    },
  });
});

test('a full window stays full for a function that knows of it, table or no table', async () => {
  let reachable = true;
  const table = tableWhere((update) =>
    reachable ? service.table.update(update) : Promise.reject(new Error('gone')),
  );
  const runtime = { ...service.runtime, table };
  for (let nth = 0; nth < 100; nth++) await call(runtime, '198.51.100.2');
  reachable = false;
  expect((await call(runtime, '198.51.100.2')).statusCode).toBe(429);
  expect((await call(runtime, '198.51.100.3')).statusCode).toBe(200);
});

test('counting goes on as soon as the table answers again', async () => {
  let failing = true;
  const table = tableWhere((update) =>
    failing ? Promise.reject(new Error('throttled')) : service.table.update(update),
  );
  const runtime = { ...service.runtime, table };
  expect((await call(runtime, '198.51.100.4')).headers?.['ratelimit-remaining']).toBe('100');
  failing = false;
  expect((await call(runtime, '198.51.100.4')).headers?.['ratelimit-remaining']).toBe('99');
});

test('a write that was made but whose answer was lost counts too much, never too little', async () => {
  const table = tableWhere(async (update) => {
    await service.table.update(update);
    return service.table.update(update);
  });
  const runtime = { ...service.runtime, table };
  const answers = [];
  for (let nth = 0; nth < 60; nth++) answers.push(await call(runtime, '198.51.100.5'));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(50);
});

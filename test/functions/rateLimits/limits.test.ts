import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ApiAnswer } from '../../support/api.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { type Clients, clientsOf, statuses } from './clients.ts';

let service: OwnService;
let clients: Clients;
beforeAll(async () => {
  service = await startOwnService({ RATE_LIMITS: 'on' });
  clients = clientsOf(service);
});
/** No window ends because requests take long. */
beforeEach(() => {
  service.clock.ms = T0;
});
afterAll(async () => {
  clients.close();
  await service.stop();
});

const T0 = Date.parse('2030-01-01T00:00:00Z');
const TEMPLATES = '/v1/templates/code-review';

function expectRefused(answer: ApiAnswer): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 429,
    body: {
      error: {
        code: 'RATE_LIMITED',
        message: expect.stringMatching(/try again in \d+ seconds/),
        details: { retry_after_seconds: Number(answer.headers.get('retry-after')) },
      },
    },
  });
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(answer.headers.get('ratelimit-remaining')).toBe('0');
  expect(answer.headers.get('ratelimit-reset')).toBe(answer.headers.get('retry-after'));
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
}

const refusedOf = (answers: readonly ApiAnswer[]) => answers.filter(({ status }) => status === 429);
const times = <T>(count: number, act: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => act(index));

test('of 130 requests at once from one address exactly 100 pass, and another address is untouched', async () => {
  const [one, other] = [clients.from('127.0.1.1'), clients.from('127.0.1.2')];
  const answers = await Promise.all(times(130, () => one('GET', TEMPLATES)));
  expect(statuses(answers)).toEqual({ 200: 100, 429: 30 });
  for (const answer of refusedOf(answers)) expectRefused(answer);
  const untouched = await other('GET', TEMPLATES);
  expect(untouched.status).toBe(200);
  expect(untouched.headers.get('ratelimit-remaining')).toBe('99');
});

test('all endpoints of a class count together', async () => {
  const call = clients.from('127.0.1.3');
  const paths = ['/v1/templates', TEMPLATES, '/v1/templates/none', '/v1/nowhere', '/v1/health'];
  const answers = await Promise.all(times(130, (index) => call('GET', paths[index % paths.length] ?? '')));
  expect(statuses(answers)).toEqual({ 200: 40, 404: 60, 429: 30 });
});

test('waiting exactly as long as Retry-After states works, as often as requests left the window', async () => {
  const call = clients.from('127.0.1.4');
  await Promise.all(times(70, () => call('GET', TEMPLATES)));
  service.clock.ms = T0 + 20_500;
  await Promise.all(times(30, () => call('GET', TEMPLATES)));
  const refused = await call('GET', TEMPLATES);
  expectRefused(refused);
  expect(refused.headers.get('retry-after')).toBe('40');
  service.clock.ms += 38_499;
  expectRefused(await call('GET', TEMPLATES));
  service.clock.ms += 1_501;
  const later = await Promise.all(times(90, () => call('GET', TEMPLATES)));
  expect(statuses(later)).toEqual({ 200: 70, 429: 20 });
  expect(new Set(refusedOf(later).map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['20']));
});

test('auth endpoints count apart: 20 in 15 minutes, whatever became of them', async () => {
  const call = clients.from('127.0.1.5');
  await call('GET', TEMPLATES);
  const bodies = [{ name: 'An organisation' }, {}];
  const answers = await Promise.all(times(24, (index) => call('POST', '/v1/auth/signup', bodies[index % 2])));
  expect(statuses(answers)[429]).toBe(4);
  const [refused] = refusedOf(answers);
  expect(refused?.headers.get('retry-after')).toBe('900');
  expect(refused?.headers.get('ratelimit-limit')).toBe('20');
  const general = await call('GET', TEMPLATES);
  expect(general.headers.get('ratelimit-remaining')).toBe('98');
  service.clock.ms = T0 + 900_000;
  expect((await call('POST', '/v1/auth/signup', bodies[0])).status).toBe(201);
});

test('the address is the connection, whatever the headers say', async () => {
  const call = clients.from('127.0.1.6');
  const forwardedFrom = (index: number) => ({
    'x-forwarded-for': `198.51.100.${index}`,
    'x-real-ip': `198.51.100.${index}`,
    forwarded: `for=198.51.100.${index}`,
    'cf-connecting-ip': `198.51.100.${index}`,
    'true-client-ip': `198.51.100.${index}`,
  });
  const answers = await Promise.all(
    times(110, (index) => call('GET', TEMPLATES, undefined, forwardedFrom(index))),
  );
  expect(statuses(answers)).toEqual({ 200: 100, 429: 10 });
});

test('GET /health is never counted', async () => {
  const call = clients.from('127.0.1.7');
  const answers = await Promise.all(times(120, () => call('GET', '/health')));
  expect(statuses(answers)).toEqual({ 200: 120 });
  expect(answers[0]?.headers.get('ratelimit-limit')).toBeNull();
});

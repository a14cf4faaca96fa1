import { describe, expect, test } from '@jest/globals';
import { durationMs, GateNotCleared, ServiceError } from '../../../clients/sdk/index.ts';
import { clientOf, cut, error, failureOf, html, json, useHostile } from './hostile.ts';

const server = useHostile();

const BODY = { suite: 'returns', output: 'yes' };
const ACCEPTED = json(202, { id: 'run_1', status: 'pending', message: 'Later.' });
const FIGURES = { id: 'run_1', pass_rate: 0.5, failed_cases: 0 };
const run = (status: string, more: object = {}, headers: Record<string, string> = {}) =>
  json(200, { data: { ...FIGURES, status, ...more } }, headers);
const PENDING = run('pending');

test('run() waits 1, 2, 3, 5, 8, 10, 10 … s between its looks at a pending run', async () => {
  server.answers(ACCEPTED, ...Array.from({ length: 7 }, () => PENDING), run('cleared'));
  const { gate, time } = clientOf(server.url);
  const pendingIds: string[] = [];
  const outcome = await gate.run(BODY, { wait: '15m', onPending: ({ id }) => pendingIds.push(id) });
  expect(outcome).toMatchObject({ id: 'run_1', status: 'cleared', passed: true, failures: [] });
  outcome.assertCleared();
  expect(time.pauses).toEqual([1, 2, 3, 5, 8, 10, 10, 10].map((seconds) => seconds * 1_000));
  expect(pendingIds).toEqual(Array.from({ length: 8 }, () => 'run_1'));
});

test('an aborted run names its failures, advisory ones left out', async () => {
  const result = { case_name: 'tone', key: 'tone', reason: 'rude', advisory: false };
  server.answers(
    ACCEPTED,
    run('aborted', { failed_cases: 1 }),
    json(200, { data: [result, { ...result, case_name: 'idea', advisory: true }] }),
  );
  const outcome = await clientOf(server.url).gate.run(BODY);
  expect(outcome).toMatchObject({ passed: false, failures_complete: true, failures: [{ case: 'tone' }] });
  expect(server.seen.at(-1)?.url).toBe('/v1/runs/run_1/results?outcome=failed&page=1&pageSize=100');
  expect(() => outcome.assertCleared()).toThrow(GateNotCleared);
  expect(() => outcome.assertCleared()).toThrow('Run run_1 is aborted (pass rate 0.5)\n- tone: rude');
});

test('a verdict stays where its failures cannot be read', async () => {
  server.answers(ACCEPTED, run('aborted', { failed_cases: 3 }), error(400, 'VALIDATION_ERROR'));
  const outcome = await clientOf(server.url).gate.run(BODY);
  expect(outcome).toMatchObject({ status: 'aborted', failures: [], failures_complete: false });
});

test('when the wait is over the run is returned as pending, and is not cleared', async () => {
  server.answers(ACCEPTED, PENDING);
  const { gate, time } = clientOf(server.url);
  const outcome = await gate.run(BODY, { wait: '30s' });
  expect(outcome).toMatchObject({ status: 'pending', passed: false });
  expect(() => outcome.assertCleared()).toThrow(GateNotCleared);
  expect(time.pauses.reduce((sum, pause) => sum + pause)).toBe(30_000);
});

test('a status that this client does not know is not cleared', async () => {
  server.answers(json(200, { ...FIGURES, status: 'postponed', failures: [] }));
  const outcome = await clientOf(server.url).gate.run(BODY);
  expect(outcome.passed).toBe(false);
  expect(() => outcome.assertCleared()).toThrow(GateNotCleared);
});

test.each([
  ['10s', true],
  [0, true],
  ['25s', undefined],
  [undefined, undefined],
])('with a wait of %s the run’s id comes at once: %s', async (wait, async) => {
  server.answers(ACCEPTED, run('cleared'));
  await clientOf(server.url).gate.run(BODY, { wait });
  expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
    ...BODY,
    trigger: 'sdk',
    ...(async && { async }),
  });
});

test('a wait of 0 looks once and pauses never', async () => {
  server.answers(ACCEPTED, PENDING);
  const { gate, time } = clientOf(server.url);
  expect(await gate.run(BODY, { wait: 0 })).toMatchObject({ status: 'pending' });
  expect([server.seen.length, time.pauses]).toEqual([2, []]);
});

test('no failure of the service ends a wait before its time, and Retry-After is obeyed up to its end', async () => {
  const faults = Array.from({ length: 9 }, () => error(503, 'INTERNAL_ERROR'));
  server.answers(error(429, 'RATE_LIMITED', { 'retry-after': '300' }), ...faults, run('cleared'));
  const { gate, time } = clientOf(server.url);
  expect(await gate.wait('run_1', { wait: '10m' })).toMatchObject({ passed: true });
  expect(time.pauses[0]).toBe(300_250);
  server.answers(error(503, 'INTERNAL_ERROR'));
  const failure = await failureOf(clientOf(server.url).gate.wait('run_1', { wait: '1m' }));
  expect(failure).toBeInstanceOf(ServiceError);
});

const OUTAGES = [
  ['does not answer', cut],
  ['is not there', error(503, 'INTERNAL_ERROR')],
  ['is behind a proxy that does not reach it', html(502, '<html>')],
  ['has room for no more', error(429, 'RATE_LIMITED', { 'retry-after': '5' })],
] as const;

describe.each(OUTAGES)('a service that %s', (_, fault) => {
  test.each([
    ['30m', 13 * 60_000],
    ['90s', 50_000],
    ['5s', 50_000],
    [0, 50_000],
  ])(
    'with a wait of %s a run, its polls and its failures outlast an outage of %i ms each',
    async (wait, ms) => {
      const { gate, time } = clientOf(server.url);
      let backAtMs = 0;
      const afterOutage =
        (answer: typeof fault): typeof fault =>
        (response, seen) => {
          // What was not passed is read for a minute: the verdict stands without it.
          backAtMs ||= time.state.nowMs + (steps.length === 1 ? 50_000 : ms);
          if (time.state.nowMs < backAtMs) return fault(response, seen);
          backAtMs = 0;
          steps.shift();
          return answer(response, seen);
        };
      const results = json(200, { data: [{ case_name: 'tone', advisory: false }] });
      const steps = [ACCEPTED, run('aborted', { failed_cases: 1 }), results].map(afterOutage);
      server.answers((response, seen) => steps[0]?.(response, seen));
      const outcome = await gate.run(BODY, { wait });
      expect(outcome).toMatchObject({ status: 'aborted', failures: [{ case: 'tone' }] });
      expect(steps).toEqual([]);
    },
  );

  test('ends a run that it never takes with its own failure, after the wait', async () => {
    server.answers(fault);
    const { gate, time } = clientOf(server.url);
    const started = time.state.nowMs;
    expect(await failureOf(gate.run(BODY, { wait: '10m' }))).toMatchObject({
      idempotencyKey: expect.any(String),
    });
    expect(time.state.nowMs - started).toBeGreaterThan(590_000);
    expect(time.state.nowMs - started).toBeLessThanOrEqual(600_000);
  });
});

test('a number of retries bounds other calls than a run and what it waits for', async () => {
  const outage = Array.from({ length: 12 }, () => cut);
  server.answers(...outage, ACCEPTED, ...outage, run('cleared'));
  const { gate } = clientOf(server.url, { retries: 0 });
  expect(await gate.run(BODY)).toMatchObject({ passed: true });
});

test("a run's deadline ends its tries before a minute", async () => {
  server.answers(cut);
  const { gate, time } = clientOf(server.url);
  const started = time.state.nowMs;
  await failureOf(gate.run(BODY, { deadlineMs: 5_000 }));
  expect(time.state.nowMs - started).toBeLessThanOrEqual(5_000);
});

test('a failure after the run was accepted names the key of the run', async () => {
  server.answers(ACCEPTED, error(403, 'SCOPE_REQUIRED'));
  const { gate } = clientOf(server.url);
  const given = await failureOf(gate.run(BODY, { idempotencyKey: 'build-1' }));
  expect(given).toMatchObject({ code: 'SCOPE_REQUIRED', idempotencyKey: 'build-1' });
  server.answers(ACCEPTED, error(403, 'SCOPE_REQUIRED'));
  const { idempotencyKey } = await failureOf(gate.run(BODY));
  expect(server.seen[0]?.headers['idempotency-key']).toBe(idempotencyKey);
});

test("the caller's signal ends a wait", async () => {
  const stop = new AbortController();
  server.answers(ACCEPTED, PENDING);
  const waiting = clientOf(server.url).gate.run(BODY, {
    signal: stop.signal,
    onPending: () => stop.abort(new Error('enough')),
  });
  expect((await failureOf(waiting)).message).toBe('enough');
  expect(server.seen).toHaveLength(1);
});

test('durations are numbers of ms, or have a unit', () => {
  expect(['90s', '15m', '1.5h', '250ms', 7].map(durationMs)).toEqual([90_000, 900_000, 5_400_000, 250, 7]);
  for (const none of ['', '15', 'm', '1d', '-1s', '1.2.3s', '15m x', -1, Number.NaN]) {
    expect(() => durationMs(none)).toThrow(TypeError);
  }
});

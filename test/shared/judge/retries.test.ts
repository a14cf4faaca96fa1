import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { NotMade } from '../../../shared/domain/evaluation/slots/ports.ts';
import { retryAfterMs } from '../../../shared/judge/retry.ts';
import { type Answer, content, failure, raw, verdict } from '../../support/providers.ts';
import { startJudging } from './setup.ts';

const { providers, judgeOnce } = await startJudging();

const limited = (headers: Record<string, string>) => failure(429, { headers });

test('backs off with full jitter over 1, 2 and 4 s', async () => {
  providers.always('openai', failure(503));
  expect((await judgeOnce()).trace.waitsMs).toEqual([500, 1_000, 2_000]);
  expect((await judgeOnce({}, { random: () => 0.999 })).trace.waitsMs).toEqual([999, 1_998, 3_996]);
});

test('a recovered provider gets its verdict through', async () => {
  providers.next('openai', limited({}), failure(500), failure(529));
  const { outcome, trace } = await judgeOnce();
  expect(outcome).toMatchObject({ kind: 'verdict', score: 1 });
  expect(trace.waitsMs).toHaveLength(3);
});

describe('Retry-After', () => {
  test.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': 'Mon, 02 Nov 2026 10:00:12 GMT' }, 12_000],
    [{ 'retry-after': 'Mon, 02 Nov 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after': '86400' }, 30_000],
    [{ 'retry-after-ms': '1500', 'retry-after': '2' }, 1_500],
  ])('%j is at least waited for, up to 30 s', async (headers, leastMs) => {
    providers.next('openai', limited(headers));
    const { outcome, trace } = await judgeOnce({}, { random: () => 0 });
    expect(outcome.kind).toBe('verdict');
    expect(trace.slots.taken).toBe(2);
    expect(trace.waitsMs).toEqual(leastMs === 0 ? [] : [leastMs]);
  });

  test('some jitter comes on top, so that calls do not return all at once', async () => {
    providers.next('openai', limited({ 'retry-after': '7' }));
    expect((await judgeOnce()).trace.waitsMs).toEqual([7_125]);
  });

  const retryInfo = (retryDelay: unknown): Answer => {
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.Help', links: [] },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
    ];
    const error = { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED', details };
    return raw(JSON.stringify([{ error }]), 'application/json', 429);
  };

  test.each([
    ['7s', 7_000],
    ['7.25s', 7_250],
    ['0s', undefined],
    ['-5s', undefined],
    [7, undefined],
  ])("counts, as Google's retryDelay of %j in the body", async (retryDelay, leastMs) => {
    providers.next('google', retryInfo(retryDelay));
    const { outcome, trace } = await judgeOnce({ provider: 'google' }, { random: () => 0 });
    expect(outcome.kind).toBe('verdict');
    expect(trace.waitsMs).toEqual(leastMs === undefined ? [] : [leastMs]);
  });

  test('goes before a retryDelay, and one within a 200 counts, too', async () => {
    const delayed = retryInfo('7s');
    providers.next('google', (call, response) => {
      response.setHeader('retry-after', '3');
      return delayed(call, response);
    });
    expect((await judgeOnce({ provider: 'google' }, { random: () => 0 })).trace.waitsMs).toEqual([3_000]);
    providers.next('google', (call, response) => {
      const { writeHead } = response;
      response.writeHead = ((_status: number, headers: object) =>
        writeHead.call(response, 200, headers as never)) as never;
      return delayed(call, response);
    });
    expect((await judgeOnce({ provider: 'google' }, { random: () => 0 })).trace.waitsMs).toEqual([7_000]);
  });

  test.each(['', 'soon', '-5', 'NaN', '1/2', 'soon GMT'])('%j gives no delay', (text) => {
    expect(retryAfterMs(new Headers({ 'retry-after': text, 'retry-after-ms': text }), 0)).toBeUndefined();
  });
});

test('the unparsable answer and the retries share one budget of four calls', async () => {
  providers.next('openai', failure(503), content('prose'), failure(503), content('prose'));
  const { outcome, trace } = await judgeOnce();
  expect(outcome).toMatchObject({ kind: 'error', code: 'JUDGE_UNPARSABLE' });
  expect(trace.slots.taken).toBe(4);
});

test('no call is begun that could not end in time', async () => {
  providers.always('openai', failure(503));
  let nowMs = 0;
  const { outcome, trace } = await judgeOnce(
    {},
    {
      now: () => nowMs,
      withSlot: async (call) => {
        const value = await call();
        nowMs += 44_000;
        return { kind: 'made', value };
      },
    },
    { callTimeoutMs: 45_000, caseTimeoutMs: 100_000 },
  );
  expect(outcome).toMatchObject({ kind: 'error', code: 'JUDGE_UNAVAILABLE' });
  expect(providers.calls).toHaveLength(2);
  expect(trace.waitsMs).toHaveLength(1);
});

test('waiting for a slot, however long, costs a case none of its calls', async () => {
  providers.always('openai', failure(503));
  let nowMs = 0;
  await judgeOnce(
    {},
    {
      now: () => nowMs,
      withSlot: async (call) => {
        nowMs += 600_000;
        return { kind: 'made', value: await call() };
      },
    },
    { callTimeoutMs: 45_000, caseTimeoutMs: 100_000 },
  );
  expect(providers.calls).toHaveLength(4);
});

const notMade = (why: NotMade) => async () => ({ kind: 'not_made', why }) as const;

test('a key that was revoked meanwhile leaves the case unjudged, also after a failed call', async () => {
  providers.always('openai', failure(503));
  let calls = 0;
  const revoked = { kind: 'not_made', why: 'key_revoked' } as const;
  const { outcome } = await judgeOnce(
    {},
    { withSlot: async (call) => (++calls > 1 ? revoked : { kind: 'made', value: await call() }) },
  );
  expect(outcome).toEqual({ kind: 'not_judged', why: 'key_revoked' });
});

test('no free slot ends the case', async () => {
  const { outcome } = await judgeOnce({}, { withSlot: notMade('no_slot') });
  expect(outcome).toMatchObject({ kind: 'error', code: 'JUDGE_CONCURRENCY_EXCEEDED' });
  expect(providers.calls).toHaveLength(0);
});

test('a case that used up its calls, some of them earlier, fails with the failure of its last call', async () => {
  providers.always('openai', limited({}));
  let calls = 0;
  const exhausted = { kind: 'not_made', why: 'calls_exhausted' } as const;
  const { outcome } = await judgeOnce(
    {},
    { withSlot: async (call) => (++calls > 2 ? exhausted : { kind: 'made', value: await call() }) },
  );
  expect(outcome).toMatchObject({ kind: 'error', code: 'JUDGE_RATE_LIMITED' });
  expect(providers.calls).toHaveLength(2);
  const { outcome: none } = await judgeOnce({}, { withSlot: notMade('calls_exhausted') });
  expect(none).toEqual({ kind: 'not_judged', why: 'calls_exhausted' });
});

test('any other failure of the slots is not a verdict on the provider', async () => {
  const broken = judgeOnce({}, { withSlot: () => Promise.reject(new Error('the table is away')) });
  await expect(broken).rejects.toThrow('the table is away');
});

test('never more than 4 calls, one question repeated at most, every slot given back', async () => {
  const answers: Record<string, Answer> = {
    good: verdict(),
    prose: content('prose'),
    busy: limited({ 'retry-after': '1' }),
    down: failure(503),
    refused: content('no', 'refusal'),
    rejected: failure(401),
    dropped: (_call, response) => void response.destroy(),
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...Object.keys(answers)), { minLength: 6, maxLength: 6 }),
      async (names) => {
        providers.reset();
        providers.next('openai', ...names.map((name) => answers[name]!));
        const { outcome, trace } = await judgeOnce();
        const made = names.slice(0, providers.calls.length);
        expect(made.length).toBeLessThanOrEqual(4);
        expect(made.filter((name) => name === 'prose').length).toBeLessThanOrEqual(2);
        expect(outcome.kind === 'verdict').toBe(made.at(-1) === 'good');
        expect(trace.slots).toEqual({ taken: made.length, held: 0, heldAtSleep: 0 });
      },
    ),
    { numRuns: 60 },
  );
});

test('concurrent cases do not mix', async () => {
  const scores = Array.from({ length: 40 }, (_, at) => (at + 1) / 100);
  const { promise: allArrived, resolve: lastArrived } = Promise.withResolvers<void>();
  providers.always('all', async (call, response) => {
    if (providers.calls.length === scores.length) lastArrived();
    await allArrived;
    await verdict({ score: Number(/out-(0\.\d+)/.exec(call.user)?.[1]) })(call, response);
  });
  const judged = await Promise.all(
    scores.map((score) =>
      judgeOnce({ scale: undefined, candidate: { output: `out-${score.toFixed(2)}`, input: {} } }),
    ),
  );
  expect(judged.map(({ outcome }) => outcome.kind === 'verdict' && outcome.score)).toEqual(scores);
  expect(providers.inFlight.max).toBe(scores.length);
});

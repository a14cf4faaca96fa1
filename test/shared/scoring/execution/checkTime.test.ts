import { expect, test } from '@jest/globals';
import { CheckTime, Unchecked } from '../../../../shared/scoring/kit/checkTime.ts';
import { finishesWithin, isUsedUp } from '../../../../shared/scoring/kit/guard.ts';
import { validateScorerConfig } from '../../../../shared/scoring/registry.ts';
import { VirtualProcessor } from './virtualProcessor.ts';

const NEVER_MS = 1_000_000;

test('a check that reached its own limit took too long, one for which no time is left was not made', () => {
  const processor = new VirtualProcessor();
  const time = new CheckTime(1_000, processor);
  const endless = () => processor.work(NEVER_MS);
  expect(time.lastsFor(20, endless)).toBe(false);
  expect(time.lastsFor(20, () => {})).toBe(true);
  expect(() => {
    for (let count = 0; count < 100; count++) time.lastsFor(20, endless);
  }).toThrow(Unchecked);
  expect(() => time.lastsFor(20, () => {})).toThrow(Unchecked);
  expect(processor.ms()).toBe(1_000);
});

test.each([
  ['json_schema', { schema: { type: 'object' } }],
  ['regex', { pattern: 'a' }],
  ['json_path', { assertions: [{ path: '$.a', op: 'exists' }] }],
])('the config of a %s is not reported as right when no time was left for it', async (type, config) => {
  const none = new CheckTime(0);
  await expect(validateScorerConfig(type, config, { time: none })).rejects.toThrow(Unchecked);
  await expect(validateScorerConfig(type, config)).resolves.toMatchObject({ ok: true });
});

test.each([
  [1, 0.7],
  [2, 1.4],
  [20, 17],
  [1_000, 899],
])('work that is interrupted within %d ms had its limit after %d ms of the processor', (limitMs, tookMs) => {
  expect(isUsedUp(limitMs, tookMs)).toBe(true);
  expect(isUsedUp(limitMs, tookMs * 0.99)).toBe(false);
});

test('work that got little of the processor before its limit begins anew, and is not at fault', () => {
  let begins = 0;
  const finished = finishesWithin(30, () => {
    const sleeper = new Int32Array(new SharedArrayBuffer(4));
    // Little steps: an interrupt strikes between two of them.
    if (++begins === 1) for (;;) Atomics.wait(sleeper, 0, 0, 5);
  });
  expect(finished).toBe(true);
  expect(begins).toBeGreaterThan(1);
});

import { expect, test } from '@jest/globals';
import { CheckTime, Unchecked } from '../../../../shared/scoring/execution/checkTime.ts';
import { processorMs } from '../../../../shared/scoring/execution/guard.ts';
import { validateScorerConfig } from '../../../../shared/scoring/registry.ts';

const endless = () => {
  for (;;);
};

test('a check that reached its own limit took too long, one for which no time is left was not made', () => {
  const time = new CheckTime(1_000);
  expect(time.lastsFor(20, endless)).toBe(false);
  expect(time.lastsFor(20, () => {})).toBe(true);
  expect(() => {
    for (let count = 0; count < 100; count++) time.lastsFor(20, endless);
  }).toThrow(Unchecked);
  expect(() => time.lastsFor(20, () => {})).toThrow(Unchecked);
});

test('however many checks there are, they take no more than their time and the limit of one', () => {
  const [totalMs, limitMs] = [100, 30];
  const time = new CheckTime(totalMs);
  const startMs = processorMs();
  let unchecked = 0;
  for (let count = 0; count < 50; count++) {
    try {
      time.lastsFor(limitMs, endless);
    } catch {
      unchecked++;
    }
  }
  expect(unchecked).toBeGreaterThanOrEqual(46);
  expect(processorMs() - startMs).toBeLessThan(2 * (totalMs + limitMs));
});

test.each([
  ['json_schema', { schema: { type: 'object' } }],
  ['regex', { pattern: 'a' }],
  ['json_path', { assertions: [{ path: '$.a', op: 'exists' }] }],
])('the config of a %s is not said to be right when no time was left for it', async (type, config) => {
  const none = new CheckTime(0);
  await expect(validateScorerConfig(type, config, { time: none })).rejects.toThrow(Unchecked);
  await expect(validateScorerConfig(type, config)).resolves.toMatchObject({ ok: true });
});

import { expect, test } from '@jest/globals';
import { processorMs, psMs } from '../../../bench/floor/processorTime.ts';

test.each([
  ['0:01.23\n', 1_230],
  ['  12:34.50', 754_500],
  ['00:00:07', 7_000],
  ['2-03:04:05', 183_845_000],
])('what ps says as "%s" is %i ms', (time, ms) => {
  expect(psMs(time)).toBeCloseTo(ms);
});

test('the processor time of a process grows with its work', () => {
  const before = processorMs(process.pid);
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < 100_000) JSON.stringify({ work: 'done' });
  expect(processorMs(process.pid)).toBeGreaterThan(before);
});

import { describe, expect, test } from '@jest/globals';
import { finishesWithin, processorMs, runWithin } from '../../../../shared/scoring/execution/guard.ts';

test('the clock of the processor tells times apart that are far below the shortest limit', () => {
  const startMs = processorMs();
  let last = startMs;
  let steps = 0;
  while (last - startMs < 50) {
    const nowMs = processorMs();
    if (nowMs > last) steps++;
    last = nowMs;
  }
  expect((last - startMs) / steps).toBeLessThan(0.1);
});

test('work that had the shortest limit and did not end is given no more', () => {
  let begins = 1;
  const finished = finishesWithin(
    1,
    () => {
      for (;;);
    },
    () => {
      begins++;
    },
  );
  expect({ finished, begins }).toEqual({ finished: false, begins: 1 });
});

describe('work that gets nothing of the processor', () => {
  /** It waits, as work does that the machine does not get to. */
  const asleep = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);

  test.each([
    ['patient', true, 6],
    ['brief', false, 3],
  ])('is tried again where it is %s, and is not said to have used its time', (_, isPatient, attempts) => {
    let begins = 1;
    const ended = runWithin(20, asleep, isPatient, () => {
      begins++;
    });
    expect([ended, begins]).toEqual(['starved', attempts]);
  });
});

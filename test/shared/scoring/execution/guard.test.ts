import { expect, test } from '@jest/globals';
import { finishesWithin, processorMs } from '../../../../shared/scoring/execution/guard.ts';

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
    {
      beginAnew() {
        begins++;
      },
    },
  );
  expect({ finished, begins }).toEqual({ finished: false, begins: 1 });
});

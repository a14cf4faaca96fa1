import { expect, test } from '@jest/globals';
import { finishesWithin } from '../../../../shared/scoring/execution/guard.ts';

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

import { expect, test } from '@jest/globals';
import { holds } from '../../../bench/result.ts';
import { modelNumbers } from '../../../bench/scale/numbers.ts';

test('runs of one organisation that are stored at once are all stored, and soon, while its plan changes, too', async () => {
  const rows = (await modelNumbers('smallest')).filter(({ bound }) => bound !== undefined);
  expect(rows.length).toBeGreaterThan(4);
  expect(rows.filter((row) => !holds(row))).toEqual([]);
});

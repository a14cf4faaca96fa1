import { expect, test } from '@jest/globals';
import { dashboardRows } from '../../../bench/clients/dashboard.ts';
import { holds } from '../../../bench/result.ts';

test('what a browser loads for a page, and for all pages, is within its bounds', async () => {
  const rows = await dashboardRows();
  expect(rows).toHaveLength(7);
  expect(rows.filter((row) => row.bound === undefined || !holds(row))).toEqual([]);
});

import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { runStore } from '../../../../../shared/storage/runs/runs.ts';
import { writeUnits } from '../../../../../shared/storage/table/blobs.ts';
import { runKey } from '../../../../../shared/storage/table/keys.ts';
import { MemoryTable } from '../../../../support/memory/memoryTable.ts';
import { resultOf } from '../../results.ts';
import { finishedRun, makeStoredSuite } from '../../stored.ts';

const NOW_MS = Date.parse('2036-05-05T10:00:00.000Z');
const LENGTH_MAX = 300;

test.each([true, false])(
  'results lie in the item of their run exactly where they begin no further kilobyte of it (default branch: %s)',
  async (isOfDefaultBranch) => {
    const table = new MemoryTable(() => NOW_MS);
    const made = await makeStoredSuite(table);
    const store = runStore(table, randomUUID);
    const results = Array.from({ length: 2 }, (_, index) => resultOf(index, randomUUID()));
    const within: boolean[] = [];
    for (let length = 0; length <= LENGTH_MAX; length++) {
      const finished = finishedRun(made, results, { startedAtMs: NOW_MS, completedAtMs: NOW_MS });
      const run = { ...finished.run, trigger_meta: { title: 'x'.repeat(length) } };
      await store.commit({ ...finished, run, isOfDefaultBranch });
      const item = await table.get(runKey(made.orgId, made.suite.id, length + 1));
      within.push(typeof item?.results !== 'number');
      expect({ length, units: writeUnits(item ?? {}) }).toEqual({ length, units: 1 });
    }
    expect(new Set(within).size).toBe(2);
  },
);

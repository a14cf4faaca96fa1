import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { filteredRuns } from '../../../../shared/storage/runs/filteredRuns.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { resultOf } from '../results.ts';
import { finishedRun, makeStoredSuite, runOf } from '../stored.ts';

const NOW_MS = Date.parse('2036-05-05T10:00:00.000Z');
const RUNS = 5;

test('a filtered list looks through the newest runs up to its bound, however it reads them, and states whether it left older ones out', async () => {
  const table = new MemoryTable(() => NOW_MS);
  const made = await makeStoredSuite(table);
  const ids: string[] = [];
  for (let number = 1; number <= RUNS; number++) {
    const finished = finishedRun(made, [resultOf(0, 'x')], { startedAtMs: NOW_MS, completedAtMs: NOW_MS });
    const run = { ...finished.run, trigger_meta: { pr: number % 2 } };
    ids.unshift(runOf(await runStore(table, randomUUID).commit({ ...finished, run })).id);
  }
  const head = await suiteStore(table).head(made.orgId, made.suite.slug, made.suite.project_id);
  if (head === undefined) throw new Error('the suite is gone');
  const wanted = {
    since: '1970',
    isRequested: ({ trigger_meta }: { trigger_meta: Record<string, unknown> }) => trigger_meta.pr === 1,
    query: { page: 1, pageSize: 100 },
  };
  const odd = (_: string, index: number) => (RUNS - index) % 2 === 1;
  for (let lookedAtMax = 1; lookedAtMax <= RUNS + 1; lookedAtMax++) {
    for (const readAtOnce of [1, 2, RUNS]) {
      const store = filteredRuns(table, { lookedAtMax, readAtOnce });
      const { items, total, truncated } = await store.filtered(made.orgId, head, wanted);
      const expected = ids.slice(0, lookedAtMax).filter(odd);
      expect({ ids: items.map(({ id }) => id), total }).toEqual({ ids: expected, total: expected.length });
      expect(truncated).toBe(lookedAtMax < RUNS);
    }
  }
});

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { handler as listCases } from '../../../functions/cases/list.ts';
import { handler as updateCase } from '../../../functions/cases/update.ts';
import { handler as getDefinition } from '../../../functions/definitions/get.ts';
import { handler as putDefinition } from '../../../functions/definitions/put.ts';
import { handler as createRun } from '../../../functions/runs/create.ts';
import { interleaved } from '../../support/interleaved.ts';
import type { MemoryTable } from '../../support/memory/memoryTable.ts';
import { call, inTable, makeWorld, type World } from './world.ts';

/** Two pushes, an edit by hand and runs at once: it is as if they had come one after the other. */

const says = (text: string) => ({ type: 'contains', config: { values: [text] } });
const definition = (pass_threshold: number, text: string, keys: readonly string[]) => ({
  version: 1,
  suite: 'returns',
  pass_threshold,
  scorers: { says: says(text) },
  cases: keys.map((key) => ({ key, scorer: 'says', input: { key }, weight: keys.length })),
});
const BEFORE = definition(0.5, 'x', ['a', 'b']);
const PUSHES = [definition(0.6, 'y', ['b', 'c', 'a']), definition(0.7, 'z', ['d', 'a'])] as const;
const EDIT = { threshold: 0.25 };
const PARAMS = { slug: 'bot', suiteSlug: 'returns' };

// biome-ignore lint/suspicious/noExplicitAny: what was answered is for the test to judge
type Answer = any;
type Act = (at: World) => Promise<{ status: number; body: Answer }>;
const push =
  (index: 0 | 1): Act =>
  (at) =>
    call(putDefinition, at, {
      params: PARAMS,
      body: { definition: PUSHES[index], prune: true, allow_weaker: true },
    });
const readDefinition = async (at: World) => (await call(getDefinition, at, { params: PARAMS })).body.data;

async function started(): Promise<World & { edit: Act }> {
  const at = await makeWorld();
  expect((await call(putDefinition, at, { params: PARAMS, body: { definition: BEFORE } })).status).toBe(200);
  const cases = (await call(listCases, at, { params: { suiteId: at.suiteId } })).body.data;
  return { ...at, edit: (world) => call(updateCase, world, { params: { caseId: cases[0].id }, body: EDIT }) };
}

const run: Act = (at) => call(createRun, at, { body: { suite: 'returns', output: 'y' } });
/** What it says of a run of the output `y`: which bar it was, without the digest, in which ids stand. */
const digestOfSuite = ({ body }: Awaited<ReturnType<Act>>) =>
  JSON.stringify([
    body.pass_threshold,
    body.total_cases,
    body.pass_rate,
    body.scores?.map((one: Answer) => [one.case, one.threshold, one.passed]),
  ]);

/** Each order of the writers, with the bar after each of them. */
async function serially() {
  const ends = new Set<string>();
  const bars = new Set<string>();
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  for (const order of orders) {
    const at = await started();
    const acts = [push(0), push(1), at.edit];
    bars.add(digestOfSuite(await run(at)));
    for (const index of order) {
      await acts[index]!(at);
      bars.add(digestOfSuite(await run(at)));
    }
    ends.add(JSON.stringify((await readDefinition(at)).definition));
  }
  return { ends, bars };
}

test('two pushes, an edit and runs at once end as in one of their orders, and each run meets a whole bar', async () => {
  const { ends, bars } = await serially();
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const at = await started();
      const table = interleaved(at.runtime.table as MemoryTable, scheduler);
      const world = inTable(at, table);
      const all = Promise.all([push(0)(world), push(1)(world), at.edit(world), run(world), run(world)]);
      await scheduler.waitFor(all);
      const [first, second, edit, ...runs] = await all;
      for (const { status } of [first, second]) expect([200, 409]).toContain(status);
      expect([200, 404, 409]).toContain(edit!.status);
      for (const one of runs) expect(bars).toContain(digestOfSuite(one));
      const end = await readDefinition(at);
      expect(bars).toContain(digestOfSuite(await run(at)));
      const isRefused = [first, second, edit].some((one) => one!.status === 409);
      if (isRefused) return;
      met.add(JSON.stringify(end.definition));
      expect(ends).toContain(JSON.stringify(end.definition));
    }),
    { numRuns: 60 },
  );
  expect(met.size).toBeGreaterThan(1);
});

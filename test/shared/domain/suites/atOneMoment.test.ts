import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createAtOneMoment, revisionsOf } from '../../../../shared/domain/suites/chains/atOneMoment.ts';
import { revisionsName } from '../../../../shared/domain/suites/chains/chains.ts';
import type { ResolvedSuite } from '../../../../shared/domain/suites/resolveSuite.ts';
import type { ProjectHead, SuiteHead } from '../../../../shared/domain/suites/stored.ts';
import { projectHeadKey, suiteHeadKey } from '../../../../shared/storage/table/keys.ts';
import type { Item, Table, Write } from '../../../../shared/storage/table/table.ts';
import { interleaved } from '../../../support/interleaved.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import '../../../support/seed.ts';

const KEYS = { suite: suiteHeadKey('org', 'gate', 'p'), project: projectHeadKey('org', 'bot') };
type Part = keyof typeof KEYS;
const EDITS: Readonly<Record<string, readonly Part[]>> = {
  push: ['suite', 'project'],
  'edit of a case': ['suite'],
  'edit of a scorer': ['project'],
};

const positionIn = (item: Item | undefined) => ({ n: Number(item?.n), token: String(item?.token) });

async function edit(table: Table, parts: readonly Part[], token: string): Promise<void> {
  const flips = parts.map((part): [string, Write] => [
    part,
    {
      Update: {
        Key: KEYS[part],
        UpdateExpression: 'SET #token = :token ADD n :one',
        ExpressionAttributeNames: { '#token': 'token' },
        ExpressionAttributeValues: { ':token': token, ':one': 1 },
      },
    },
  ]);
  await table.transact(Object.fromEntries(flips));
}

const suiteHead = async (table: Table): Promise<SuiteHead> => {
  const item = await table.get(KEYS.suite);
  const names = { suiteId: 's', slug: 'gate', projectId: 'p', projectSlug: 'bot' };
  return { ...names, position: positionIn(item) } as unknown as SuiteHead;
};

const resolve = async (table: Table): Promise<ResolvedSuite> => ({
  head: await suiteHead(table),
  project: { id: 'p', slug: 'bot', position: positionIn(await table.get(KEYS.project)) } as ProjectHead,
});

/** A function that reads the suite, as long as the test lasts. */
function reading(table: Table): () => Promise<string> {
  const atOneMoment = createAtOneMoment({ suites: { head: () => suiteHead(table) } });
  return async () => revisionsName(revisionsOf(await atOneMoment('org', () => resolve(table))));
}

test('a run sees revisions of suite and scorers that were in force together, at a moment of the run', async () => {
  const anyFunction = fc.constantFrom('first', 'second', 'new');
  const anyEdits = fc.array(fc.constantFrom(...Object.keys(EDITS)), { maxLength: 4 });
  const law = fc.asyncProperty(
    fc.scheduler(),
    fc.array(anyEdits, { minLength: 1, maxLength: 2 }),
    fc.array(fc.array(anyFunction, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
    async (scheduler, writers, clients) => {
      const table = new MemoryTable(() => 0);
      for (const key of Object.values(KEYS)) await table.put({ ...key, n: 0, token: 'made' });
      const moments: string[] = [];
      const look = () => {
        const [suite, project] = [KEYS.suite, KEYS.project].map(({ sk }) =>
          positionIn(table.items().find((item) => item.sk === sk)),
        );
        if (suite && project) moments.push(revisionsName({ suite, project }));
      };
      look();
      const seen = interleaved(table, scheduler, look);
      const functions: Record<string, () => Promise<string>> = {
        first: reading(seen),
        second: reading(seen),
      };
      const write = async (kinds: readonly string[], writer: number) => {
        for (const [index, kind] of kinds.entries())
          await edit(seen, EDITS[kind] ?? [], `edit ${writer} ${index}`);
      };
      const run = async (names: readonly string[]) => {
        for (const name of names) {
          const begun = moments.length - 1;
          const answer = await (functions[name] ?? reading(seen))().catch(({ code }) => code);
          // A run that found five edits between its reads gives up.
          if (answer === 'RATE_LIMITED') expect(new Set(moments.slice(begun)).size).toBeGreaterThan(5);
          else expect(moments.slice(begun)).toContain(answer);
        }
      };
      await scheduler.waitFor(Promise.all([...writers.map(write), ...clients.map(run)]));
    },
  );
  await fc.assert(law, { numRuns: 300 });
});

test('a revisions that was seen before costs no further read, and five torn ones are answered with 429', async () => {
  const head = { suiteId: 's', slug: 'gate', projectId: 'p', position: { n: 1, token: 'a' } } as SuiteHead;
  const project = { id: 'p', slug: 'bot', position: { n: 1, token: 'a' } } as ProjectHead;
  let reads = 0;
  let edits = 0;
  const suites = {
    head: async () => {
      reads++;
      return { ...head, position: { n: 1 + edits, token: `${edits}` } };
    },
  };
  const atOneMoment = createAtOneMoment({ suites });
  const read = async () => ({ head: { ...head, position: { n: 1 + edits, token: `${edits}` } }, project });
  await atOneMoment('org', read);
  await atOneMoment('org', read);
  expect(reads).toBe(1);
  const torn = async () => {
    const found = await read();
    edits++;
    return { ...found, head: { ...found.head, position: { n: 100 + edits, token: 'torn' } } };
  };
  await expect(atOneMoment('org', torn)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(edits).toBe(5);
});

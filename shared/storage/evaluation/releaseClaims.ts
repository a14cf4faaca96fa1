import { atOnce } from '../../domain/evaluation/atOnce.ts';
import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import { below, chunkKey, PK, SK, slotsOfAll } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { evaluationStore } from './evaluations.ts';
import { ALL_PENDING_SHARDS } from './pendingRuns.ts';

const RUNS_AT_ONCE = 10;
const RUNS_MAX = 100;
/** Later than every timestamp. */
const EVER = '9999';

/** Only while no evaluator runs. `countsAsTry`: the chunks may have caused the end of their evaluators. */
export async function freeLeftClaims(
  table: Table,
  now: () => number,
  { countsAsTry }: { readonly countsAsTry: boolean },
): Promise<void> {
  const evaluations = evaluationStore(table, now);
  const orgIds = new Set<string>();
  for (const shard of ALL_PENDING_SHARDS) {
    for (let after: string | null | undefined; after !== null; ) {
      const page = await evaluations.pendingPage(shard, {
        createdBefore: EVER,
        after: after ?? null,
        limit: RUNS_MAX,
      });
      await atOnce(RUNS_AT_ONCE, page.items, async ({ orgId, runId }) => {
        orgIds.add(orgId);
        const evaluation = await evaluations.find(orgId, runId);
        if (evaluation?.run.status === 'pending') await freeChunks(table, evaluation, countsAsTry);
      });
      after = page.last;
    }
  }
  await atOnce(RUNS_AT_ONCE, [...orgIds], async (orgId) => {
    for (const slot of await table.query(slotsOfAll(orgId))) await freeSlot(table, slot);
  });
}

async function freeChunks(
  table: Table,
  { orgId, run, runToken }: Evaluation,
  countsAsTry: boolean,
): Promise<void> {
  const chunks = await table.query(below(chunkKey(orgId, run.suite_id, runToken)));
  for (const { holder, claimed_until, ...chunk } of chunks) {
    if (claimed_until === undefined || holder === undefined) continue;
    await table.update({
      Key: { [PK]: chunk[PK], [SK]: chunk[SK] },
      UpdateExpression: `REMOVE claimed_until, holder${countsAsTry ? '' : ' DELETE tried_by :self'}`,
      ConditionExpression: 'holder = :holder AND attribute_not_exists(ended)',
      ExpressionAttributeValues: {
        ':holder': holder,
        ...(!countsAsTry && { ':self': new Set([String(holder)]) }),
      },
    });
  }
}

async function freeSlot(table: Table, { holder, ...slot }: Item): Promise<void> {
  await table.delete(
    { pk: String(slot[PK]), sk: String(slot[SK]) },
    { ConditionExpression: 'holder = :holder', ExpressionAttributeValues: { ':holder': holder } },
  );
}

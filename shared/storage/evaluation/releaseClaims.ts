import { atOnce } from '../../domain/evaluation/atOnce.ts';
import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import { below, chunkKey, PK, SK, slotsOfAll } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { evaluationStore } from './evaluations.ts';

const RUNS_AT_ONCE = 10;
/** Later than every timestamp. */
const EVER = '9999';

/** Only while no evaluator runs. `countsAsTry`: the chunks may have caused the end of their evaluators. */
export async function freeLeftClaims(
  table: Table,
  now: () => number,
  { countsAsTry }: { readonly countsAsTry: boolean },
): Promise<void> {
  const evaluations = evaluationStore(table, now);
  const pending = await evaluations.pendingBefore(EVER);
  await atOnce(RUNS_AT_ONCE, pending, async ({ orgId, runId }) => {
    const evaluation = await evaluations.find(orgId, runId);
    if (evaluation?.run.status === 'pending') await freeChunks(table, evaluation, countsAsTry);
  });
  await atOnce(RUNS_AT_ONCE, [...new Set(pending.map(({ orgId }) => orgId))], async (orgId) => {
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

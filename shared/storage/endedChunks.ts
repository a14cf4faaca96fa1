import type { ChunkSummary, EvaluationStore } from '../domain/evaluation/ports.ts';
import type { ScoredCase } from '../domain/ports.ts';
import { packJson, readBlob, unpackJson, writeBlob } from './blobs.ts';
import { chunkKeyOf, runKeyOf } from './evaluationKeys.ts';
import { below, chunkKey, resultsKey, SK, TTL } from './keys.ts';
import { packResults, unpackResults } from './packing.ts';
import type { Item, Table } from './table.ts';

type EndedChunks = Pick<EvaluationStore, 'finishChunk' | 'markEnded' | 'endedChunks'>;

interface EvaluatedPlace {
  readonly orgId: string;
  readonly suiteId: string;
  readonly attempt: string;
}

const numberOf = (item: Item): number => Number(String(item[SK]).split('#').at(-1));

async function chunkItems(table: Table, { orgId, suiteId, attempt }: EvaluatedPlace): Promise<Item[]> {
  const items = await table.query(below(chunkKey(orgId, suiteId, attempt)));
  return items.filter((item) => item.ended !== undefined);
}

/** Chunks that have ended, and that all of them have. */
export function endedChunks(table: Table): EndedChunks {
  return {
    async finishChunk(evaluation, chunk, holder, results, { failed } = { failed: false }) {
      const { orgId, run, expiresAt } = evaluation;
      const scored = results.map(({ errored: _, weight: __, ...result }) => result);
      const ttl = { [TTL]: expiresAt };
      // Under the holder's own name: one who lost the chunk meanwhile can't write over the other's results.
      const keyOf = (part: number) => resultsKey(orgId, run.suite_id, holder, chunk, part);
      await writeBlob(table, packResults(scored, undefined), keyOf, ttl);
      const { updated, item } = await table.update({
        Key: chunkKeyOf(evaluation, chunk),
        UpdateExpression: `SET ended = :ended, failed = :failed, weighed = :weighed, ${TTL} = :ttl REMOVE claimed_until, calls, tries`,
        ConditionExpression: 'holder = :holder AND attribute_not_exists(ended)',
        ExpressionAttributeValues: {
          ':ended': true,
          ':failed': failed,
          ':weighed': packJson(results.map(({ weight, passed, errored }) => ({ weight, passed, errored }))),
          ':ttl': expiresAt,
          ':holder': holder,
        },
      });
      // The second attempt of a write whose answer got lost finds its own work.
      return updated || (item?.ended === true && item.holder === holder);
    },

    async markEnded(evaluation, chunk) {
      const { item } = await table.update({
        Key: runKeyOf(evaluation),
        UpdateExpression: 'ADD ended_chunks :chunk SET nudges = :none',
        ConditionExpression: 'attempt = :attempt AND #status = :pending',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':chunk': new Set([chunk]),
          ':none': 0,
          ':attempt': evaluation.attempt,
          ':pending': 'pending',
        },
      });
      return [...((item?.ended_chunks as Set<number> | undefined) ?? [])];
    },

    async endedChunks({ orgId, run, attempt }) {
      const items = await chunkItems(table, { orgId, suiteId: run.suite_id, attempt });
      return new Map(
        items.map((item) => [
          numberOf(item),
          {
            failed: item.failed === true,
            weighed: unpackJson(item.weighed as Uint8Array) as ChunkSummary['weighed'],
          },
        ]),
      );
    },
  };
}

/** The results of a run that was evaluated in chunks, in the order of its cases. */
export async function readEvaluatedResults(table: Table, place: EvaluatedPlace): Promise<ScoredCase[]> {
  const { orgId, suiteId } = place;
  const items = await chunkItems(table, place);
  const chunks = items.map(async (item) => {
    const key = resultsKey(orgId, suiteId, String(item.holder), numberOf(item), 0);
    const range = { pk: key.pk, prefix: key.sk.slice(0, key.sk.lastIndexOf('#') + 1) };
    return unpackResults(await readBlob(table, range), undefined);
  });
  return (await Promise.all(chunks)).flat();
}

import type { Evaluation } from '../../../domain/evaluation/evaluation.ts';
import type { EndedChunkStore } from '../../../domain/evaluation/ports.ts';
import { packJson, readBlob, writeBlob } from '../../table/blobs.ts';
import { chunkKeyOf, runKeyOf } from '../../table/evaluationKeys.ts';
import { below, chunkKey, lastNumberOf, resultsKey, TTL } from '../../table/keys.ts';
import type { Item, Table } from '../../table/table.ts';
import { packGated, unpackGated } from './gatedCases.ts';
import { packResults, unpackResults } from './packing.ts';

interface EvaluatedPlace {
  readonly orgId: string;
  readonly suiteId: string;
  readonly runToken: string;
}

/** Smaller results are stored in their chunk's item: a write of their own costs more. */
const KEPT_IN_CHUNK_BYTES_MAX = 1_536;

const chunkItems = (table: Table, { orgId, suiteId, runToken }: EvaluatedPlace): Promise<Item[]> =>
  table.query(below(chunkKey(orgId, suiteId, runToken)));

export async function endedChunkItems(table: Table, place: EvaluatedPlace): Promise<Item[]> {
  return (await chunkItems(table, place)).filter((item) => item.ended !== undefined);
}

const placeOf = ({ orgId, run, runToken }: Evaluation): EvaluatedPlace => ({
  orgId,
  suiteId: run.suite_id,
  runToken,
});

const finishChunk =
  (table: Table, now: () => number): EndedChunkStore['finishChunk'] =>
  async (evaluation, chunk, holder, { results, cases, notices = [], answers, judge, failed = false }) => {
    const { orgId, run, expiresAt } = evaluation;
    const packed = packResults(results);
    const isSmall = packed.length <= KEPT_IN_CHUNK_BYTES_MAX;
    // Under the holder's own name, so that a holder that lost the chunk can't overwrite the results of another.
    const keyOf = (part: number) => resultsKey(orgId, run.suite_id, holder, { chunk, part });
    if (!isSmall) await writeBlob(table, packed, keyOf, { [TTL]: expiresAt });
    const { updated, item } = await table.update({
      Key: chunkKeyOf(evaluation, chunk),
      UpdateExpression: `SET ended = :ended, alive_at = :now, failed = :failed, weighed = :weighed, ${TTL} = :ttl${isSmall ? ', results = :results' : ''}${judge ? ', calls_made = if_not_exists(calls.made, :none)' : ''} REMOVE claimed_until, calls, tried_by, waits, waiter`,
      ConditionExpression: 'holder = :holder AND attribute_not_exists(ended)',
      ExpressionAttributeValues: {
        ':ended': true,
        ':now': now(),
        ':failed': failed,
        ':weighed': packJson({ cases: packGated(cases), notices, answers, judge }),
        ...(judge && { ':none': 0 }),
        ':ttl': expiresAt,
        ':holder': holder,
        ...(isSmall && { ':results': packed }),
      },
    });
    // A write whose answer got lost is repeated, and finds its own item.
    return updated || (item?.ended === true && item.holder === holder);
  };

/** Under another name than the results that they replace, so that no reader finds a part of either. */
const changeResults =
  (table: Table): EndedChunkStore['changeResults'] =>
  async (evaluation, chunk, change) => {
    const { orgId, run, expiresAt } = evaluation;
    const item = await table.get(chunkKeyOf(evaluation, chunk));
    if (item?.ended !== true) return;
    const stored = unpackResults(await packedResults(table, placeOf(evaluation), item));
    const changed = stored.map(change);
    if (changed.every((result, place) => result === stored[place])) return;
    const packed = packResults(changed);
    const holder = `${item.holder}~`;
    const keyOf = (part: number) => resultsKey(orgId, run.suite_id, holder, { chunk, part });
    const isWithin = item.results !== undefined;
    if (!isWithin) await writeBlob(table, packed, keyOf, { [TTL]: expiresAt });
    // Another evaluator that concludes the run writes the same.
    await table.update({
      Key: chunkKeyOf(evaluation, chunk),
      UpdateExpression: `SET holder = :holder${isWithin ? ', results = :results' : ''}`,
      ConditionExpression: 'holder = :former',
      ExpressionAttributeValues: {
        ':holder': holder,
        ':former': item.holder,
        ...(isWithin && { ':results': packed }),
      },
    });
  };

export function endedChunks(table: Table, now: () => number): EndedChunkStore {
  return {
    finishChunk: finishChunk(table, now),
    changeResults: changeResults(table),

    async markEnded(evaluation, chunks) {
      const { item } = await table.update({
        Key: runKeyOf(evaluation),
        UpdateExpression: 'ADD ended_chunks :chunks',
        ConditionExpression: 'attempt = :attempt AND #status = :pending',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':chunks': new Set(chunks),
          ':attempt': evaluation.runToken,
          ':pending': 'pending',
        },
      });
      return [...((item?.ended_chunks as Set<number> | undefined) ?? [])];
    },

    async takenChunks(evaluation) {
      const items = await chunkItems(table, placeOf(evaluation));
      return new Map(
        items.map((item) => [
          lastNumberOf(item),
          {
            ended: item.ended !== undefined,
            aliveAtMs: Number(item.alive_at ?? 0),
            waits: Number(item.waits ?? 0),
          },
        ]),
      );
    },

    async endedChunks(evaluation) {
      const items = await endedChunkItems(table, placeOf(evaluation));
      return new Map(
        items.map((item) => {
          const { judge, ...weighed } = unpackGated(item.weighed as Uint8Array);
          const summary = { failed: item.failed === true, ...weighed };
          const calls = Number(item.calls_made ?? 0);
          return [lastNumberOf(item), { ...summary, ...(judge && { judge: { ...judge, calls } }) }];
        }),
      );
    },
  };
}

/** Results that were packed together, which are read when it is called. */
export type PackedPart = () => Promise<Uint8Array>;

/** The results of a run that was evaluated in chunks, in the order of its cases. */
export async function evaluatedParts(table: Table, place: EvaluatedPlace): Promise<PackedPart[]> {
  const items = await endedChunkItems(table, place);
  return items.map((item) => () => packedResults(table, place, item));
}

async function packedResults(
  table: Table,
  { orgId, suiteId }: EvaluatedPlace,
  item: Item,
): Promise<Uint8Array> {
  if (item.results !== undefined) return item.results as Uint8Array;
  const key = resultsKey(orgId, suiteId, String(item.holder), { chunk: lastNumberOf(item), part: 0 });
  return readBlob(table, { pk: key.pk, prefix: key.sk.slice(0, key.sk.lastIndexOf('#') + 1) });
}

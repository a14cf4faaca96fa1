import { CALLS_PER_CASE_MAX, CLAIM_MS } from '../../domain/evaluation/limits.ts';
import type { ChunkClaimStore } from '../../domain/evaluation/ports.ts';
import { chunkKeyOf } from '../table/evaluationKeys.ts';
import { workingTtlOf } from '../table/expiry.ts';
import { TTL } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

const claimChunk =
  (table: Table, now: () => number): ChunkClaimStore['claim'] =>
  async (evaluation, chunk, holder, { triesMax = Infinity, waits = Infinity } = {}) => {
    const { updated, item } = await table.update({
      Key: chunkKeyOf(evaluation, chunk),
      UpdateExpression: `SET holder = :holder, claimed_until = :until, alive_at = :now, ${TTL} = :ttl, calls = if_not_exists(calls, :none) ADD tried_by :self`,
      ConditionExpression:
        'attribute_not_exists(ended) AND (attribute_not_exists(claimed_until) OR claimed_until <= :now) AND (attribute_not_exists(tried_by) OR size(tried_by) < :max) AND (attribute_not_exists(waits) OR waits <= :waits)',
      ExpressionAttributeValues: {
        ':holder': holder,
        ':self': new Set([holder]),
        ':until': now() + CLAIM_MS,
        ':now': now(),
        ':ttl': workingTtlOf(evaluation)[TTL],
        ':none': {},
        ':max': Math.min(triesMax, Number.MAX_SAFE_INTEGER),
        ':waits': Math.min(waits, Number.MAX_SAFE_INTEGER),
      },
    });
    if (item?.ended !== undefined) return 'done';
    if (updated || item?.holder === holder) return 'claimed';
    if (Number(item?.waits ?? 0) > waits) return 'stale';
    return triesOf(item) >= triesMax ? 'tries_exhausted' : 'held';
  };

const waitForSeat =
  (table: Table, now: () => number): ChunkClaimStore['waitForSeat'] =>
  async (evaluation, chunk, { waits, waiter, triesMax, forSeconds }) => {
    const { updated, item } = await table.update({
      Key: chunkKeyOf(evaluation, chunk),
      UpdateExpression: `SET waits = :waits, waiter = :waiter, alive_at = :due, ${TTL} = :ttl`,
      ConditionExpression:
        'attribute_not_exists(ended) AND (attribute_not_exists(claimed_until) OR claimed_until <= :now) AND (attribute_not_exists(tried_by) OR size(tried_by) < :max) AND (attribute_not_exists(waits) OR waits < :waits)',
      ExpressionAttributeValues: {
        ':waits': waits,
        ':waiter': waiter,
        ':now': now(),
        // Nothing is heard of it before its message comes.
        ':due': now() + 1_000 * forSeconds,
        ':ttl': workingTtlOf(evaluation)[TTL],
        ':max': triesMax,
      },
    });
    if (item?.ended !== undefined) return 'done';
    if (updated || item?.waiter === waiter) return waitsAs(item);
    if (Number(item?.waits ?? 0) >= waits) return 'stale';
    return triesOf(item) >= triesMax ? 'tries_exhausted' : 'held';
  };

const waitsAs = (item: Item | undefined) => (triesOf(item) > 0 ? 'waits_tried' : 'waits');

const beginCalls =
  (table: Table, now: () => number): ChunkClaimStore['beginCalls'] =>
  async (evaluation, chunk, holder, caseIndexes, callsMaxOf = () => CALLS_PER_CASE_MAX) => {
    const bounds = caseIndexes.map(callsMaxOf);
    const places = caseIndexes.map((_, place) => `calls.#case${place}`);
    const { updated, item } = await table.update({
      Key: chunkKeyOf(evaluation, chunk),
      UpdateExpression: `SET ${places.map((place) => `${place} = if_not_exists(${place}, :zero) + :one`).join(', ')}, calls.made = if_not_exists(calls.made, :zero) + :made, claimed_until = :until, alive_at = :now`,
      ConditionExpression: `holder = :holder AND attribute_not_exists(ended) AND ${places.map((place, index) => `(attribute_not_exists(${place}) OR ${place} < :max${bounds[index]})`).join(' AND ')}`,
      ExpressionAttributeNames: Object.fromEntries(
        caseIndexes.map((index, place) => [`#case${place}`, String(index)]),
      ),
      ExpressionAttributeValues: {
        ':zero': 0,
        ':one': 1,
        ':made': caseIndexes.length,
        ...Object.fromEntries(bounds.map((bound) => [`:max${bound}`, bound])),
        ':holder': holder,
        ':until': now() + CLAIM_MS,
        ':now': now(),
      },
    });
    if (updated) return 'begun';
    return item?.holder === holder && item.ended === undefined ? 'exhausted' : 'lost';
  };

const triesOf = (item: Item | undefined): number => (item?.tried_by as Set<string> | undefined)?.size ?? 0;

/** `tried_by`: holders that neither ended the chunk nor gave it back; a set counts repeated writes once. */
export function chunkClaims(table: Table, now: () => number): ChunkClaimStore {
  return {
    claim: claimChunk(table, now),
    waitForSeat: waitForSeat(table, now),

    async keepClaim(evaluation, chunk, holder) {
      const { updated } = await table.update({
        Key: chunkKeyOf(evaluation, chunk),
        UpdateExpression: 'SET claimed_until = :until, alive_at = :now',
        ConditionExpression: 'holder = :holder AND attribute_not_exists(ended)',
        ExpressionAttributeValues: { ':holder': holder, ':until': now() + CLAIM_MS, ':now': now() },
      });
      return updated;
    },

    async release(evaluation, chunk, holder, { countsAsTry, waits }) {
      await table.update({
        Key: chunkKeyOf(evaluation, chunk),
        UpdateExpression: `SET alive_at = :now${waits === undefined ? '' : ', waits = :waits'} REMOVE claimed_until, holder${countsAsTry ? '' : ' DELETE tried_by :self'}`,
        ConditionExpression: 'holder = :holder AND attribute_not_exists(ended)',
        ExpressionAttributeValues: {
          ':holder': holder,
          ':now': now(),
          ...(waits !== undefined && { ':waits': waits }),
          ...(!countsAsTry && { ':self': new Set([holder]) }),
        },
      });
    },

    async uncountTry(evaluation, chunk, holder) {
      await table.update({
        Key: chunkKeyOf(evaluation, chunk),
        UpdateExpression: 'DELETE tried_by :self',
        ConditionExpression: 'attribute_exists(tried_by)',
        ExpressionAttributeValues: { ':self': new Set([holder]) },
      });
    },

    beginCalls: beginCalls(table, now),
  };
}

import { createHash } from 'node:crypto';
import type { Claim, Evaluation, EvaluationStore, WeighedCase } from '../domain/evaluation/ports.ts';
import { PART_BYTES_MAX, packJson, readBlob, unpackJson, writeBlob } from './blobs.ts';
import { chunkKeyOf, workingTtlOf } from './evaluationKeys.ts';
import { below, judgedKey, judgedPartKey, SK, TTL } from './keys.ts';
import type { Item, Table } from './table.ts';

/** Renewed by every judge call, which may take 45 s: a chunk whose holder died is free again soon after. */
const CLAIM_MS = 90_000;
/** One question and three repetitions, counted in the table, so that no crash adds to them. */
const CALLS_PER_CASE_MAX = 4;

type ChunkClaims = Pick<EvaluationStore, 'claim' | 'release' | 'beginCall'>;

/** Who works on a chunk, and how often its judges were called. */
export function chunkClaims(table: Table, now: () => number): ChunkClaims {
  return {
    async claim(evaluation, chunk, holder, triesMax = Number.MAX_SAFE_INTEGER): Promise<Claim> {
      const { updated, item } = await table.update({
        Key: chunkKeyOf(evaluation, chunk),
        UpdateExpression: `SET holder = :holder, claimed_until = :until, ${TTL} = :ttl, calls = if_not_exists(calls, :none), tries = if_not_exists(tries, :zero) + :one`,
        ConditionExpression:
          'attribute_not_exists(ended) AND (attribute_not_exists(claimed_until) OR claimed_until <= :now) AND (attribute_not_exists(tries) OR tries < :max)',
        ExpressionAttributeValues: {
          ':holder': holder,
          ':until': now() + CLAIM_MS,
          ':now': now(),
          ':ttl': workingTtlOf(evaluation)[TTL],
          ':none': {},
          ':zero': 0,
          ':one': 1,
          ':max': triesMax,
        },
      });
      if (item?.ended !== undefined) return 'done';
      if (updated || item?.holder === holder) return 'claimed';
      return Number(item?.tries) >= triesMax ? 'worn_out' : 'held';
    },

    async release(evaluation, chunk, holder, why) {
      await table.update({
        Key: chunkKeyOf(evaluation, chunk),
        UpdateExpression: 'SET tries = tries - :given REMOVE claimed_until, holder',
        ConditionExpression: 'holder = :holder AND attribute_not_exists(ended)',
        ExpressionAttributeValues: { ':holder': holder, ':given': why === 'waits' ? 1 : 0 },
      });
    },

    async beginCall(evaluation, chunk, holder, caseIndex) {
      const { updated, item } = await table.update({
        Key: chunkKeyOf(evaluation, chunk),
        UpdateExpression:
          'SET calls.#case = if_not_exists(calls.#case, :zero) + :one, claimed_until = :until',
        ConditionExpression:
          'holder = :holder AND attribute_not_exists(ended) AND (attribute_not_exists(calls.#case) OR calls.#case < :max)',
        ExpressionAttributeNames: { '#case': String(caseIndex) },
        ExpressionAttributeValues: {
          ':zero': 0,
          ':one': 1,
          ':max': CALLS_PER_CASE_MAX,
          ':holder': holder,
          ':until': now() + CLAIM_MS,
        },
      });
      if (updated) return 'begun';
      return item?.holder === holder && item.ended === undefined ? 'exhausted' : 'lost';
    },
  };
}

/** Cases that need no second call, whatever becomes of their evaluator. */
export function judgedCases(table: Table): Pick<EvaluationStore, 'saveJudged' | 'judged'> {
  return {
    async saveJudged(evaluation, chunk, caseIndex, result) {
      const { orgId, run, attempt } = evaluation;
      await table.put({
        ...judgedKey(orgId, run.suite_id, attempt, chunk, caseIndex),
        ...workingTtlOf(evaluation),
        ...(await stored(table, evaluation, packJson(result))),
      });
    },

    async judged(evaluation, chunk) {
      const { orgId, run, attempt } = evaluation;
      const items = await table.query(below(judgedKey(orgId, run.suite_id, attempt, chunk)));
      const results = items.map(async (item) => {
        const bytes = await bytesOf(table, evaluation, item);
        return [Number(String(item[SK]).split('#').at(-1)), unpackJson(bytes) as WeighedCase] as const;
      });
      return new Map(await Promise.all(results));
    },
  };
}

/** A provider's response may exceed an item. Its parts go first, by their hash, so that none are ever mixed. */
async function stored(table: Table, evaluation: Evaluation, bytes: Buffer): Promise<Item> {
  if (bytes.length <= PART_BYTES_MAX) return { bytes };
  const { orgId, run } = evaluation;
  const parts = createHash('sha256').update(bytes).digest('hex');
  const keyOf = (part: number) => judgedPartKey(orgId, run.suite_id, parts, part);
  await writeBlob(table, bytes, keyOf, workingTtlOf(evaluation));
  return { parts };
}

async function bytesOf(
  table: Table,
  { orgId, run }: Evaluation,
  { bytes, parts }: Item,
): Promise<Uint8Array> {
  if (parts === undefined) return bytes as Uint8Array;
  return readBlob(table, below(judgedPartKey(orgId, run.suite_id, String(parts))));
}

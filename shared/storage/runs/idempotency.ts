import { IDEMPOTENCY_CLAIM_MS } from '../../domain/limits.ts';
import { type RunPlace, runId } from '../../domain/runs/ids.ts';
import type { IdempotencyClaim, IdempotencyStore } from '../../domain/runs/ports.ts';
import { DAY_MS, timestamp } from '../../domain/time.ts';
import { seconds } from '../table/documents.ts';
import { idempotencyKey, TTL } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';

/** The transaction that stores the run also ends the claim, so that a key never has two runs. */
export function completeIdempotency(
  orgId: string,
  claim: IdempotencyClaim | undefined,
  place: RunPlace,
): Record<string, Write> {
  if (claim === undefined) return {};
  return {
    idempotency: {
      Update: {
        Key: idempotencyKey(orgId, claim.keySha256),
        UpdateExpression: 'SET run_id = :run REMOVE claimed_until',
        ConditionExpression: 'claim = :claim AND attribute_not_exists(run_id)',
        ExpressionAttributeValues: { ':run': runId(place), ':claim': claim.id },
      },
    },
  };
}

export function idempotencyStore(table: Table, now: () => number): IdempotencyStore {
  return {
    async claim(orgId, { keySha256, bodySha256, id }) {
      const nowMs = now();
      const { updated, item } = await table.update({
        Key: idempotencyKey(orgId, keySha256),
        UpdateExpression: `SET claim = :claim, body = :body, claimed_until = :until, ${TTL} = :ttl REMOVE run_id`,
        ConditionExpression: `attribute_not_exists(claim) OR ${TTL} <= :now_seconds
          OR (attribute_not_exists(run_id) AND claimed_until <= :now AND body = :body)`,
        ExpressionAttributeValues: {
          ':claim': id,
          ':body': bodySha256,
          ':until': nowMs + IDEMPOTENCY_CLAIM_MS,
          ':ttl': seconds(timestamp(nowMs + DAY_MS)),
          ':now': nowMs,
          ':now_seconds': Math.floor(nowMs / 1_000),
        },
      });
      if (updated || item?.claim === id) return { kind: 'claimed' };
      if (item?.body !== bodySha256) return { kind: 'other_body' };
      return item.run_id === undefined
        ? { kind: 'in_progress' }
        : { kind: 'done', runId: String(item.run_id) };
    },

    async release(orgId, { keySha256, id }) {
      await table.delete(idempotencyKey(orgId, keySha256), {
        ConditionExpression: 'claim = :claim AND attribute_not_exists(run_id)',
        ExpressionAttributeValues: { ':claim': id },
      });
    },
  };
}

import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backoff } from './backoff.ts';
import { type Key, PK, SK, TTL } from './keys.ts';
import type { Item, QueryRange, SdkWrite, Write } from './table.ts';

const TRANSIENT = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

export const idOf = (key: Item | Key): string =>
  `${key[PK as keyof typeof key]}\n${key[SK as keyof typeof key]}`;

export function rangeExpression({ pk, prefix, between }: QueryRange) {
  if (between !== undefined) {
    return {
      KeyConditionExpression: `${PK} = :pk AND ${SK} BETWEEN :from AND :to`,
      ExpressionAttributeValues: { ':pk': pk, ':from': between[0], ':to': between[1] },
    };
  }
  return {
    KeyConditionExpression: `${PK} = :pk AND begins_with(${SK}, :prefix)`,
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix ?? '' },
  };
}

export function projection(only: readonly string[] | undefined) {
  if (only === undefined) return {};
  const fields = [...new Set([...only, PK, SK, TTL, 'deleted_at'])];
  return {
    ProjectionExpression: fields.map((_, index) => `#f${index}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(fields.map((field, index) => [`#f${index}`, field])),
  };
}

export function inTable(table: string, write: Write): SdkWrite {
  const actions = Object.entries(write).map(([action, input]) => [
    action,
    { TableName: table, ReturnValuesOnConditionCheckFailure: 'ALL_OLD', ...input },
  ]);
  return Object.fromEntries(actions) as SdkWrite;
}

export function failedConditions<Name extends string>(
  names: readonly Name[],
  error: unknown,
): Map<Name, Item | undefined> | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const failed = new Map<Name, Item | undefined>();
  error.CancellationReasons?.forEach((reason, index) => {
    const name = names[index];
    if (reason.Code !== 'ConditionalCheckFailed' || name === undefined) return;
    failed.set(name, reason.Item === undefined ? undefined : unmarshall(reason.Item));
  });
  return failed.size > 0 ? failed : undefined;
}

const RETRIES_MAX = 20;

/** Repeats requests that met another writer's transaction: nothing of them was applied. */
export async function untilNoConflict<T>(
  send: () => Promise<T>,
  wait: (attempt: number) => Promise<void> = backoff,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (!isTransient(error) || attempt >= RETRIES_MAX) throw error;
      await wait(attempt);
    }
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof TransactionInProgressException || error instanceof TransactionConflictException)
    return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = error.CancellationReasons?.map((reason) => reason.Code ?? '') ?? [];
  return !codes.includes('ConditionalCheckFailed') && codes.some((code) => TRANSIENT.has(code));
}

/** Engines drop expired items days late: an item past its time counts as gone. */
export function isVisible(item: Item | undefined, nowMs: number): boolean {
  if (item === undefined || item.deleted_at !== undefined) return false;
  const expiresAt = item[TTL];
  return typeof expiresAt !== 'number' || expiresAt * 1_000 > nowMs;
}

import { randomUUID } from 'node:crypto';
import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backoff } from './backoff.ts';
import { type Key, PK, SK, TTL } from './keys.ts';
import type { Item, QueryRange, SdkWrite, TransactOptions, Write } from './table.ts';

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

function inTable(table: string, write: Write): SdkWrite {
  const actions = Object.entries(write).map(([action, input]) => [
    action,
    { TableName: table, ReturnValuesOnConditionCheckFailure: 'ALL_OLD', ...input },
  ]);
  return Object.fromEntries(actions) as SdkWrite;
}

export const transaction = (table: string, writes: readonly Write[]): TransactWriteCommand =>
  new TransactWriteCommand({
    TransactItems: writes.map((write) => inTable(table, write)),
    ReturnConsumedCapacity: 'TOTAL',
    // The same token on every try, so that a commit whose answer got lost is not made twice.
    ClientRequestToken: randomUUID(),
  });

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

/** Repeats a request that another writer's transaction cancelled, unless `once` is set: nothing of it was applied. */
export async function untilNoConflict<T>(
  send: () => Promise<T>,
  wait: (attempt: number) => Promise<void> = backoff,
  { once = false }: TransactOptions = {},
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const isRepeated = isInProgress(error) || (!once && isConflict(error));
      if (!isRepeated || attempt >= RETRIES_MAX) throw error;
      await wait(attempt);
    }
  }
}

/** The same transaction is under way already: sent again, it answers how that one ended. */
const isInProgress = (error: unknown): boolean => error instanceof TransactionInProgressException;

/** Another writer's transaction, or a throttled one: nothing was applied. */
export function isConflict(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true;
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

import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Key, PK, SK } from './keys.ts';
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

export function isTransient(error: unknown): boolean {
  if (error instanceof TransactionInProgressException) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  return error.CancellationReasons?.some((reason) => TRANSIENT.has(reason.Code ?? '')) ?? false;
}

import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { isConflict, untilNoConflict } from '../../../../shared/storage/table/dynamoRequests.ts';

const fields = { $metadata: {}, message: 'no' };
const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({ ...fields, CancellationReasons: codes.map((Code) => ({ Code })) });
const CONFLICTS = [
  new TransactionConflictException(fields),
  cancelled('None', 'TransactionConflict'),
  cancelled('ThrottlingError', 'None'),
];
const noWait = async () => {};

/** Fails so often with this error, then answers how often it was sent. */
function failing(error: unknown, times: number): () => Promise<number> {
  let sent = 0;
  return async () => {
    if (sent++ < times) throw error;
    return sent;
  };
}

test.each(CONFLICTS)(
  'a write that meets another transaction is sent again, unless once: %s',
  async (error) => {
    expect(isConflict(error)).toBe(true);
    expect(await untilNoConflict(failing(error, 20), noWait)).toBe(21);
    await expect(untilNoConflict(failing(error, 21), noWait)).rejects.toBe(error);
    await expect(untilNoConflict(failing(error, 1), noWait, { once: true })).rejects.toBe(error);
  },
);

test('a failed condition is not sent again, also where another item was held', async () => {
  const error = cancelled('ConditionalCheckFailed', 'TransactionConflict');
  expect(isConflict(error)).toBe(false);
  await expect(untilNoConflict(failing(error, 1), noWait)).rejects.toBe(error);
});

test('a transaction that is under way already is asked for again until it says how it ended', async () => {
  const error = new TransactionInProgressException({ ...fields, Message: 'no' });
  expect(isConflict(error)).toBe(false);
  expect(await untilNoConflict(failing(error, 3), noWait, { once: true })).toBe(4);
});

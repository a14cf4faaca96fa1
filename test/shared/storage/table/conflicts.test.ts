import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { expect, jest, test } from '@jest/globals';
import { retryOnConflict } from '../../../../shared/storage/table/backoff.ts';
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

test('a transaction that is under way already is sent again until it reports how it ended', async () => {
  const error = new TransactionInProgressException({ ...fields, Message: 'no' });
  expect(isConflict(error)).toBe(false);
  expect(await untilNoConflict(failing(error, 3), noWait, { once: true })).toBe(4);
});

test('a step is repeated until it settles, and its result is the answer', async () => {
  let steps = 0;
  const settled = await retryOnConflict(async () => (++steps < 4 ? undefined : 'done'));
  expect([settled, steps]).toEqual(['done', 4]);
});

test.each([false, null, 0, ''])('%p is a result, not a reason to go on', async (result) => {
  let steps = 0;
  const step = async () => {
    steps++;
    return result;
  };
  expect(await retryOnConflict<unknown>(step)).toBe(result);
  expect(steps).toBe(1);
});

test('an error ends it at once', async () => {
  let steps = 0;
  const step = async () => {
    steps++;
    throw new Error('broken');
  };
  await expect(retryOnConflict(step)).rejects.toThrow('broken');
  expect(steps).toBe(1);
});

test('a step that never settles is given up with an error', async () => {
  const random = jest.spyOn(Math, 'random').mockReturnValue(0);
  let steps = 0;
  const never = async () => {
    steps++;
    return undefined;
  };
  await expect(retryOnConflict(never)).rejects.toThrow('Gave up');
  expect(steps).toBe(60);
  random.mockRestore();
});

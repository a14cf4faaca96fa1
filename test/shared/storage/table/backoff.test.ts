import { expect, jest, test } from '@jest/globals';
import { retryOnConflict } from '../../../../shared/storage/table/backoff.ts';

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

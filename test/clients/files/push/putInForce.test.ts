import { expect, test } from '@jest/globals';
import { putInForce } from '../../../../clients/files/push/putInForce.ts';

const change = (key: string, action = 'update') => ({ kind: 'case', key, action });
const answerOf = (version: number, ...changes: ReturnType<typeof change>[]) => ({
  definition_version: version,
  applied: false,
  changes,
  weaker: [] as ReturnType<typeof change>[],
});
type Answer = ReturnType<typeof answerOf>;

/** A service that answers one after another. */
function service(...answers: (Answer | Error)[]) {
  const asked: object[] = [];
  const put = async (options: object): Promise<Answer> => {
    asked.push(options);
    const next = answers.shift();
    if (next === undefined || next instanceof Error) throw next;
    return next;
  };
  return { asked, put };
}

const conflict = (isUnsure: boolean) =>
  Object.assign(new Error('changed'), { code: 'VERSION_CONFLICT', isUnsure });

test('what was shown is pushed with its version, and with a weaker bar only where one was shown', async () => {
  const { asked, put } = service(answerOf(5));
  const shown = { ...answerOf(4, change('a')), weaker: [change('a')] };
  await putInForce({ shown, isFresh: true, put });
  expect(asked).toEqual([{ allow_weaker: true, expected_definition_version: 4 }]);
});

test('after another push the plan is made again, and only a part of what was shown is pushed', async () => {
  const part = service(answerOf(7, change('a')), answerOf(8));
  expect(
    await putInForce({ shown: answerOf(4, change('a'), change('b')), isFresh: false, put: part.put }),
  ).toMatchObject({
    definition_version: 8,
  });
  expect(part.asked).toEqual([{ dry_run: true }, { allow_weaker: false, expected_definition_version: 7 }]);
  const other = service(answerOf(7, change('a'), change('c')));
  expect(
    await putInForce({ shown: answerOf(4, change('a')), isFresh: false, put: other.put }),
  ).toBeUndefined();
  expect(other.asked).toEqual([{ dry_run: true }]);
});

test('a conflict means that it was changed, unless the answer of a try before got lost and nothing is left to change', async () => {
  const shown = answerOf(4, change('a'));
  expect(await putInForce({ shown, isFresh: true, ...service(conflict(false)) })).toBeUndefined();
  const applied = service(conflict(true), answerOf(5, change('x', 'keep')));
  expect(await putInForce({ shown, isFresh: true, put: applied.put })).toMatchObject({
    definition_version: 5,
    applied: true,
  });
  expect(
    await putInForce({ shown, isFresh: true, ...service(conflict(true), answerOf(5, change('a'))) }),
  ).toBeUndefined();
});

test('any other refusal is passed on', async () => {
  const refused = Object.assign(new Error('stale'), { code: 'STALE_PUSH' });
  await expect(putInForce({ shown: answerOf(1), isFresh: true, ...service(refused) })).rejects.toBe(refused);
});

test('a change stays as shown when another push clears its by_hand', async () => {
  const shown = { ...answerOf(4), changes: [{ ...change('a'), by_hand: true }] };
  const now = { ...answerOf(7), changes: [{ ...change('a'), by_hand: false }] };
  const { put } = service(now, answerOf(8));
  expect(await putInForce({ shown, isFresh: false, put })).toMatchObject({ definition_version: 8 });
});

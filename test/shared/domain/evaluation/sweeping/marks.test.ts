import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  MARK_AGAIN_AFTER_MS,
  MARK_LOST_AFTER_MS,
  MARKS_MAX,
} from '../../../../../shared/domain/evaluation/limits.ts';
import { createMarks } from '../../../../../shared/domain/evaluation/sweeping/marks.ts';
import type { WorkMessage } from '../../../../../shared/domain/messages.ts';
import { queueMarkStore } from '../../../../../shared/storage/evaluation/queueMarks.ts';
import { type OwnTable, startOwnTable } from '../../../../support/ownService.ts';

let own: OwnTable;
beforeAll(async () => {
  own = await startOwnTable();
});
afterAll(() => own.stop());

const NOW_MS = Date.now();

function marking(nowMs = NOW_MS) {
  const sent: string[] = [];
  const queueMarks = queueMarkStore(own.table);
  const send = async (messages: readonly WorkMessage[]) => {
    for (const message of messages) sent.push(message.org_id);
  };
  const mark = createMarks({ queueMarks, queue: { send } }, nowMs);
  return { sent, queueMarks, mark: async (orgIds: string[]) => mark(orgIds, await queueMarks.known(orgIds)) };
}

test('a sweep sends a bounded number of marks, however many organisations wait', async () => {
  const { sent, mark } = marking();
  for (let page = 0; page < 3; page++) await mark(Array.from({ length: 40 }, () => randomUUID()));
  expect(sent).toHaveLength(MARKS_MAX);
});

test('organisations whose marks are on their way leave the bound to others', async () => {
  const first = Array.from({ length: MARKS_MAX }, () => randomUUID());
  await marking().mark(first);
  const later = Array.from({ length: MARKS_MAX }, () => randomUUID());
  const { sent, mark } = marking(NOW_MS + 1);
  await mark([...first, ...later]);
  expect(sent).toEqual(later);
});

test('organisations whose marks were delivered a moment ago leave the bound to others, too', async () => {
  const all = Array.from({ length: 3 * MARKS_MAX }, () => randomUUID());
  const marked = new Set<string>();
  for (let minute = 0; minute < 3; minute++) {
    const atMs = NOW_MS + 60_000 * minute;
    const { sent, mark, queueMarks } = marking(atMs);
    await mark(all);
    for (const orgId of sent) {
      marked.add(orgId);
      await queueMarks.pass(orgId, atMs);
    }
  }
  expect(marked.size).toBe(all.length);
});

test('a mark follows when the one before was delivered or lost, and sweeps at once send one', async () => {
  const orgId = randomUUID();
  const [one, other] = [marking(), marking()];
  await Promise.all([one.mark([orgId]), other.mark([orgId])]);
  expect([...one.sent, ...other.sent]).toEqual([orgId]);
  await one.queueMarks.pass(orgId, NOW_MS);
  const next = marking(NOW_MS + MARK_AGAIN_AFTER_MS);
  await next.mark([orgId]);
  expect(next.sent).toEqual([orgId]);
  const late = marking(NOW_MS + MARK_AGAIN_AFTER_MS + MARK_LOST_AFTER_MS);
  await late.mark([orgId]);
  expect(late.sent).toEqual([orgId]);
});

test('a mark that is delivered again, or late, says nothing new', async () => {
  const orgId = randomUUID();
  const { queueMarks } = marking();
  for (const sentAtMs of [NOW_MS, NOW_MS - 5, NOW_MS]) await queueMarks.pass(orgId, sentAtMs);
  expect((await queueMarks.known([orgId])).get(orgId)).toEqual({ sentAtMs: 0, passedAtMs: NOW_MS });
});

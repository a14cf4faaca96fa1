import { beforeEach, expect, test } from '@jest/globals';
import type { Evaluation } from '../../../../shared/domain/evaluation/evaluation.ts';
import type { WaitingChunkStore } from '../../../../shared/domain/evaluation/ports.ts';
import { waitingChunkStore } from '../../../../shared/storage/evaluation/waitingChunks.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';

const ORG = 'an organisation';
const clock = { ms: 0 };
let waiting: WaitingChunkStore;
beforeEach(() => {
  clock.ms = Date.parse('2026-05-05T10:00:00.000Z');
  const now = () => clock.ms;
  waiting = waitingChunkStore(new MemoryTable(now), now);
});

const runOf = (nth: number, orgId = ORG): Evaluation =>
  ({ orgId, run: { id: `run_${nth}`, created_at: `2026-05-05T09:00:0${nth}.000Z` } }) as Evaluation;
const messageOf = (nth: number, chunk: number, waits = 1, org_id = ORG) =>
  ({ kind: 'chunk', org_id, run_id: `run_${nth}`, chunk, waits, held: 0 }) as const;
const list = (nth: number, chunk: number, waits = 1, forSeconds = 2) =>
  waiting.list(runOf(nth), messageOf(nth, chunk, waits), 'openai', { isTried: false, forSeconds });
const oldest = () => waiting.oldest(ORG, 'openai');
const take = async () => {
  const found = await oldest();
  return found && (await waiting.take(found, 'openai')) ? found.message : undefined;
};

test('the oldest run goes first, its chunks in order, each once', async () => {
  await list(2, 0);
  await list(1, 1);
  await list(1, 0, 3);
  expect([await take(), await take(), await take(), await take()]).toEqual([
    messageOf(1, 0, 3),
    messageOf(1, 1),
    messageOf(2, 0),
    undefined,
  ]);
});

test('of several evaluators that take a chunk at once, one gets it', async () => {
  await list(1, 0);
  const found = await oldest();
  const taken = await Promise.all(Array.from({ length: 8 }, () => found && waiting.take(found, 'openai')));
  expect(taken.filter(Boolean)).toEqual([true]);
});

test('a chunk that was listed again since it was found is not taken', async () => {
  await list(1, 0, 1);
  const found = await oldest();
  await list(1, 0, 2);
  expect(found && (await waiting.take(found, 'openai'))).toBe(false);
  expect(await take()).toEqual(messageOf(1, 0, 2));
});

test('a chunk waits until its message must have come back, or it is taken off the list', async () => {
  await list(1, 0, 1, 2);
  await list(1, 1, 1, 60);
  expect(await waiting.areAny(ORG)).toBe(true);
  clock.ms += 40_000;
  await waiting.unlist(runOf(1), 1, 'openai');
  expect(await waiting.areAny(ORG)).toBe(false);
  expect(await oldest()).toBeUndefined();
});

test('chunks of other organisations and providers are not found; any provider counts for the sign that one waits', async () => {
  const wait = { isTried: true, forSeconds: 9 };
  await waiting.list(runOf(1, 'another'), messageOf(1, 0, 1, 'another'), 'openai', wait);
  await waiting.list(runOf(1), messageOf(1, 0), 'anthropic', wait);
  expect(await oldest()).toBeUndefined();
  expect(await waiting.areAny(ORG)).toBe(true);
  expect(await waiting.oldest(ORG, 'anthropic')).toEqual({
    message: messageOf(1, 0),
    runCreatedAt: runOf(1).run.created_at,
    isTried: true,
  });
});

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Evaluation } from '../../../../shared/domain/evaluation/evaluation.ts';
import type { EvaluationStore } from '../../../../shared/domain/evaluation/ports.ts';
import { evaluationStore } from '../../../../shared/storage/evaluation/evaluations.ts';
import { freeLeftClaims } from '../../../../shared/storage/evaluation/releaseClaims.ts';
import { slotStore } from '../../../../shared/storage/evaluation/slots.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { TTL } from '../../../../shared/storage/table/keys.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { resultOf } from '../results.ts';
import { admission, makeStoredSuite, runOf } from '../stored.ts';

const TRIES_MAX = 5;
const CHUNK = 0;

const memory = new MemoryTable(Date.now);

const clock = { ms: 0 };
let store: EvaluationStore;
let evaluation: Evaluation;
beforeEach(async () => {
  clock.ms = Date.now();
  store = evaluationStore(memory, () => clock.ms);
  const made = await makeStoredSuite(memory);
  const run = runOf(await runStore(memory, randomUUID).admit(admission(made)));
  const found = await store.find(made.orgId, run.id);
  if (found === undefined) throw new Error('the run is not there');
  evaluation = found;
});

const claim = (holder: string, waits?: number) =>
  store.claim(evaluation, CHUNK, holder, { triesMax: TRIES_MAX, ...(waits !== undefined && { waits }) });
const pass = (seconds: number) => {
  clock.ms += seconds * 1_000;
};

describe('a claim', () => {
  test('stays with a holder as long as it renews its claim', async () => {
    expect(await claim('a')).toBe('claimed');
    for (let minute = 0; minute < 10; minute++) {
      pass(60);
      expect(await store.keepClaim(evaluation, CHUNK, 'a')).toBe(true);
      expect(await claim('b')).toBe('held');
    }
    pass(91);
    expect(await claim('b')).toBe('claimed');
    expect(await store.keepClaim(evaluation, CHUNK, 'a')).toBe(false);
  });

  test('is lost after five holders that died; a holder that lost its claim while alive does not count', async () => {
    expect(await claim('alive')).toBe('claimed');
    for (let died = 1; died < TRIES_MAX; died++) {
      pass(91);
      expect(await claim(`dead ${died}`)).toBe('claimed');
    }
    pass(91);
    expect(await claim('late')).toBe('tries_exhausted');
    // Repeated, as a write is whose answer got lost.
    for (let time = 0; time < 2; time++) await store.uncountTry(evaluation, CHUNK, 'alive');
    expect(await claim('late')).toBe('claimed');
    pass(91);
    expect(await claim('too late')).toBe('tries_exhausted');
  });

  test('that was given back to wait was no try, however often', async () => {
    for (let waits = 0; waits < 3 * TRIES_MAX; waits++) {
      expect(await claim(`holder ${waits}`, waits)).toBe('claimed');
      await store.release(evaluation, CHUNK, `holder ${waits}`, { countsAsTry: false, waits: waits + 1 });
    }
  });

  test('is refused to a message that was sent before the chunk was put back', async () => {
    await claim('a', 0);
    await store.release(evaluation, CHUNK, 'a', { countsAsTry: false, waits: 1 });
    expect(await claim('b', 0)).toBe('stale');
    expect(await claim('b', 1)).toBe('claimed');
    expect(await claim('c', 0)).toBe('stale');
    expect(await claim('c', 1)).toBe('held');
    expect(await claim('c')).toBe('held');
  });
});

describe('a chunk that waits for a seat', () => {
  const wait = (waits: number, waiter: string = randomUUID()) =>
    store.waitForSeat(evaluation, CHUNK, { waits, waiter, triesMax: TRIES_MAX, forSeconds: 240 });

  test('has one message, however many copies of the last one come', async () => {
    expect(await Promise.all([wait(1), wait(1), wait(1)])).toEqual(
      expect.arrayContaining(['waits', 'stale', 'stale']),
    );
    expect(await wait(2, 'itself')).toBe('waits');
    // Repeated, as a write is whose answer got lost.
    expect(await wait(2, 'itself')).toBe('waits');
    expect(await claim('a', 1)).toBe('stale');
    expect(await claim('a', 2)).toBe('claimed');
  });

  test('does not while another holds it, after its end, or once its tries are used up', async () => {
    await claim('a', 0);
    expect(await wait(1)).toBe('held');
    for (let died = 1; died < TRIES_MAX; died++) {
      pass(91);
      expect(await wait(died)).toBe('waits_tried');
      expect(await claim(`dead ${died}`)).toBe('claimed');
    }
    pass(91);
    expect(await wait(TRIES_MAX)).toBe('tries_exhausted');
    expect(
      await store.finishChunk(evaluation, CHUNK, `dead ${TRIES_MAX - 1}`, { results: [], cases: [] }),
    ).toBe(true);
    expect(await wait(TRIES_MAX)).toBe('done');
  });
});

test('calls of several cases are counted in one write, never a fifth of a case, and none once the chunk is lost', async () => {
  const begin = (holder: string, ...cases: number[]) => store.beginCalls(evaluation, CHUNK, holder, cases);
  await claim('a');
  for (let call = 1; call <= 3; call++) expect(await begin('a', 0, 1, 2)).toBe('begun');
  expect(await begin('a', 1)).toBe('begun');
  expect(await begin('a', 0, 1, 2)).toBe('exhausted');
  // None of them was counted.
  expect(await begin('a', 0, 2)).toBe('begun');
  expect(await begin('a', 0)).toBe('exhausted');
  pass(91);
  await claim('b');
  expect(await begin('a', 3)).toBe('lost');
  expect(await begin('b', 0)).toBe('exhausted');
  expect(await begin('b', 3, 4)).toBe('begun');
});

test('a case with votes has four calls for each, and a chunk that has ended knows how many were made', async () => {
  const begin = (...cases: number[]) =>
    store.beginCalls(evaluation, CHUNK, 'a', cases, (index) => (index === 0 ? 4 : 12));
  await claim('a');
  for (let call = 1; call <= 4; call++) expect(await begin(0, 1)).toBe('begun');
  expect(await begin(0)).toBe('exhausted');
  for (let call = 5; call <= 12; call++) expect(await begin(1)).toBe('begun');
  expect(await begin(1)).toBe('exhausted');
  const judge = { remembered: 2, input_tokens: 70, output_tokens: 30 };
  await store.finishChunk(evaluation, CHUNK, 'a', { results: [], cases: [], judge });
  expect((await store.endedChunks(evaluation)).get(CHUNK)?.judge).toEqual({ calls: 16, ...judge });
});

describe('a verdict that a suite remembers', () => {
  const DIGEST = 'd1';
  const verdict = (score: number, runToken: string) => ({
    score,
    passed: true,
    reason: 'because',
    output: { raw_response: { said: 'x' }, answered_model: null },
    durationMs: 5,
    keptAtMs: clock.ms,
    runToken,
    chunk: CHUNK,
    place: 3,
  });
  const keep = (score: number, runToken: string, replaces = false) =>
    store.keepVerdict(evaluation, DIGEST, verdict(score, runToken), { replaces });
  const known = async () => (await store.verdicts(evaluation, [DIGEST, 'd2'])).get(DIGEST);

  test('is the first one, unless another run has it judged again, whose first one stays then', async () => {
    await keep(0.25, 'one');
    await keep(0.5, 'two');
    expect(await known()).toEqual(verdict(0.25, 'one'));
    await keep(0.75, 'three', true);
    await keep(1, 'three', true);
    expect(await known()).toEqual(verdict(0.75, 'three'));
    expect(await store.verdictsOfRun({ ...evaluation, runToken: 'three' }, CHUNK)).toHaveLength(1);
    expect(await store.verdictsOfRun({ ...evaluation, runToken: 'three' }, 1)).toEqual([]);
    expect(await store.verdictsOfRun({ ...evaluation, runToken: 'one' }, CHUNK)).toEqual([]);
  });

  test.each([
    ['30 days', 'pro', 30],
    ['the 14 days of Free', 'free', 14],
  ] as const)('is gone after %s, and another one takes its place', async (_, id, days) => {
    const own = { ...evaluation, usagePlan: { id, version: 1 } };
    await store.keepVerdict(own, DIGEST, verdict(0.25, 'one'), { replaces: false });
    const item = memory.items().findLast(({ sk }) => sk === `VERDICT#${DIGEST}`);
    expect(Number(item?.[TTL]) - Math.floor(clock.ms / 1_000)).toBe(days * 86_400);
    pass(days * 86_400);
    await store.keepVerdict(own, DIGEST, verdict(0.5, 'two'), { replaces: false });
    expect(await known()).toEqual(verdict(0.5, 'two'));
  });

  test('lacks an answer of the provider that does not fit into an item', async () => {
    const text = Array.from({ length: 30_000 }, () => randomUUID());
    const large = { ...verdict(1, 'one'), output: { raw_response: text } };
    await store.keepVerdict(evaluation, DIGEST, large, { replaces: false });
    expect((await known())?.output).toEqual({ raw_response: null, truncated: true });
  });
});

test('every sign of life of a chunk is known, and how often it was put back', async () => {
  const signs: number[] = [];
  const signed = async () => signs.push((await store.takenChunks(evaluation)).get(CHUNK)?.aliveAtMs ?? -1);
  const times: number[] = [];
  for (const act of [
    () => claim('a'),
    () => store.keepClaim(evaluation, CHUNK, 'a'),
    () => store.beginCalls(evaluation, CHUNK, 'a', [0]),
    () => store.release(evaluation, CHUNK, 'a', { countsAsTry: false, waits: 1 }),
    () => store.waitForSeat(evaluation, CHUNK, { waits: 2, waiter: 'b', triesMax: TRIES_MAX, forSeconds: 0 }),
    () => claim('b'),
    () => store.finishChunk(evaluation, CHUNK, 'b', { results: [], cases: [] }),
  ]) {
    pass(10);
    await act();
    times.push(clock.ms);
    await signed();
  }
  expect(signs).toEqual(times);
  expect((await store.takenChunks(evaluation)).get(CHUNK)).toMatchObject({ ended: true });
});

test('the first verdict of a judged case stays: a late evaluator replaces none', async () => {
  const { missing: _, ...result } = resultOf(0, 'x');
  const judged = (score: number) => ({
    result: { ...result, score },
    usage: { input_tokens: 7, output_tokens: 3 },
  });
  await store.saveJudged(evaluation, CHUNK, 0, judged(0.25));
  await store.saveJudged(evaluation, CHUNK, 0, judged(0.75));
  const saved = await store.judged(evaluation, CHUNK);
  expect([...saved]).toMatchObject([[0, judged(0.25)]]);
});

describe('a caller that knows that no evaluator is running', () => {
  const slots = () => slotStore(memory, () => clock.ms);
  const names = Array.from({ length: 20 }, (_, index) => `slot ${index}`);

  test('frees chunks and judge slots of pending runs at once', async () => {
    await claim('dead');
    await slots().take(evaluation.orgId, 'openai', names);
    await slots().take(evaluation.orgId, 'google', names.slice(0, 3));
    await freeLeftClaims(memory, () => clock.ms, { countsAsTry: true });
    expect(await claim('next')).toBe('claimed');
    expect(await slots().take(evaluation.orgId, 'openai', names)).toHaveLength(20);
    expect(await slots().take(evaluation.orgId, 'google', names)).toHaveLength(20);
  });

  test.each([
    ['a chunk that may have killed them is worn out after five', true, 'tries_exhausted'],
    ['a chunk that they only had to leave never is', false, 'claimed'],
  ])('%s', async (_what, countsAsTry, then) => {
    for (let restart = 0; restart < TRIES_MAX; restart++) {
      expect(await claim(`holder ${restart}`)).toBe('claimed');
      await freeLeftClaims(memory, () => clock.ms, { countsAsTry });
    }
    expect(await claim('next')).toBe(then);
  });

  test('leaves chunks that have ended as they are', async () => {
    await claim('a');
    await store.finishChunk(evaluation, CHUNK, 'a', { results: [], cases: [] });
    await freeLeftClaims(memory, () => clock.ms, { countsAsTry: true });
    expect(await claim('b')).toBe('done');
    expect((await store.endedChunks(evaluation)).size).toBe(1);
  });
});

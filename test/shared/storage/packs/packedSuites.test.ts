import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Scorer } from '../../../../shared/contracts/scorers.ts';
import { plainRules } from '../../../../shared/domain/suites/bar/rules.ts';
import type { SuiteRevision } from '../../../../shared/domain/suites/packs/packedSuites.ts';
import type { PlannedCase } from '../../../../shared/domain/suites/packs/plannedCase.ts';
import { writeChunks } from '../../../../shared/domain/suites/packs/writeChunks.ts';
import { DAY_MS } from '../../../../shared/domain/time.ts';
import { packCases, unpackCases } from '../../../../shared/storage/packs/packedCases.ts';
import { packStore } from '../../../../shared/storage/packs/packedSuites.ts';
import { dropExpired } from '../../../support/dropExpired.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { storedScorer } from '../stored.ts';
import '../../../support/seed.ts';

const START_MS = Date.parse('2036-05-05T10:00:00.000Z');
/** How long a run that is pending may need the chunks of its plan. */
const NEEDED_MS = 3 * DAY_MS;

let nowMs = START_MS;
const memory = new MemoryTable(() => nowMs);
const dropAt = (ms: number) => dropExpired({ table: memory, items: async () => memory.items() }, ms);

const PROJECT = { project_id: randomUUID(), project_slug: 'bot' };
const scorerOf = (type: Scorer['type']) => storedScorer(PROJECT, { type, config: { rubric: 'Is it good?' } });

const SCORERS = [null, scorerOf('contains'), scorerOf('llm_judge'), scorerOf('regex')];

const anyCase: fc.Arbitrary<PlannedCase> = fc
  .record({
    id: fc.uuid(),
    name: fc.string({ unit: 'grapheme' }),
    input: fc.dictionary(fc.string(), fc.jsonValue()),
    expected: fc.jsonValue(),
    threshold: fc.double({ min: 0, max: 1, noNaN: true }),
    weight: fc.double({ min: 0, max: 1_000_000, noNaN: true }),
    scorer: fc.constantFrom(...SCORERS),
    key: fc.string({ minLength: 1 }),
    tags: fc.array(fc.string()),
    must_pass: fc.boolean(),
    sample_count: fc.integer({ min: 1, max: 100 }),
    sample_pass_rate: fc.double({ min: 0, max: 1, noNaN: true }),
    advisory_until: fc.option(fc.constant('2036-05-05T10:00:00.000Z')),
  })
  // As the table gives them.
  .map((drawn) => ({ ...JSON.parse(JSON.stringify(drawn)), scorer: drawn.scorer }));

const asJson = (cases: readonly PlannedCase[]) => JSON.parse(JSON.stringify(cases));

test('cases come back from a chunk as they were, in their order, and equal scorers as one', () => {
  const law = fc.property(fc.array(anyCase, { maxLength: 30 }), (cases) => {
    const unpacked = unpackCases(packCases(cases));
    expect(asJson(unpacked)).toEqual(asJson(cases));
    const wanted = new Set(cases.map(({ scorer }) => scorer)).size;
    expect(new Set(unpacked.map(({ scorer }) => scorer)).size).toBe(wanted);
  });
  fc.assert(law);
});

const newPlace = (): SuiteRevision => ({ orgId: randomUUID(), suiteId: randomUUID(), revision: '7.2' });

const casesOf = (count: number, text = ''): PlannedCase[] =>
  Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    name: `Case ${index}${text}`,
    input: {},
    expected: `the answer ${index}`,
    threshold: 0.5,
    weight: 1,
    scorer: SCORERS[index % 2 === 0 ? 1 : 3] ?? null,
    ...plainRules(`case-${index}`),
  }));

async function pack(at: SuiteRevision, cases: readonly PlannedCase[]) {
  const packs = packStore(memory);
  const planner = randomUUID();
  const written = await writeChunks(packs, { ...at, planner, startedAtMs: nowMs }, [cases]);
  const bar = { passThreshold: 0.5, gates: { min_judged_cases: 2 }, keepOutputs: 'all' as const };
  const packed = { ...written, ...bar, planner, judgeModels: [], suiteDigest: `sha256:${'5e'.repeat(32)}` };
  await packs.savePack(at, packed, nowMs);
  return packed;
}

/** What another function finds. */
async function found(at: SuiteRevision) {
  const packs = packStore(memory);
  const known = await packs.pack(at, nowMs);
  return known && packs.packedCases(at, known);
}

test('a packed suite of several chunks is read whole, by its revision only', async () => {
  nowMs = START_MS;
  const at = newPlace();
  const cases = casesOf(1_100);
  expect(await found(at)).toBeUndefined();
  expect(await pack(at, cases)).toMatchObject({ chunks: 3, totalCases: 1_100, judgedCases: 0 });
  const read = await found(at);
  expect(read).toEqual(cases);
  expect(new Set(read?.map(({ scorer }) => scorer)).size).toBe(2);
  expect(await found({ ...at, revision: '7.3' })).toBeUndefined();
  expect(await found({ ...at, suiteId: randomUUID() })).toBeUndefined();
  expect(await found({ ...at, orgId: randomUUID() })).toBeUndefined();
});

test('of packs of one revision that are written at once one is read, whole', async () => {
  nowMs = START_MS;
  const at = newPlace();
  const cases = casesOf(600);
  await Promise.all([pack(at, cases), pack(at, cases), pack(at, cases)]);
  expect(await found(at)).toEqual(cases);
});

test('one function packs a suite; a second one may after the claim of the first has ended', async () => {
  nowMs = START_MS;
  const at = newPlace();
  const claim = () => packStore(memory).claimPack(at, nowMs);
  const claims = await Promise.all([claim(), claim(), claim()]);
  expect(claims.filter((isMine) => isMine)).toHaveLength(1);
  expect(await found(at)).toBeUndefined();
  nowMs += 61_000;
  expect([await claim(), await claim()]).toEqual([true, false]);
  const cases = casesOf(3);
  await pack(at, cases);
  nowMs += 61_000;
  expect(await claim()).toBe(false);
  expect(await found(at)).toEqual(cases);
  nowMs += 8 * DAY_MS;
  expect(await claim()).toBe(true);
  expect(await packStore(memory).pack(at, nowMs)).toBeUndefined();
});

const step = fc.record({ days: fc.integer({ min: 0, max: 9 }), drops: fc.boolean(), packs: fc.boolean() });

test('a pack that is found outlasts the run that found it, however it was used before', async () => {
  const law = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
    nowMs = START_MS;
    const at = newPlace();
    const cases = casesOf(3);
    await pack(at, cases);
    for (const { days, drops, packs } of steps) {
      nowMs += days * DAY_MS;
      if (drops) await dropAt(nowMs);
      const known = await packStore(memory).pack(at, nowMs);
      if (known === undefined) {
        // Used within its last days it would have been prolonged.
        expect(days).toBeGreaterThanOrEqual(3);
        if (packs) await pack(at, cases);
        else return;
        continue;
      }
      const foundMs = nowMs;
      nowMs = foundMs + NEEDED_MS - 1_000;
      await dropAt(nowMs);
      expect(await packStore(memory).packedCases(at, known)).toEqual(cases);
      nowMs = foundMs;
    }
  });
  await fc.assert(law, { numRuns: 25 });
});

test('a pack that no run uses any more is dropped within 7 days, with its chunks', async () => {
  nowMs = START_MS;
  const at = newPlace();
  await pack(at, casesOf(600));
  nowMs = START_MS + 3 * DAY_MS;
  expect(await found(at)).toBeDefined();
  nowMs += 7 * DAY_MS + 1_000;
  expect(await found(at)).toBeUndefined();
  await dropAt(nowMs);
  expect(memory.items().filter(({ pk }) => String(pk).endsWith(at.suiteId))).toEqual([]);
});

test('a pack is prolonged at most once in 4 days: any other use only reads it', async () => {
  nowMs = START_MS;
  const at = newPlace();
  await pack(at, casesOf(3));
  for (const days of [1, 2, 3, 3.9]) {
    nowMs = START_MS + days * DAY_MS;
    const before = memory.items();
    await found(at);
    expect(memory.items()).toEqual(before);
  }
});

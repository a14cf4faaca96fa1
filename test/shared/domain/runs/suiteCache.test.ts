import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createSuiteCache } from '../../../../shared/domain/runs/suiteCache.ts';
import { plainRules } from '../../../../shared/domain/suites/bar/rules.ts';
import type { PackedSuite, PackStore } from '../../../../shared/domain/suites/packs/packedSuites.ts';
import type { KeptCounts, ReadSuite } from '../../../../shared/domain/suites/ports.ts';
import type { ResolvedSuite } from '../../../../shared/domain/suites/resolveSuite.ts';
import { createJudgeIdentity } from '../../../../shared/judge/judgeIdentity.ts';
import { judgeSettingsFromEnv } from '../../../../shared/judge/settings.ts';
import { documentDigest } from '../../../../shared/scoring/digest/documents.ts';

const suiteAt = (name: string): ReadSuite => ({
  ...{ passThreshold: 1, gates: {}, keepOutputs: 'failed' },
  isTooLarge: false,
  bytes: 0,
  cases: [
    {
      ...{ id: name, name, expected: name, threshold: 0.5, weight: 1, scorer: null, ...plainRules(name) },
      ...{ input_digest: documentDigest({}), expected_digest: documentDigest(name) },
    },
  ],
});

const judgeIdentity = createJudgeIdentity(judgeSettingsFromEnv({}));

const noPacks: PackStore = {
  pack: async () => undefined,
  packedCases: async () => undefined,
  claimPack: async () => false,
  saveChunk: async () => {},
  savePack: async () => {},
  findPack: async () => undefined,
};

/** A suite whose writers the test plays: `onLoad` happens while it is being loaded. */
const JUDGED_COUNTS = {
  ...{ cases: 1, judged: 1, extraOutputs: 0, gating: 1 },
  ...{ writes: 1, judgesRevisions: 0 },
};

function world(onLoad: (load: number) => void = () => {}, unread?: number, packs = noPacks) {
  const state = {
    revision: 1,
    scorersRevision: 1,
    suiteId: 'suite',
    isThere: true,
    loads: 0,
    unread,
    counts: undefined as KeptCounts | undefined,
  };
  const suites = {
    async load() {
      const loaded = suiteAt(`${state.revision}.${state.scorersRevision}`);
      state.loads++;
      onLoad(state.loads);
      if (state.unread !== undefined) return { ...loaded, isTooLarge: true, cases: [], unread: state.unread };
      return state.isThere ? loaded : undefined;
    },
    keepCounts: async () => {},
  };
  const resolve = async (): Promise<ResolvedSuite> => ({
    head: {
      suiteId: state.suiteId,
      slug: 'answers',
      projectId: 'project',
      projectSlug: 'bot',
      revision: state.revision,
      position: { n: state.revision, token: '' },
      isPushUnderWay: false,
      counts: state.counts,
      runCount: 0,
      lastRunAt: null,
    },
    project: {
      ...{ id: 'project', slug: 'bot', scorersRevision: state.scorersRevision, judgesRevision: 0 },
      position: { n: state.scorersRevision, token: '' },
    },
  });
  const onUnkept = (error: unknown) => {
    throw error;
  };
  const ambient = { now: Date.now, newId: randomUUID };
  const cache = createSuiteCache({ suites, packs, onUnkept, judgeIdentity, ...ambient });
  const wanted = { scoresNow: true, needsCases: false, needsDigest: false };
  const get = async (orgId = 'org') => (await cache.get(orgId, resolve, wanted)).suite.revision;
  const find = async () => (await cache.get('org', resolve, wanted)).suite;
  const findDigest = async () =>
    (await cache.get('org', resolve, { ...wanted, needsDigest: true })).suite.digest;
  return { state, get, find, findDigest };
}

test('a suite that did not change is loaded once', async () => {
  const { state, get } = world();
  expect([await get(), await get(), await get()]).toEqual(['1.1', '1.1', '1.1']);
  expect(state.loads).toBe(1);
});

test.each(['revision', 'scorersRevision'] as const)('another %s is another suite', async (field) => {
  const { state, get } = world();
  const before = await get();
  state[field]++;
  expect(await get()).not.toBe(before);
  expect(state.loads).toBe(2);
});

test('another suite of the same slug, and another organisation, do not get the cached suite', async () => {
  const { state, get } = world();
  await get();
  await get('other');
  state.suiteId = 'again';
  await get();
  expect(state.loads).toBe(3);
});

test('a suite that changes while it is loaded is loaded again', async () => {
  const { state, get } = world((load) => {
    if (load === 1) state.revision++;
  });
  expect(await get()).toBe('2.1');
  expect(state.loads).toBe(2);
});

test('a suite that changes every time it is loaded is scored as last loaded, and not kept for the next run', async () => {
  const { state, get } = world(() => {
    state.revision++;
  });
  await get();
  expect(state.loads).toBe(5);
  await get();
  expect(state.loads).toBe(10);
});

test('a suite that is deleted while it is loaded is not found', async () => {
  const { state, get } = world(() => {
    state.isThere = false;
  });
  await expect(get()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(state.loads).toBe(1);
});

test('a suite that is made again while it is loaded is not mistaken for the one before', async () => {
  const { state, get } = world((load) => {
    if (load === 1) state.suiteId = 'again';
  });
  expect(await get()).toBe('1.1');
  expect(state.loads).toBe(2);
});

test('a suite that is too large to be read by a request is left to the evaluator, and not kept', async () => {
  const unread = 9_000;
  const { state, find } = world(() => {}, unread);
  expect(await find()).toMatchObject({ prepared: undefined, caseCount: unread });
  state.unread = undefined;
  expect(await find()).toMatchObject({ caseCount: 1, prepared: expect.anything() });
  expect(state.loads).toBe(2);
});

test('the digest of a judged suite is that of its pack, and no case is read for it', async () => {
  const suiteDigest = `sha256:${'a'.repeat(64)}`;
  const pack: PackedSuite = {
    ...{ passThreshold: 1, gates: {}, keepOutputs: 'failed', planner: 'planner', chunks: 1, judges: {} },
    ...{ totalCases: 1, judgedCases: 1, extraOutputs: 0, gatingCases: 1, firstAdvisoryEnd: null },
    ...{ suiteDigest, judgeModels: [], expectedCharacters: 0 },
  };
  const packedCases = async () => {
    throw new Error('Cases were read');
  };
  const { state, findDigest } = world(undefined, undefined, {
    ...noPacks,
    pack: async () => pack,
    packedCases,
  });
  state.counts = JUDGED_COUNTS;
  expect(await findDigest()).toBe(suiteDigest);
  expect(state.loads).toBe(0);
});

test('the digest of a judged suite without a pack is that of its cases, read once', async () => {
  const { state, findDigest } = world();
  state.counts = JUDGED_COUNTS;
  const digest = await findDigest();
  expect(digest).toMatch(/^sha256:/);
  expect(await findDigest()).toBe(digest);
  expect(state.loads).toBe(1);
});

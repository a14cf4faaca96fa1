import { BoundedCache } from '../caches/boundedCache.ts';
import { notFound } from '../errors.ts';
import type { Ambient } from '../ports.ts';
import type { JudgeIdentity } from '../suites/bar/judgeIdentity.ts';
import { digestOf } from '../suites/bar/suiteDigest.ts';
import { countsAt } from '../suites/counts.ts';
import type { PackStore } from '../suites/packs/packedSuites.ts';
import type { CaseCounts, SuiteStore, SuiteToRun } from '../suites/ports.ts';
import { type ResolvedSuite, revisionOf } from '../suites/resolveSuite.ts';
import { type CachedSuite, countedOnly, toCached } from './cachedSuite.ts';
import { isWorthPacking, loadPacked, packLoaded } from './packSuite.ts';

const BYTES_MAX = 64 * 1_024 * 1_024;
const LOADS_MAX = 5;

interface CacheDeps extends Ambient {
  readonly suites: Pick<SuiteStore, 'load' | 'keepCounts'>;
  readonly packs: PackStore;
  /** Called with what could not be kept for later runs, which then read the suite again. */
  readonly onUnkept: (error: unknown, suiteId: string) => void;
  readonly judgeIdentity: JudgeIdentity;
}

interface Wanted {
  /** Whether the caller waits, so that a suite without judges is scored at once. */
  readonly scoresNow: boolean;
  /** Whether the request names cases, and so has to be compared with them. */
  readonly needsCases: boolean;
  readonly needsDigest: boolean;
}

interface Request {
  readonly resolve: () => Promise<ResolvedSuite>;
  readonly wanted: Wanted;
}

interface Found {
  readonly at: ResolvedSuite;
  readonly suite: CachedSuite;
}

/**
 * Kept between invocations. A suite is used only if its revision is the one just read. A suite whose run is to be
 * scored later is not loaded if the head has the counts.
 */
export interface SuiteCache {
  get(orgId: string, resolve: () => Promise<ResolvedSuite>, wanted: Wanted): Promise<Found>;
}

export function createSuiteCache(deps: CacheDeps): SuiteCache {
  const cache = new BoundedCache<CachedSuite>({
    maxSize: BYTES_MAX,
    sizeOf: (cached) => cached.bytes,
  });
  const keyOf = (orgId: string, { head }: ResolvedSuite): string => `${orgId}/${head.suiteId}`;

  const keep = (at: ResolvedSuite, kept: Promise<void>): Promise<void> =>
    kept.catch((error: unknown) => deps.onUnkept(error, at.head.suiteId));

  async function keepCounts(orgId: string, at: ResolvedSuite, suite: CachedSuite): Promise<void> {
    const { caseCount: cases, judgedCases: judged, extraOutputs, gatingCases: gating } = suite;
    if (countsAt(at)?.gating === gating) return;
    const counts = { cases, judged, extraOutputs, gating };
    await keep(at, deps.suites.keepCounts(orgId, at, counts));
  }

  async function unpacked(orgId: string, at: ResolvedSuite, needsCases: boolean) {
    const packed = await loadPacked(deps, { orgId, at }, { needsCases });
    if (packed === undefined) return undefined;
    const { loaded, counts } = packed;
    const suite =
      loaded === undefined ? countedOnly(at, counts, packed) : await toCached(loaded, at, packed.digest);
    if (needsCases) cache.set(keyOf(orgId, at), suite);
    await keepCounts(orgId, at, suite);
    return suite;
  }

  /** Of exactly this revision. Undefined when it has to be read case by case. */
  async function known(orgId: string, at: ResolvedSuite, wanted: Wanted) {
    const cached = cache.get(keyOf(orgId, at));
    if (cached?.revision === revisionOf(at)) return cached;
    const counts = countsAt(at);
    const needsCases = wanted.needsCases || (wanted.scoresNow && mayBeScoredNow(counts));
    return counts === undefined || needsCases || wanted.needsDigest || mayGateNothing(counts)
      ? unpacked(orgId, at, needsCases)
      : countedOnly(at, counts);
  }

  async function remember(orgId: string, at: ResolvedSuite, suite: CachedSuite, loaded: SuiteToRun) {
    cache.set(keyOf(orgId, at), suite);
    await keepCounts(orgId, at, suite);
    if (isWorthPacking(suite.judgedCases, loaded)) {
      await keep(at, packLoaded(deps, { orgId, at }, loaded, suite));
    }
  }

  async function find(orgId: string, request: Request, at: ResolvedSuite, load = 1): Promise<Found> {
    const exact = await known(orgId, at, request.wanted);
    if (exact !== undefined) return { at, suite: exact };
    const { loaded, suite } = await readCases(deps, orgId, at);
    if (loaded.unread !== undefined) return { at, suite };
    const after = await request.resolve();
    if (isSame(at, after)) await remember(orgId, at, suite, loaded);
    // Under constant editing a run takes each case as it was when it was read.
    else if (load < LOADS_MAX || at.head.suiteId !== after.head.suiteId)
      return find(orgId, request, after, load + 1);
    return { at: after, suite };
  }

  return {
    get: async (orgId, resolve, wanted) => find(orgId, { resolve, wanted }, await resolve()),
  };
}

async function readCases(
  { suites, judgeIdentity }: Pick<CacheDeps, 'suites' | 'judgeIdentity'>,
  orgId: string,
  at: ResolvedSuite,
) {
  const loaded = await suites.load(orgId, at.head.suiteId, at.head);
  if (loaded === undefined) throw notFound('suite');
  const { unread } = loaded;
  if (unread !== undefined) {
    const counts = countsAt(at) ?? { cases: unread, judged: 0, extraOutputs: 0, gating: 0 };
    return { loaded, suite: countedOnly(at, counts) };
  }
  const digest = digestOf(loaded, judgeIdentity);
  return { loaded, suite: await toCached(loaded, at, digest) };
}

const mayBeScoredNow = (counts: CaseCounts | undefined): boolean =>
  counts === undefined || (counts.cases > 0 && counts.judged === 0);

const mayGateNothing = ({ cases, gating }: CaseCounts): boolean => cases > 0 && gating <= 0;

/** If the suite was edited meanwhile, the loaded cases may be of two revisions. */
const isSame = (before: ResolvedSuite, after: ResolvedSuite): boolean =>
  before.head.suiteId === after.head.suiteId && revisionOf(before) === revisionOf(after);

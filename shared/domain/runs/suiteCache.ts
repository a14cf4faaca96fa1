import { isJudged, prepareSuite } from '../../scoring/engine.ts';
import type { PreparedSuite } from '../../scoring/types.ts';
import { BoundedCache } from '../caches/boundedCache.ts';
import { notFound } from '../errors.ts';
import type { Ambient } from '../ports.ts';
import { countsAt } from '../suites/counts.ts';
import type { PackStore } from '../suites/packedSuites.ts';
import type { CaseCounts, JudgeIdentity, SuiteBar, SuiteStore, SuiteToRun } from '../suites/ports.ts';
import { digestOf } from '../suites/suiteDigest.ts';
import { isWorthPacking, loadPacked, packLoaded } from './packSuite.ts';
import { type ResolvedSuite, revisionOf } from './resolveSuite.ts';

const BYTES_MAX = 64 * 1_024 * 1_024;
const LOADS_MAX = 5;

export interface CachedSuite {
  /** The revision of suite and scorers that it was made of. */
  readonly revision: string;
  /** Undefined for a suite that no function scores at once, and for one that was only counted. */
  readonly prepared: PreparedSuite | undefined;
  /** Undefined for a suite that was only counted. */
  readonly loaded: LoadedSuite | undefined;
  /** Undefined where it is not known without the cases. */
  readonly digest: string | undefined;
  readonly caseCount: number;
  /** Outputs that a model judges. */
  readonly judgedCases: number;
  /** Outputs that cases take beyond one each. */
  readonly extraOutputs: number;
  readonly bytes: number;
}

export interface LoadedSuite {
  readonly bar: SuiteBar;
  readonly digest: string;
  readonly cases: SuiteToRun['cases'];
}

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
  /** Whether the request names cases, or a digest, and so has to be compared with the suite. */
  readonly needsCases: boolean;
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
 * scored later is not loaded if the head tells the counts.
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
    if (countsAt(at) !== undefined) return;
    const { caseCount: cases, judgedCases: judged, extraOutputs } = suite;
    const counts = { cases, judged, extraOutputs };
    await keep(at, deps.suites.keepCounts(orgId, at, counts));
  }

  async function unpacked(orgId: string, at: ResolvedSuite, needsCases: boolean) {
    const packed = await loadPacked(deps, { orgId, at }, { needsCases });
    if (packed === undefined) return undefined;
    const { loaded, counts } = packed;
    const suite =
      loaded === undefined
        ? countedOnly(at, counts, packed.digest)
        : await toCached(loaded, at, packed.digest);
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
    return counts === undefined || needsCases
      ? unpacked(orgId, at, needsCases)
      : countedOnly(at, counts, undefined);
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
  const loaded = await suites.load(orgId, at.head.suiteId);
  if (loaded === undefined) throw notFound('suite');
  const { unread } = loaded;
  if (unread !== undefined) {
    const counts = countsAt(at) ?? { cases: unread, judged: 0, extraOutputs: 0 };
    return { loaded, suite: countedOnly(at, counts, undefined) };
  }
  const digest = digestOf(loaded, judgeIdentity);
  return { loaded, suite: await toCached(loaded, at, digest) };
}

const mayBeScoredNow = (counts: CaseCounts | undefined): boolean =>
  counts === undefined || (counts.cases > 0 && counts.judged === 0);

/** If the suite was edited meanwhile, the loaded cases may be of two revisions. */
const isSame = (before: ResolvedSuite, after: ResolvedSuite): boolean =>
  before.head.suiteId === after.head.suiteId && revisionOf(before) === revisionOf(after);

const CASE_BYTES = 300;

const countedOnly = (at: ResolvedSuite, counts: CaseCounts, digest: string | undefined): CachedSuite => ({
  revision: revisionOf(at),
  prepared: undefined,
  loaded: undefined,
  digest,
  caseCount: counts.cases,
  judgedCases: counts.judged,
  extraOutputs: counts.extraOutputs,
  bytes: CASE_BYTES,
});

async function toCached(suite: SuiteToRun, at: ResolvedSuite, digest: string): Promise<CachedSuite> {
  const scorers = new Map(suite.cases.map(({ scorer }) => [scorer?.id, scorer]));
  const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
  const { passThreshold, gates, keepOutputs, cases } = suite;
  const judgedCases = cases.reduce(
    (sum, { scorer, sample_count }) => sum + (isJudged(scorer) ? sample_count : 0),
    0,
  );
  return {
    revision: revisionOf(at),
    prepared: suite.isTooLarge || judgedCases > 0 ? undefined : await prepareSuite(suite),
    loaded: { bar: { passThreshold, gates, keepOutputs }, digest, cases },
    digest,
    caseCount: cases.length,
    judgedCases,
    extraOutputs: cases.reduce((sum, { sample_count }) => sum + sample_count - 1, 0),
    bytes:
      suite.cases.reduce(
        (sum, { name, expected, inputText = '' }) =>
          sum + CASE_BYTES + name.length + lengthOf(expected) + inputText.length,
        0,
      ) + [...scorers.values()].reduce((sum, scorer) => sum + CASE_BYTES + lengthOf(scorer?.config), 1),
  };
}

import { LRUCache } from 'lru-cache';
import { isJudged, prepareSuite } from '../../scoring/engine.ts';
import type { PreparedSuite } from '../../scoring/types.ts';
import { notFound } from '../errors.ts';
import type { SuiteStore, SuiteToRun } from '../suites/ports.ts';
import type { ResolvedSuite } from './resolveSuite.ts';

const BYTES_MAX = 64 * 1_024 * 1_024;
const LOADS_MAX = 5;

export interface CachedSuite {
  /** The revision of suite and scorers that it was made of. */
  readonly revision: string;
  /** Undefined for a suite that is too large to be scored by one function. */
  readonly prepared: PreparedSuite | undefined;
  readonly caseCount: number;
  readonly judgedCases: number;
  readonly bytes: number;
}

const revisionOf = ({ head, project }: ResolvedSuite): string =>
  `${head.revision}.${project.scorersRevision}`;

/** Kept between invocations. A suite is used only if its revision is the one just read. */
export interface SuiteCache {
  get(
    orgId: string,
    resolve: () => Promise<ResolvedSuite>,
  ): Promise<{ at: ResolvedSuite; suite: CachedSuite }>;
}

export function createSuiteCache(suites: SuiteStore): SuiteCache {
  const cache = new LRUCache<string, CachedSuite>({
    maxSize: BYTES_MAX,
    sizeCalculation: (cached) => cached.bytes,
  });
  const keyOf = (orgId: string, { head }: ResolvedSuite): string => `${orgId}/${head.suiteId}`;

  async function loadAt(orgId: string, at: ResolvedSuite): Promise<CachedSuite> {
    const loaded = await suites.load(orgId, at.head.suiteId);
    if (loaded === undefined) throw notFound('suite');
    return toCached(loaded, revisionOf(at));
  }

  return {
    async get(orgId, resolve) {
      let at = await resolve();
      for (let load = 1; ; load++) {
        const known = cache.get(keyOf(orgId, at));
        if (known?.revision === revisionOf(at)) return { at, suite: known };
        const suite = await loadAt(orgId, at);
        const before = at;
        at = await resolve();
        if (isSame(before, at)) cache.set(keyOf(orgId, at), suite);
        // Under constant editing a run takes each case as it was when it was read.
        else if (load < LOADS_MAX || before.head.suiteId !== at.head.suiteId) continue;
        return { at, suite };
      }
    },
  };
}

/** If the suite was edited meanwhile, the loaded cases may be of two revisions. */
const isSame = (before: ResolvedSuite, after: ResolvedSuite): boolean =>
  before.head.suiteId === after.head.suiteId && revisionOf(before) === revisionOf(after);

const CASE_BYTES = 300;

async function toCached(suite: SuiteToRun, revision: string): Promise<CachedSuite> {
  const scorers = new Map(suite.cases.map(({ scorer }) => [scorer?.id, scorer]));
  const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
  return {
    revision,
    prepared: suite.isTooLarge ? undefined : await prepareSuite(suite),
    caseCount: suite.cases.length,
    judgedCases: suite.cases.filter(({ scorer }) => isJudged(scorer)).length,
    bytes:
      suite.cases.reduce(
        (sum, { name, expected }) => sum + CASE_BYTES + name.length + lengthOf(expected),
        0,
      ) + [...scorers.values()].reduce((sum, scorer) => sum + CASE_BYTES + lengthOf(scorer?.config), 1),
  };
}

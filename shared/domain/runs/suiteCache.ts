import { LRUCache } from 'lru-cache';
import { compileSuite } from '../../scoring/engine.ts';
import type { CompiledSuite } from '../../scoring/types.ts';
import type { Principal, SuiteStore, SuiteToRun } from '../ports.ts';
import type { ResolvedSuite } from './resolveSuite.ts';

const BYTES_MAX = 64 * 1_024 * 1_024;

interface CachedSuite {
  /** What it was made from; another revision is another suite. */
  readonly revision: string;
  readonly compiled: CompiledSuite;
  readonly caseCount: number;
  readonly bytes: number;
}

export const revisionOf = ({ head, project }: ResolvedSuite): string =>
  `${head.revision}.${project.scorersRevision}`;

/** Suites compiled for scoring, kept between invocations and trusted only at the revision just read. */
export function createSuiteCache(suites: SuiteStore) {
  const cache = new LRUCache<string, CachedSuite>({
    maxSize: BYTES_MAX,
    sizeCalculation: (cached) => cached.bytes,
  });
  return {
    async get(principal: Principal, resolved: ResolvedSuite): Promise<CachedSuite | undefined> {
      const key = `${principal.orgId}/${resolved.head.suiteId}`;
      const revision = revisionOf(resolved);
      const known = cache.get(key);
      if (known?.revision === revision) return known;
      const suite = await suites.load(principal.orgId, resolved.head.suiteId);
      if (suite === undefined) return undefined;
      const loaded = compiled(suite, revision);
      cache.set(key, loaded);
      return loaded;
    },
  };
}

export type SuiteCache = ReturnType<typeof createSuiteCache>;

function compiled(suite: SuiteToRun, revision: string): CachedSuite {
  return {
    revision,
    compiled: compileSuite(suite),
    caseCount: suite.cases.length,
    bytes: 1_000 + JSON.stringify(suite).length,
  };
}

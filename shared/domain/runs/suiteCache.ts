import { LRUCache } from 'lru-cache';
import { compileSuite } from '../../scoring/engine.ts';
import type { CompiledSuite } from '../../scoring/types.ts';
import { notFound } from '../errors.ts';
import type { SuiteStore, SuiteToRun } from '../ports.ts';
import type { ResolvedSuite } from './resolveSuite.ts';

const BYTES_MAX = 64 * 1_024 * 1_024;
const LOADS_MAX = 5;

export interface CachedSuite {
  /** What it was made from; another revision is another suite. */
  readonly revision: string;
  readonly compiled: CompiledSuite;
  readonly caseCount: number;
  /** Whether a model has to judge one of its cases. */
  readonly isJudged: boolean;
  readonly bytes: number;
}

const revisionOf = ({ head, project }: ResolvedSuite): string =>
  `${head.revision}.${project.scorersRevision}`;

/** Suites compiled for scoring, kept between invocations and trusted only at the revision just read. */
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
  return {
    async get(orgId, resolve) {
      let at = await resolve();
      for (let load = 0; load < LOADS_MAX; load++) {
        const { suiteId } = at.head;
        const key = `${orgId}/${suiteId}`;
        const revision = revisionOf(at);
        const known = cache.get(key);
        if (known?.revision === revision) return { at, suite: known };
        const loaded = await suites.load(orgId, suiteId);
        if (loaded === undefined) throw notFound('suite');
        // Unless nothing was written meanwhile, this could be half of one revision and half of the next.
        at = await resolve();
        if (at.head.suiteId !== suiteId || revisionOf(at) !== revision) continue;
        const suite = compiled(loaded, revision);
        cache.set(key, suite);
        return { at, suite };
      }
      throw new Error('Gave up: the suite changed every time it was loaded');
    },
  };
}

const CASE_BYTES = 300;

function compiled(suite: SuiteToRun, revision: string): CachedSuite {
  const scorers = new Map(suite.cases.map(({ scorer }) => [scorer?.id, scorer]));
  const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
  return {
    revision,
    compiled: compileSuite(suite),
    caseCount: suite.cases.length,
    isJudged: suite.cases.some(({ scorer }) => scorer?.type === 'llm_judge'),
    bytes:
      suite.cases.reduce(
        (sum, { name, expected }) => sum + CASE_BYTES + name.length + lengthOf(expected),
        0,
      ) + [...scorers.values()].reduce((sum, scorer) => sum + CASE_BYTES + lengthOf(scorer?.config), 1),
  };
}

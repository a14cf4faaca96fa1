import { prepareSuite } from '../../scoring/engine/engine.ts';
import type { PreparedSuite } from '../../scoring/kit/types.ts';
import { BoundedCache } from '../caches/boundedCache.ts';
import { SCORED_BYTES_MAX } from '../limits.ts';
import type { PlannedCase } from '../suites/chains/plannedCase.ts';
import type { SuiteRevision } from '../suites/chains/suiteRevision.ts';

const BYTES_MAX = 64 * 1_024 * 1_024;
const CASE_BYTES = 300;

export interface ScorableSuite {
  readonly cases: readonly PlannedCase[];
  readonly prepared: PreparedSuite;
}

interface Cached extends ScorableSuite {
  readonly bytes: number;
}

/** Suites that are scored at once, kept between invocations. What revisions hold never changes. */
export interface SuiteCache {
  /** Undefined for a suite that a model judges, or that is too large for one function. */
  get(suiteRevision: SuiteRevision): Promise<ScorableSuite | undefined>;
}

export function createSuiteCache(): SuiteCache {
  const cache = new BoundedCache<Cached>({ maxSize: BYTES_MAX, sizeOf: ({ bytes }) => bytes });
  return {
    async get(suiteRevision) {
      const { orgId, id } = suiteRevision.chain;
      const name = `${orgId}/${id}/${suiteRevision.revisions}`;
      const cached = cache.get(name);
      if (cached !== undefined) return cached;
      const { cases: count, judged } = await suiteRevision.counts();
      const textBytes = await suiteRevision.textBytes();
      if (judged > 0 || textBytes > SCORED_BYTES_MAX) return undefined;
      const cases = await suiteRevision.cases();
      const prepared = await prepareSuite({ passThreshold: suiteRevision.settings.passThreshold, cases });
      const suite = { cases, prepared, bytes: textBytes + CASE_BYTES * (count + 1) };
      cache.set(name, suite);
      return suite;
    },
  };
}

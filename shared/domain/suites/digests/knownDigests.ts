import { BoundedCache } from '../../caches/boundedCache.ts';
import type { SuiteChain } from '../chains/chains.ts';
import type { SuiteRevision } from '../chains/suiteRevision.ts';
import { rulesOf } from '../gates/rules.ts';
import type { JudgeIdentity, JudgeModel, NameJudge } from './judgeIdentity.ts';
import { SuiteDigester } from './suiteDigest.ts';

/** What is computed of a suite at a pair, as one deployment asks its judges. It never changes. */
interface KnownBar {
  readonly digest: string;
  readonly judges: readonly JudgeModel[];
}

/** `name`: of the pair and of the judges. */
export interface BarStore {
  find(suite: SuiteChain, name: string): Promise<KnownBar | undefined>;
  /** The first that is kept stays; a second one is the same. */
  keep(suite: SuiteChain, name: string, bar: KnownBar): Promise<void>;
}

/** `name`: see `BarStore`. */
export type BarOf = (at: SuiteRevision) => Promise<KnownBar & { readonly name: string }>;

const KNOWN_MAX = 10_000;
/** Of the largest configs: a function of 256 MB can't hold those of all scorers of a project. */
const SCORERS_AT_ONCE = 50;

/** Computed once, by the first function that needs it. Without `keep`: by each that finds none. */
export function createBars({
  bars,
  judgeIdentity,
}: {
  readonly bars: Pick<BarStore, 'find'> & Partial<BarStore>;
  readonly judgeIdentity: JudgeIdentity;
}): BarOf {
  const known = new BoundedCache<KnownBar>({ maxSize: KNOWN_MAX });
  return async (at) => {
    const name = `${at.tokens}.${judgeIdentity.version}`;
    const cached = known.get(name) ?? (await bars.find(at.chain, name));
    const bar = cached ?? (await barOf(at, judgeIdentity));
    if (cached === undefined) await bars.keep?.(at.chain, name, bar);
    known.set(name, bar);
    return { ...bar, name };
  };
}

async function barOf(at: SuiteRevision, nameJudge: NameJudge): Promise<KnownBar> {
  const rows = (await at.activeCases()).map(({ member }) => member.row);
  const byScorer = Map.groupBy(rows, ({ scorer_id }) => scorer_id);
  const digester = new SuiteDigester(nameJudge);
  const ids = [...byScorer.keys()];
  for (let from = 0; from < ids.length; from += SCORERS_AT_ONCE) {
    const some = ids.slice(from, from + SCORERS_AT_ONCE);
    const scorers = await at.scorers(new Set(some));
    for (const id of some) {
      const scorer = scorers.get(id) ?? null;
      for (const row of byScorer.get(id) ?? []) digester.add({ ...row, ...rulesOf(row), scorer });
    }
  }
  return { digest: digester.digest(at.bar), judges: digester.judges() };
}

import { BoundedCache } from '../../caches/boundedCache.ts';
import type { SuiteChain } from '../chains/chains.ts';
import type { SuiteRevision } from '../chains/suiteRevision.ts';
import { rulesOf } from '../gates/rules.ts';
import type { JudgeIdentity, JudgeModel, NameJudge } from './judgeIdentity.ts';
import { SuiteDigester } from './suiteDigester.ts';

/** What is computed of a suite at its revisions, as one deployment asks its judges. It never changes. */
interface KnownDigest {
  readonly digest: string;
  readonly judges: readonly JudgeModel[];
}

/** `name`: of the revisions and of the judges. */
export interface KnownDigestStore {
  find(suite: SuiteChain, name: string): Promise<KnownDigest | undefined>;
  /** The first that is kept stays; a second one is the same. */
  keep(suite: SuiteChain, name: string, known: KnownDigest): Promise<void>;
}

/** `name`: see `KnownDigestStore`. */
export type DigestOfSuite = (
  suiteRevision: SuiteRevision,
) => Promise<KnownDigest & { readonly name: string }>;

const KNOWN_MAX = 10_000;
/** Of the largest configs: a function of 256 MB can't hold those of all scorers of a project. */
const SCORERS_AT_ONCE = 50;

/** Computed once, by the first function that needs it. Without `keep`: by each that finds none. */
export function createSuiteDigests({
  digests,
  judgeIdentity,
}: {
  readonly digests: Pick<KnownDigestStore, 'find'> & Partial<KnownDigestStore>;
  readonly judgeIdentity: JudgeIdentity;
}): DigestOfSuite {
  const known = new BoundedCache<KnownDigest>({ maxSize: KNOWN_MAX });
  return async (suiteRevision) => {
    const name = `${suiteRevision.tokens}.${judgeIdentity.version}`;
    const cached = known.get(name) ?? (await digests.find(suiteRevision.chain, name));
    const computed = cached ?? (await digestOfSuite(suiteRevision, judgeIdentity));
    if (cached === undefined) await digests.keep?.(suiteRevision.chain, name, computed);
    known.set(name, computed);
    return { ...computed, name };
  };
}

async function digestOfSuite(suiteRevision: SuiteRevision, nameJudge: NameJudge): Promise<KnownDigest> {
  const rows = (await suiteRevision.activeCases()).map(({ member }) => member.row);
  const byScorer = Map.groupBy(rows, ({ scorer_id }) => scorer_id);
  const digester = new SuiteDigester(nameJudge);
  const ids = [...byScorer.keys()];
  for (let from = 0; from < ids.length; from += SCORERS_AT_ONCE) {
    const some = ids.slice(from, from + SCORERS_AT_ONCE);
    const scorers = await suiteRevision.scorers(new Set(some));
    for (const id of some) {
      const scorer = scorers.get(id) ?? null;
      for (const row of byScorer.get(id) ?? []) digester.add({ ...row, ...rulesOf(row), scorer });
    }
  }
  return { digest: digester.digest(suiteRevision.settings), judges: digester.judges() };
}

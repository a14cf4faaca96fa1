import { isJudged, judgeProviderOf } from '../../../scoring/engine/engine.ts';
import { canonicalProvider, type Provider } from '../../byok/providers.ts';
import type { Ordered } from '../../revisions/current.ts';
import { chunkEnds } from '../../suites/chains/chunks.ts';
import type { CaseRow, ScorerRow } from '../../suites/chains/members.ts';
import type { Judges } from '../../suites/chains/plannedCase.ts';
import type { SuiteRevision } from '../../suites/chains/suiteRevision.ts';

interface CutCase extends Ordered<CaseRow> {
  readonly chunk: number;
  /** Undefined for a deleted one. */
  readonly scorer: ScorerRow | undefined;
}

export interface CutSuite {
  /** The positions at which chunks end. */
  readonly ends: readonly number[];
  /** The active ones, in their order. */
  readonly cases: readonly CutCase[];
}

/** A suite in chunks. The same revisions are always cut the same way. */
export async function cutChunks(suiteRevision: SuiteRevision): Promise<CutSuite> {
  const [active, scorers] = await Promise.all([suiteRevision.activeCases(), suiteRevision.scorerRows()]);
  const weighed = new Map(
    [...scorers].map(([id, { row, bytes }]) => [id, { bytes, isJudged: isJudged(row) }]),
  );
  const ends = chunkEnds(
    active.map(({ position, member: { bytes, row } }) => ({
      position,
      bytes,
      outputs: row.sample_count,
      scorer: weighed.get(row.scorer_id),
    })),
  );
  let chunk = 0;
  const cases = active.map((activeCase) => {
    if (activeCase.position >= (ends[chunk] ?? 0)) chunk++;
    return { ...activeCase, chunk, scorer: scorers.get(activeCase.member.row.scorer_id)?.row };
  });
  return { ends, cases };
}

/** Of the largest configs: a function of 256 MB can't hold those of all scorers of a project. */
const SCORERS_AT_ONCE = 50;

/** At which providers each chunk needs a seat. */
export async function judgesOfChunks(suiteRevision: SuiteRevision, { cases }: CutSuite): Promise<Judges> {
  const judged = cases.filter(({ scorer }) => isJudged(scorer ?? null));
  const ids = [...new Set(judged.map(({ member }) => member.row.scorer_id))];
  const providers = new Map<string, Provider>();
  for (let from = 0; from < ids.length; from += SCORERS_AT_ONCE) {
    const scorers = await suiteRevision.scorers(new Set(ids.slice(from, from + SCORERS_AT_ONCE)));
    for (const [id, scorer] of scorers) {
      const named = judgeProviderOf(scorer);
      if (named !== undefined) providers.set(id, canonicalProvider(named));
    }
  }
  const chunks = new Map<Provider, Set<number>>();
  for (const { chunk, member } of judged) {
    const provider = providers.get(member.row.scorer_id);
    if (provider === undefined) continue;
    chunks.set(provider, (chunks.get(provider) ?? new Set()).add(chunk));
  }
  return Object.fromEntries([...chunks].map(([provider, chunkNumbers]) => [provider, [...chunkNumbers]]));
}

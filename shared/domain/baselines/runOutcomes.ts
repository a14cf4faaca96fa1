import { isJudged } from '../../scoring/engine/judged.ts';
import type { GatedCase } from '../../scoring/verdict/gating.ts';
import type { OutputKind, ScoredOutcome } from '../../scoring/verdict/relative/baseline.ts';
import { numberIn } from '../revisions/ids.ts';
import type { ScoredCase, StoredRun } from '../runs/ports.ts';
import { gatedCase, judgedOutcome } from '../runs/results/caseResults.ts';
import { type ReadDeps, readScores } from '../runs/results/readResults.ts';
import { suiteAtRun } from '../runs/suiteAtRun.ts';
import type { SuiteAt } from '../suites/chains/suiteAt.ts';

/** What a run that has ended made of its cases, in their order. */
export interface RunOutcomes {
  readonly run: StoredRun;
  readonly at: SuiteAt;
  readonly kind: OutputKind;
  readonly results: readonly ScoredCase[];
  /** The same, as gates and comparisons see them. */
  readonly cases: readonly GatedCase[];
}

export const kindOf = ({ isSingle }: Pick<StoredRun, 'isSingle'>): OutputKind =>
  isSingle ? 'output' : 'outputs';

/** A run that lacks some of its results is an error. */
export async function outcomesOf(deps: ReadDeps, orgId: string, run: StoredRun): Promise<RunOutcomes> {
  const at = await suiteAtRun(deps, { orgId, run });
  const [results = [], active, scorers] = await Promise.all([
    readScores(deps, orgId, run),
    at.activeCases(),
    at.scorerRows(),
  ]);
  if (results.length !== active.length)
    throw new Error(`Run ${run.id} has ${results.length} results of ${active.length} cases`);
  const cases = results.map((result, place) => {
    const scorer = scorers.get(active[place]?.member.row.scorer_id ?? '')?.row ?? null;
    return { ...gatedCase(result), ...(isJudged(scorer) && { judged: judgedOutcome(result) }) };
  });
  return { run, at, kind: kindOf(run), results, cases };
}

/** In the order of the numbers of their cases, as a baseline keeps them. */
export function byNumber({ results, cases }: RunOutcomes): ScoredOutcome[] {
  const numbered = cases.map((one, place) => ({
    number: numberIn(one.id) ?? 0,
    outcome: { ...one, score: results[place]?.score ?? 0 },
  }));
  return numbered.sort((one, other) => one.number - other.number).map(({ outcome }) => outcome);
}

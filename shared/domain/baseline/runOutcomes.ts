import { isJudged } from '../../scoring/engine/judged.ts';
import type { OutputKind, ScoredOutcome } from '../../scoring/verdict/baseline/baseline.ts';
import type { GatedCase } from '../../scoring/verdict/gating.ts';
import { numberIn } from '../revisions/ids.ts';
import type { ScoredCase, StoredRun } from '../runs/ports.ts';
import { gatedCase, judgedOutcome } from '../runs/results/caseResults.ts';
import { keepScores, type ReadDeps } from '../runs/results/readResults.ts';
import { suiteRevisionOfRun } from '../runs/suiteRevisionOfRun.ts';
import type { SuiteRevision } from '../suites/chains/suiteRevision.ts';

/** What a run that has ended made of its cases, in their order. */
export interface RunOutcomes {
  readonly run: StoredRun;
  readonly suiteRevision: SuiteRevision;
  readonly kind: OutputKind;
  /** As gates and comparisons see them. */
  readonly cases: readonly GatedCase[];
  readonly scores: readonly number[];
}

type ShownField = 'case_id' | 'key' | 'case_name' | 'score' | 'threshold' | 'weight' | 'must_pass' | 'reason';

/** With what a comparison shows of them. Excerpts and metadata of two runs of 10,000 cases would fill the memory. */
export interface ShownOutcomes extends RunOutcomes {
  readonly results: readonly Pick<ScoredCase, ShownField>[];
}

const shownOf = (result: ScoredCase): Pick<ScoredCase, ShownField> => {
  const { case_id, key, case_name, score, threshold, weight, must_pass, reason } = result;
  return { case_id, key, case_name, score, threshold, weight, must_pass, reason };
};

export const kindOf = ({ isSingle }: Pick<StoredRun, 'isSingle'>): OutputKind =>
  isSingle ? 'output' : 'outputs';

export const shownOutcomesOf = (deps: ReadDeps, orgId: string, run: StoredRun): Promise<ShownOutcomes> =>
  outcomesWith(deps, { orgId, run }, shownOf);

export const outcomesOf = (deps: ReadDeps, orgId: string, run: StoredRun): Promise<RunOutcomes> =>
  outcomesWith(deps, { orgId, run }, () => undefined);

/** A run that lacks some of its results is an error. */
async function outcomesWith<T>(
  deps: ReadDeps,
  { orgId, run }: { readonly orgId: string; readonly run: StoredRun },
  show: (result: ScoredCase) => T,
): Promise<RunOutcomes & { readonly results: T[] }> {
  const suiteRevision = await suiteRevisionOfRun(deps, { orgId, run });
  const [results = [], active, scorers] = await Promise.all([
    keepScores(deps, orgId, run, (result) => ({
      shown: show(result),
      score: result.score,
      gated: gatedCase(result),
      judged: judgedOutcome(result),
    })),
    suiteRevision.activeCases(),
    suiteRevision.scorerRows(),
  ]);
  if (results.length !== active.length)
    throw new Error(`Run ${run.id} has ${results.length} results of ${active.length} cases`);
  const cases = results.map(({ gated, judged }, place) => {
    const scorer = scorers.get(active[place]?.member.row.scorer_id ?? '')?.row ?? null;
    return { ...gated, ...(isJudged(scorer) && { judged }) };
  });
  const scores = results.map(({ score }) => score);
  return { run, suiteRevision, kind: kindOf(run), cases, scores, results: results.map(({ shown }) => shown) };
}

/** One after the other: of the runs of a baseline there may be five. */
export async function outcomesOfAll(
  deps: ReadDeps,
  orgId: string,
  runs: readonly StoredRun[],
): Promise<RunOutcomes[]> {
  const all: RunOutcomes[] = [];
  for (const run of runs) all.push(await outcomesOf(deps, orgId, run));
  return all;
}

/** In the order of the numbers of their cases, as a baseline keeps them. */
export function byNumber({ scores, cases }: RunOutcomes): ScoredOutcome[] {
  const numbered = cases.map((gatedCase, place) => ({
    number: numberIn(gatedCase.id) ?? 0,
    outcome: { ...gatedCase, score: scores[place] ?? 0 },
  }));
  return numbered.sort((one, other) => one.number - other.number).map(({ outcome }) => outcome);
}

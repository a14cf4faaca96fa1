import type { Regression } from '../../contracts/analytics.ts';
import { reaches } from '../../scoring/verdict/tolerance.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { retainedSince } from '../retention/retention.ts';
import type { RunReader, ScoredCase } from '../runs/ports.ts';
import { type ReadDeps, readScores } from '../runs/results/readResults.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import { analysedSuite } from './access.ts';
import type { AnalyticsStore } from './ports.ts';

/** A case that fell by less is not listed as a regression: it may only have crossed its threshold. */
const DROP_MIN = 0.1;

interface Deps extends Ambient, ReadDeps {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly runs: RunReader;
  readonly analytics: AnalyticsStore;
}

/** The cases that the latest run with a verdict fails, and the run before it passed. */
export async function regressionsOfSuite(
  deps: Deps,
  principal: Principal,
  suiteId: string,
): Promise<Regression[]> {
  const { orgId } = principal;
  const head = await analysedSuite(deps, principal, suiteId);
  const since = retainedSince(principal, deps.now());
  const [latest, previous] = await deps.analytics.latestRuns(orgId, head, since, 2);
  if (latest === undefined || previous === undefined) return [];
  const [current, before] = await Promise.all([
    resultsOf(deps, orgId, latest),
    resultsOf(deps, orgId, previous),
  ]);
  return regressionsBetween(before, current);
}

async function resultsOf(deps: Deps, orgId: string, runId: string): Promise<readonly ScoredCase[]> {
  const run = await deps.runs.find(orgId, runId);
  return (run && (await readScores(deps, orgId, run))) ?? [];
}

/** A result with an error has no score to compare. One that the candidate has kept from being judged has got worse. */
const hasScore = ({ scorer_output }: ScoredCase): boolean => scorer_output.error === undefined;
const isWorse = (result: ScoredCase): boolean => hasScore(result) || result.fault === 'candidate';

export function regressionsBetween(
  before: readonly ScoredCase[],
  current: readonly ScoredCase[],
): Regression[] {
  const passed = new Map(
    before.filter((result) => result.passed && hasScore(result)).map((result) => [result.case_id, result]),
  );
  return current
    .filter((result) => !result.passed && !result.advisory && isWorse(result))
    .flatMap(({ case_name, case_id, score, threshold, reason }) => {
      const previous = passed.get(case_id);
      if (previous === undefined || !reaches(previous.score - score, DROP_MIN)) return [];
      return {
        case_name,
        case_id,
        current_score: score,
        previous_score: previous.score,
        threshold,
        regression: true as const,
        reason,
      };
    });
}

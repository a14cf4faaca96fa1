import type { RunResult } from '../../../contracts/results/results.ts';
import { GONE } from '../../../scoring/kit/shownOutputs.ts';
import type { Revisions } from '../../suites/chains/chains.ts';
import type { SuiteRevision } from '../../suites/chains/suiteRevision.ts';
import { resultId } from '../ids.ts';
import type { RunStore, ScoredCase, StoredRun } from '../ports.ts';
import { suiteRevisionOfRun } from '../suiteRevisionOfRun.ts';
import { type CaseSays, join, NOT_READ } from './join.ts';
import type { StoredResult } from './storedResult.ts';

export interface ReadDeps {
  readonly runs: Pick<RunStore, 'results'>;
  readonly chains: Revisions;
}

/** In the order of the cases, joined with what cases and scorers say at the run's revisions. Undefined: the run is gone. */
export async function readResults(
  deps: ReadDeps,
  orgId: string,
  run: StoredRun,
): Promise<RunResult[] | undefined> {
  const results = await joined(deps, { orgId, run, isComplete: true });
  return results?.map((result) => ({ id: resultId(run.id, result.case_id), run_id: run.id, ...result }));
}

/** The same for callers that need no text of a case and no config of a scorer: they are not read, and null. */
export const readScores = (
  deps: ReadDeps,
  orgId: string,
  run: StoredRun,
): Promise<ScoredCase[] | undefined> => joined(deps, { orgId, run, isComplete: false });

/** What `keep` makes of each of them: the rest, such as metadata and what a judge answered, is not held. */
export async function keepScores<T>(
  { runs, chains }: ReadDeps,
  orgId: string,
  run: StoredRun,
  keep: (result: ScoredCase) => T,
): Promise<readonly T[] | undefined> {
  const says = await casesOf(await suiteRevisionOfRun({ chains }, { orgId, run }), false);
  return runs.results(orgId, run.id, (stored) => keep(join(stored, saysOf(stored, says)).result));
}

interface Requested {
  readonly orgId: string;
  readonly run: StoredRun;
  readonly isComplete: boolean;
}

async function joined({ runs, chains }: ReadDeps, { orgId, run, isComplete }: Requested) {
  const stored = await runs.results(orgId, run.id);
  if (stored === undefined || stored.length === 0) return stored && [];
  const suite = await suiteRevisionOfRun({ chains }, { orgId, run });
  const says = await casesOf(suite, isComplete);
  const known = stored.map((result) => ({ storedResult: result, suiteCase: saysOf(result, says) }));
  const withoutTexts = known.map((one) => ({ ...one, ...join(one.storedResult, one.suiteCase) }));
  const lacking = withoutTexts.flatMap(({ isLost, suiteCase }) =>
    isComplete && isLost && suiteCase ? [suiteCase.id] : [],
  );
  const texts = await suite.textsOf(lacking);
  return withoutTexts.map(({ storedResult, suiteCase, result }) => {
    const caseTexts = suiteCase === undefined ? undefined : texts.get(suiteCase.id);
    return suiteCase === undefined || caseTexts === undefined
      ? result
      : join(storedResult, { ...suiteCase, ...caseTexts }).result;
  });
}

function saysOf({ member }: StoredResult, says: ReadonlyMap<number, CaseSays>): CaseSays | undefined {
  const suiteCase = member === null ? undefined : says.get(member);
  if (member !== null && suiteCase === undefined)
    throw new Error(`Case ${member} of a result is not in its suite`);
  return suiteCase;
}

/** By number, without their texts. */
async function casesOf(suite: SuiteRevision, withConfigs: boolean): Promise<ReadonlyMap<number, CaseSays>> {
  const [active, rows] = await Promise.all([suite.activeCases(), suite.scorerRows()]);
  const configs = await suite.configsOf(withConfigs ? [...rows.values()] : []);
  const scorers = new Map(
    [...rows.values()].map(({ number, row }) => {
      const { config = GONE } = configs.get(number) ?? {};
      return [row.id, { type: row.type, config }];
    }),
  );
  return new Map(
    active.map(({ member: { number, row } }) => {
      const scorer = scorers.get(row.scorer_id) ?? null;
      return [number, { ...row, ...NOT_READ, scorer }];
    }),
  );
}

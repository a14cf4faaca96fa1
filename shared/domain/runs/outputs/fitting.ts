import { oneForSeveral } from '../../../scoring/engine/matching.ts';
import { invalidField } from '../../errors.ts';
import { openCasesOf } from '../../suites/chains/members.ts';
import { plainCase, type SuiteRevision } from '../../suites/chains/suiteRevision.ts';
import { inCaseOrder, type PlacedOutput } from './blocks.ts';
import { samplesOf } from './sampledCases.ts';
import type { Submission } from './submission.ts';

export interface Fitted {
  /** In the order of their cases. */
  readonly outputs: readonly PlacedOutput[] | undefined;
  /** How many of what was sent a model judges, each by half of its further votes more. */
  readonly judgedCases: number;
}

/** Throws 400 where what was sent does not fit the suite. */
export async function fitting(
  suiteRevision: SuiteRevision,
  request: Submission,
  createdAtMs: number,
): Promise<Fitted> {
  if (request.outputs === undefined) {
    const { cases, outputs, judged } = await suiteRevision.counts();
    if (outputs > cases) throw invalidField('output', oneForSeveral('a case of the suite takes several'));
    return { outputs: undefined, judgedCases: judged };
  }
  const [active, scorers] = await Promise.all([suiteRevision.activeCases(), suiteRevision.scorerRows()]);
  const cases = active.map(({ member }) => plainCase(member));
  const { samples } = samplesOf(cases, request, createdAtMs);
  const judged = samples.map(
    (samples, index) =>
      samples.length * openCasesOf(scorers.get(active[index]?.member.row.scorer_id ?? '')?.row),
  );
  return {
    outputs: inCaseOrder(request.outputs, cases),
    judgedCases: judged.reduce((sum, openCount) => sum + openCount, 0),
  };
}

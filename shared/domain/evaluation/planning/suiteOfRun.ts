import { pairNamed, projectChain, type Revisions, suiteChain } from '../../suites/chains.ts';
import { type PairPlace, SuiteAt } from '../../suites/suiteAt.ts';
import type { Evaluation } from '../evaluation.ts';

interface Deps {
  readonly chains: Revisions;
}

function placeOf({ orgId, run, pair }: Evaluation): PairPlace {
  const { suite_id: suiteId, suite_slug: slug = '', project_id: projectId, project_slug } = run;
  const project = { id: projectId, slug: project_slug };
  return { orgId, suite: { suiteId, slug, projectId }, project, pair: pairNamed(pair) };
}

/** As it was when the run was accepted: also of a suite that was deleted since. */
export const suiteOfRun = ({ chains }: Deps, evaluation: Evaluation): Promise<SuiteAt> =>
  SuiteAt.read(chains, placeOf(evaluation));

/** Whether neither the suite nor its project was deleted since. */
export async function hasSuite({ chains }: Deps, evaluation: Evaluation): Promise<boolean> {
  const { orgId, suite, project } = placeOf(evaluation);
  const positions = await Promise.all([
    chains.cases.position(suiteChain(orgId, suite)),
    chains.scorers.position(projectChain(orgId, project)),
  ]);
  return !positions.includes(undefined);
}

import { projectChain, type Revisions, revisionsNamed, suiteChain } from '../suites/chains/chains.ts';
import { type RevisionsPlace, SuiteRevision } from '../suites/chains/suiteRevision.ts';
import type { StoredRun } from './ports.ts';

interface Deps {
  readonly chains: Revisions;
}

interface RunOf {
  readonly orgId: string;
  readonly run: StoredRun;
}

function placeOf({ orgId, run }: RunOf): RevisionsPlace {
  const { suite_id: suiteId, suite_slug: slug = '', project_id: projectId, project_slug } = run;
  const project = { id: projectId, slug: project_slug };
  return { orgId, suite: { suiteId, slug, projectId }, project, revisions: revisionsNamed(run.revisions) };
}

/** The suite that judges the run: also one that was changed or deleted since. */
export const suiteRevisionOfRun = ({ chains }: Deps, runOf: RunOf): Promise<SuiteRevision> =>
  SuiteRevision.read(chains, placeOf(runOf));

/** Of a pending run: whether neither the suite nor its project was deleted since. */
export async function hasSuite({ chains }: Deps, runOf: RunOf): Promise<boolean> {
  const { orgId, suite, project } = placeOf(runOf);
  const positions = await Promise.all([
    chains.cases.position(suiteChain(orgId, suite)),
    chains.scorers.position(projectChain(orgId, project)),
  ]);
  return !positions.includes(undefined);
}

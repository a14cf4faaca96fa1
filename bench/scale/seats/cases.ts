import type { Provider } from '../../../shared/domain/byok/providers.ts';
import { revisionsName } from '../../../shared/domain/suites/chains/chains.ts';
import { projectStore } from '../../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../../shared/storage/suites/suites.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import {
  type MadeSuite,
  makeStoredSuite,
  storedCase,
  storedScorer,
} from '../../../test/shared/storage/stored.ts';
import { addCases, addScorer } from '../../../test/support/revisions/bars.ts';

export const AT = '2026-05-05T10:00:00.000Z';

export interface JudgedSuite {
  readonly made: MadeSuite;
  readonly pair: string;
}

interface Place {
  readonly memory: Table;
  readonly newId: () => string;
}

/** A suite of so many cases for these judges in turn, in the project of another one. */
export async function makeJudgedSuite(
  { memory, newId }: Place,
  beside: MadeSuite,
  { providers, cases }: { readonly providers: readonly Provider[]; readonly cases: number },
): Promise<JudgedSuite> {
  const made = await makeStoredSuite(memory, { beside, newId });
  const { orgId, suite } = made;
  const scorers: string[] = [];
  for (const provider of providers) {
    const config = { rubric: 'The answer helps.', _provider: provider };
    const scorer = storedScorer(suite, { key: newId(), name: 'Helpful', type: 'llm_judge', config });
    scorers.push(await addScorer(memory, orgId, scorer));
  }
  const all = Array.from({ length: cases }, (_, index) =>
    storedCase(suite, { key: `case-${index}`, scorer_id: scorers[index % scorers.length] ?? '' }),
  );
  await addCases(memory, orgId, suite, all);
  const head = await suiteStore(memory).head(orgId, suite.slug, suite.project_id);
  const project = await projectStore(memory).head(orgId, suite.project_slug);
  if (head === undefined || project === undefined) throw new Error('a suite that was made is gone');
  const pair = revisionsName({ suite: head.position, project: project.position });
  return { made: { ...made, head }, pair };
}

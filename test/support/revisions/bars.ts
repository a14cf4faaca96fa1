import type { EvalCase } from '../../../shared/contracts/cases.ts';
import { memberId } from '../../../shared/domain/revisions/ids.ts';
import { editProject, editSuite } from '../../../shared/domain/suites/chains/edits.ts';
import { editedProject, editedSuite } from '../../../shared/domain/suites/chains/memberEdits.ts';
import { requestedCase, requestedScorer } from '../../../shared/domain/suites/chains/members.ts';
import { noSuite, putRevisions } from '../../../shared/domain/suites/chains/putRevisions.ts';
import type { StoredScorer, StoredSuite } from '../../../shared/domain/suites/stored.ts';
import { chainStore } from '../../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../../shared/storage/suites/suites.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import { ACT, editorOf } from './edits.ts';

const depsOf = (table: Table) => ({
  suites: suiteStore(table),
  chains: chainStore(table),
  now: Date.now,
});

/** A suite without cases, in a project that there is. */
export async function putSuite(table: Table, orgId: string, suite: StoredSuite): Promise<void> {
  const deps = depsOf(table);
  const project = await projectStore(table).head(orgId, suite.project_slug);
  if (project === undefined) throw new Error(`there is no project ${suite.project_slug}`);
  const present = noSuite(deps, orgId, suite);
  const edited = await editedSuite(present, { act: ACT });
  const put = await putRevisions(deps, editorOf(orgId), { suite, present, edited, project, scorers: 'any' });
  if (typeof put === 'string') throw new Error(`making a suite: ${put}`);
}

/** Many cases in one edit, after those that there are. Returns their ids. */
export async function addCases(
  table: Table,
  orgId: string,
  suite: StoredSuite,
  cases: readonly Omit<EvalCase, 'id' | 'sort_order'>[],
): Promise<string[]> {
  let ids: string[] = [];
  await editSuite(depsOf(table), editorOf(orgId), suite, async (present) => {
    const first = present.revision.lastNumber + 1;
    ids = cases.map((_, index) => memberId(suite.id, first + index));
    const edits = cases.map((one, index) => ({
      number: first + index,
      before: undefined,
      after: requestedCase({ ...one, id: ids[index] ?? '' }),
    }));
    return editedSuite(present, { act: ACT, cases: edits });
  });
  return ids;
}

/** Returns its id. */
export async function addScorer(
  table: Table,
  orgId: string,
  scorer: Omit<StoredScorer, 'id'>,
): Promise<string> {
  let id = '';
  const project = { id: scorer.project_id, slug: scorer.project_slug };
  await editProject(depsOf(table), editorOf(orgId), project, async (present) => {
    const number = present.revision.lastNumber + 1;
    id = memberId(project.id, number);
    return editedProject(present, ACT, [
      { number, before: undefined, after: requestedScorer({ ...scorer, id }) },
    ]);
  });
  return id;
}

import { editProject, editSuite } from '../../shared/domain/suites/chains/edits.ts';
import { editedProject, editedSuite } from '../../shared/domain/suites/chains/memberEdits.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';
import type { Table } from '../../shared/storage/table/table.ts';
import { ACT, editorOf } from './revisions/edits.ts';

interface CasePlace {
  readonly project: { readonly org_id: string };
  readonly suite: { readonly id: string };
}

/** Leaves a case as it is restored where another one has taken its key. */
export async function dropKeyOfCase(table: Table, { project, suite }: CasePlace, id: string): Promise<void> {
  const deps = { chains: chainStore(table), now: Date.now };
  const stored = await suiteStore(table).find(project.org_id, suite.id);
  if (stored === undefined) throw new Error(`there is no suite ${suite.id}`);
  await editSuite(deps, editorOf(project.org_id), stored, async (present) => {
    const before = (await present.members()).find(({ row }) => row.id === id);
    if (before === undefined) throw new Error(`there is no case ${id}`);
    const after = { row: { ...before.row, key: id } };
    return editedSuite(present, { act: ACT, cases: [{ number: before.number, before, after }] });
  });
}

/** The same of a scorer. */
export async function dropKeyOfScorer(
  table: Table,
  project: { readonly org_id: string; readonly id: string; readonly slug: string },
  id: string,
): Promise<void> {
  const deps = { chains: chainStore(table), now: Date.now };
  await editProject(deps, editorOf(project.org_id), project, async (present) => {
    const before = (await present.members()).find(({ row }) => row.id === id);
    if (before === undefined) throw new Error(`there is no scorer ${id}`);
    const after = { row: { ...before.row, key: id } };
    return editedProject(present, ACT, [{ number: before.number, before, after }]);
  });
}

import { randomUUID } from 'node:crypto';
import type { EvalCase } from '../../../shared/contracts/cases.ts';
import { PLAIN_RULES } from '../../../shared/domain/suites/bar/rules.ts';
import { reorderList } from '../../../shared/storage/lists/lists.ts';
import { newCaseWrites } from '../../../shared/storage/suites/caseItems.ts';
import { bumpRevision } from '../../../shared/storage/suites/suiteHeads.ts';
import { chunksOf } from '../../../shared/storage/table/batches.ts';
import { caseList } from '../../../shared/storage/table/keys.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import type { Gate } from './gate.ts';

/** A transaction holds 100 writes: three for each case. */
const CASES_A_TRANSACTION = 33;
const LIST_BLOCK = 200;

/**
 * Many cases at once, written as the service writes them, for suites that would take minutes over HTTP.
 * Cases that the suite had are no longer in its list.
 */
export async function fillSuite(
  table: Table,
  { project, suite }: Pick<Gate, 'project' | 'suite'>,
  count: number,
  fieldsOf: (index: number) => Pick<EvalCase, 'name' | 'scorer_id' | 'expected'> & Partial<EvalCase>,
): Promise<string[]> {
  const { org_id: orgId, slug: project_slug } = project;
  const at = new Date().toISOString();
  const cases = Array.from({ length: count }, (_, index) => ({
    id: randomUUID() as string,
    suite_id: suite.id,
    key: `case-${index}`,
    ...PLAIN_RULES,
    description: null,
    input: {},
    threshold: 0.5,
    weight: 1,
    is_active: true,
    created_at: at,
    updated_at: at,
    ...fieldsOf(index),
  }));
  for (const chunk of chunksOf(cases, CASES_A_TRANSACTION)) {
    const writes = chunk.map((evalCase) => newCaseWrites(orgId, evalCase));
    const outcome = await table.transact<string>(Object.assign({}, ...writes));
    if (!outcome.committed) throw new Error(`filling a suite: ${[...outcome.failed.keys()]} failed`);
  }
  const ids = cases.map(({ id }) => id);
  const blocks = chunksOf(ids, LIST_BLOCK).map((block, index) => ({ number: index + 1, ids: block }));
  await table.transact<string>({
    suite: bumpRevision(orgId, { ...suite, project_slug }),
    ...reorderList(caseList(orgId, suite.id), blocks, ids),
  });
  return ids;
}

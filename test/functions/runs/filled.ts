import type { EvalCase } from '../../../shared/contracts/cases.ts';
import { PLAIN_RULES } from '../../../shared/domain/suites/gates/rules.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import { addCases } from '../../support/revisions/bars.ts';
import type { Gate } from './gate.ts';

/** Many cases in one edit, for suites that would take minutes over HTTP. */
export async function fillSuite(
  table: Table,
  { project, suite }: Pick<Gate, 'project' | 'suite'>,
  count: number,
  fieldsOf: (index: number) => Pick<EvalCase, 'name' | 'scorer_id' | 'expected'> & Partial<EvalCase>,
): Promise<string[]> {
  const at = new Date().toISOString();
  const cases = Array.from({ length: count }, (_, index) => ({
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
  return addCases(table, project.org_id, { ...suite, project_slug: project.slug }, cases);
}

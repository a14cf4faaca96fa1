import type { Chains } from '../../domain/suites/chains/chains.ts';
import type {
  CaseRow,
  CaseTexts,
  ProjectFields,
  ScorerRow,
  ScorerTexts,
  SuiteFields,
} from '../../domain/suites/chains/members.ts';
import type { Table } from '../table/table.ts';
import { revisionStore } from './revisions.ts';

const known = new WeakMap<Table, Chains>();

/** One for all stores on a table: what one of them has read, the others know. */
export function chainStore(table: Table): Chains {
  const chains = known.get(table) ?? {
    cases: revisionStore<CaseRow, CaseTexts, SuiteFields>(table),
    scorers: revisionStore<ScorerRow, ScorerTexts, ProjectFields>(table, { edits: 0 }),
    backoff: table.backoff,
  };
  known.set(table, chains);
  return chains;
}

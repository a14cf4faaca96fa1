import type { EvalCase } from '../../contracts/cases.ts';
import type { PlanningStore } from '../../domain/evaluation/ports.ts';
import type { StoredRun } from '../../domain/runs/ports.ts';
import { idsOf, readList } from '../lists/lists.ts';
import { caseExpectedKey, caseKey, caseList, projectHeadKey, scorerKey, suiteKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { fromItems, isExpectedElsewhere } from './caseItems.ts';
import { readScorer } from './scorers.ts';
import { readHead } from './suiteHeads.ts';
import { headKeyOfRun } from './suiteOfRun.ts';

export function planningStore(table: Table): PlanningStore {
  return {
    revision: (orgId, run) => revisionOf(table, orgId, run),

    async outline(orgId, run) {
      // The revision before the contents, so that an edit in between gives another revision.
      const revision = await revisionOf(table, orgId, run);
      if (revision === undefined) return undefined;
      const [suite, blocks] = await Promise.all([
        table.get(suiteKey(orgId, run.suite_id)),
        readList(table, caseList(orgId, run.suite_id)),
      ]);
      if (suite === undefined) return undefined;
      return {
        revision,
        passThreshold: Number(suite.pass_threshold),
        caseIds: idsOf(blocks),
      };
    },

    async caseIds(orgId, run) {
      return idsOf(await readList(table, caseList(orgId, run.suite_id)));
    },

    async cases(orgId, run, ids) {
      const cases = await activeCases(table, orgId, run.suite_id, ids);
      const scorerIds = [...new Set(cases.map((evalCase) => evalCase.scorer_id))];
      const items = await table.getMany(scorerIds.map((id) => scorerKey(orgId, id)));
      const scorers = new Map(
        items
          .filter((item) => item !== undefined)
          .filter((item) => item.project_id === run.project_id)
          .map((item) => [String(item.id), readScorer(item)]),
      );
      return cases.map(({ id, name, input, expected, threshold, weight, scorer_id }) => {
        const scorer = scorers.get(scorer_id) ?? null;
        return { id, name, input, expected, threshold, weight, scorer };
      });
    },
  };
}

async function revisionOf(table: Table, orgId: string, run: StoredRun): Promise<string | undefined> {
  const headKey = await headKeyOfRun(table, orgId, run);
  if (headKey === undefined) return undefined;
  const [project, head] = await table.getMany([projectHeadKey(orgId, run.project_slug), headKey]);
  if (head?.suite_id !== run.suite_id || project?.id !== run.project_id) return undefined;
  return `${readHead(head).revision}.${Number(project.scorers_revision)}`;
}

async function activeCases(
  table: Table,
  orgId: string,
  suiteId: string,
  ids: readonly string[],
): Promise<EvalCase[]> {
  const items = await table.getMany(ids.map((id) => caseKey(orgId, suiteId, id)));
  const active = items.filter((item) => item?.is_active === true).filter((item) => item !== undefined);
  const elsewhere = active.map((item) => caseExpectedKey(orgId, suiteId, String(item.id)));
  const expected = await table.getMany(
    elsewhere.filter((_, index) => isExpectedElsewhere(active[index] ?? {})),
  );
  const byId = new Map(expected.map((item) => [item?.sk, item]));
  return active.map((item, index) => fromItems(item, byId.get(elsewhere[index]?.sk), 0));
}

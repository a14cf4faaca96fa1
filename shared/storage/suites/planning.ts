import type { EvalCase } from '../../contracts/cases.ts';
import type { PlanningStore } from '../../domain/evaluation/ports.ts';
import type { StoredRun } from '../../domain/runs/ports.ts';
import { type CaseDocuments, rulesOf } from '../../domain/suites/bar/rules.ts';
import type { PlannedCase, ReadCase } from '../../domain/suites/packs/plannedCase.ts';
import { idsOf, readList } from '../lists/lists.ts';
import { packStore } from '../packs/packedSuites.ts';
import { chunksOf } from '../table/batches.ts';
import {
  caseExpectedKey,
  caseKey,
  caseList,
  casesOfSuite,
  projectHeadKey,
  scorerKey,
  suiteKey,
} from '../table/keys.ts';
import { throughPush } from '../table/pushes/throughPush.ts';
import type { Item, QueryRange, Table } from '../table/table.ts';
import { documentsIn, fromItems, isExpectedElsewhere } from './caseItems.ts';
import { caseBytes, pagesOf } from './casePages.ts';
import { readScorer } from './scorers.ts';
import { barOf } from './suiteBars.ts';
import { readHead } from './suiteHeads.ts';
import { headKeyOfRun } from './suiteOfRun.ts';

export function planningStore(table: Table): PlanningStore {
  return {
    ...packStore(table),

    revision: (orgId, run) => revisionOf(table, orgId, run),

    async inForce(orgId, run) {
      const headKey = headKeyOfRun(orgId, run);
      return headKey === undefined ? planningStore(table) : planningStore(await throughPush(table, headKey));
    },

    async outline(orgId, run) {
      const [suite, blocks] = await Promise.all([
        table.get(suiteKey(orgId, run.suite_id)),
        readList(table, caseList(orgId, run.suite_id)),
      ]);
      if (suite === undefined) return undefined;
      return { ...barOf(suite), caseIds: idsOf(blocks) };
    },

    async caseIds(orgId, run) {
      return idsOf(await readList(table, caseList(orgId, run.suite_id)));
    },

    async cases(orgId, run, ids) {
      const items = await table.getMany(ids.map((id) => caseKey(orgId, run.suite_id, id)));
      const active = items.filter((item) => item?.is_active === true).filter((item) => item !== undefined);
      const elsewhere = active.filter(isExpectedElsewhere);
      const expected = await table.getMany(
        elsewhere.map(({ id }) => caseExpectedKey(orgId, run.suite_id, String(id))),
      );
      return withScorers(table, { orgId, run }, wholeCases({ orgId, run }, [...active, ...expected]));
    },

    async casesIfSmall(orgId, run, ids) {
      const items = await itemsIfSmall(table, casesOfSuite(orgId, run.suite_id), ids.length);
      return items && slicesOf(table, { orgId, run }, items, ids);
    },
  };
}

interface Place {
  readonly orgId: string;
  readonly run: StoredRun;
}

async function revisionOf(table: Table, orgId: string, run: StoredRun): Promise<string | undefined> {
  const headKey = headKeyOfRun(orgId, run);
  if (headKey === undefined) return undefined;
  const [project, head] = await table.getMany([projectHeadKey(orgId, run.project_slug), headKey]);
  if (head?.suite_id !== run.suite_id || project?.id !== run.project_id) return undefined;
  return `${readHead(head).revision}.${Number(project.scorers_revision)}`;
}

interface WholeCase {
  readonly evalCase: EvalCase;
  readonly documents: CaseDocuments;
}

/** The active cases among these items. */
function wholeCases({ orgId, run }: Place, items: readonly (Item | undefined)[]): WholeCase[] {
  const known = items.filter((item) => item !== undefined);
  const bySortKey = new Map(known.map((item) => [item.sk, item]));
  const active = known.filter((item) => item.is_active === true);
  return active.map((item) => {
    const elsewhere = bySortKey.get(caseExpectedKey(orgId, run.suite_id, String(item.id)).sk);
    return { evalCase: fromItems(item, elsewhere, 0), documents: documentsIn(item, elsewhere) };
  });
}

type Scorers = Map<string, PlannedCase['scorer']>;

/** `known` scorers are not read again. */
async function withScorers(
  table: Table,
  { orgId, run }: Place,
  cases: readonly WholeCase[],
  known: Scorers = new Map(),
): Promise<ReadCase[]> {
  const ids = [...new Set(cases.map(({ evalCase }) => evalCase.scorer_id))].filter((id) => !known.has(id));
  const items = await table.getMany(ids.map((id) => scorerKey(orgId, id)));
  for (const [index, id] of ids.entries()) {
    const item = items[index];
    known.set(id, item?.project_id === run.project_id && item !== undefined ? readScorer(item) : null);
  }
  return cases.map(({ evalCase, documents }) => {
    const { id, name, input, expected, threshold, weight, scorer_id } = evalCase;
    const scorer = known.get(scorer_id) ?? null;
    return { id, name, input, expected, threshold, weight, scorer, ...rulesOf(evalCase), ...documents };
  });
}

/** A function of 256 MB holds so many of the largest. */
const SCORERS_HELD_MAX = 100;

async function* slicesOf(
  table: Table,
  place: Place,
  items: readonly Item[],
  ids: readonly string[],
): AsyncGenerator<ReadCase[]> {
  const byKey = new Map(items.map((item) => [item.sk, item]));
  const known: Scorers = new Map();
  for (const slice of chunksOf(ids, PAGE_ITEMS)) {
    const keys = slice.flatMap((id) => [
      caseKey(place.orgId, place.run.suite_id, id).sk,
      caseExpectedKey(place.orgId, place.run.suite_id, id).sk,
    ]);
    const cases = wholeCases(
      place,
      keys.map((key) => byKey.get(key)),
    );
    if (known.size > SCORERS_HELD_MAX) known.clear();
    yield await withScorers(table, place, cases, known);
  }
}

/** A function of 256 MB holds these bytes several times. */
const SMALL_BYTES_MAX = 8_000_000;
/** Before the size of the cases is known: 10 MB if they are of the largest size. */
const FIRST_PAGE_ITEMS = 20;
const PAGE_ITEMS = 100;

/** Gives up as soon as what it read so far makes so many items too large. */
async function itemsIfSmall(table: Table, range: QueryRange, count: number): Promise<Item[] | undefined> {
  const items: Item[] = [];
  let bytes = 0;
  for await (const page of pagesOf(table, range, { first: FIRST_PAGE_ITEMS, limit: PAGE_ITEMS })) {
    items.push(...page);
    bytes += page.reduce((sum, item) => sum + caseBytes(item), 0);
    if ((bytes * Math.max(count, items.length)) / items.length > SMALL_BYTES_MAX) return undefined;
  }
  return items;
}

import { UUID_FORM } from '../../../contracts/base/common.ts';
import { DEFINITION_BYTES_MAX } from '../../../domain/definitions/limits.ts';
import type { DefinitionStore, Versions, WholeSuite } from '../../../domain/definitions/ports.ts';
import { keyedOf, keysOfProject } from '../../lists/heldKeys.ts';
import { idsOf, readList } from '../../lists/lists.ts';
import {
  caseExpectedKey,
  caseKey,
  caseList,
  casesOfSuite,
  heldKeyKey,
  projectHeadKey,
  SK,
  scorerKey,
  suiteHeadKey,
  suiteKey,
} from '../../table/keys.ts';
import { settlePushOf } from '../../table/pushes/afterPushes.ts';
import { throughPush } from '../../table/pushes/throughPush.ts';
import type { Item, Table } from '../../table/table.ts';
import { documentsIn, fromItems, isExpectedElsewhere } from '../caseItems.ts';
import { caseBytes, pagesOf } from '../casePages.ts';
import { readScorer } from '../scorers.ts';
import { readSuite } from '../suiteOfRun.ts';
import { commitPush, recordPush } from './commitPush.ts';
import { suitesByScorer } from './scorerUses.ts';

const PAGE_ITEMS = 1_000;

export const definitionStore = (table: Table): DefinitionStore => ({
  push: (orgId, push) => commitPush(table, orgId, push),

  settle: (orgId, suiteId) => settlePushOf(table, orgId, suiteId),

  async scorersByKey(orgId, { id, slug }, keys) {
    return scorersByKey(await throughPush(table, projectHeadKey(orgId, slug)), orgId, id, keys);
  },

  usesElsewhere: (orgId, suite) => suitesByScorer(table, orgId, suite, suite.id),

  recordPush: (orgId, pushed) => recordPush(table, orgId, pushed),

  async read(orgId, suiteId, { slug, projectId, isPushUnderWay }) {
    const head = suiteHeadKey(orgId, slug, projectId);
    return readWhole(isPushUnderWay ? await throughPush(table, head) : table, orgId, suiteId);
  },
});

async function readWhole(table: Table, orgId: string, suiteId: string): ReturnType<DefinitionStore['read']> {
  const [item, items, blocks] = await Promise.all([
    table.get(suiteKey(orgId, suiteId)),
    itemsOf(table, orgId, suiteId),
    readList(table, caseList(orgId, suiteId)),
  ]);
  if (item === undefined) return undefined;
  if (items === undefined) return 'too_large';
  const suite = readSuite(item);
  const cases = casesIn(items, { orgId, suiteId, ids: idsOf(blocks) });
  const found = await scorersOf(table, orgId, cases);
  const own = found.filter(({ project_id }) => project_id === suite.project_id);
  const scorers = new Map(own.map(readScorer).map((scorer) => [scorer.id, scorer]));
  const all = [...items.values()];
  return {
    ...{ suite, cases, scorers, versions: versionsOf([item, ...own, ...all]) },
    large: new Set(all.filter(isExpectedElsewhere).map(({ id }) => String(id))),
  };
}

/** By their sort keys. Undefined where there are too many bytes. */
async function itemsOf(table: Table, orgId: string, suiteId: string): Promise<Map<string, Item> | undefined> {
  const items = new Map<string, Item>();
  let bytes = 0;
  for await (const page of pagesOf(table, casesOfSuite(orgId, suiteId), { limit: PAGE_ITEMS })) {
    for (const item of page) {
      items.set(String(item[SK]), item);
      bytes += caseBytes(item);
    }
    if (bytes > DEFINITION_BYTES_MAX) return undefined;
  }
  return items;
}

interface Listed {
  readonly orgId: string;
  readonly suiteId: string;
  readonly ids: readonly string[];
}

function casesIn(items: ReadonlyMap<string, Item>, { orgId, suiteId, ids }: Listed): WholeSuite['cases'] {
  return ids.flatMap((id, position) => {
    const main = items.get(caseKey(orgId, suiteId, id).sk);
    // A case that was deleted since the list was read is left out.
    if (main === undefined) return [];
    const elsewhere = isExpectedElsewhere(main)
      ? items.get(caseExpectedKey(orgId, suiteId, id).sk)
      : undefined;
    return [{ ...fromItems(main, elsewhere, position), ...documentsIn(main, elsewhere) }];
  });
}

async function scorersOf(table: Table, orgId: string, cases: WholeSuite['cases']): Promise<Item[]> {
  const ids = [...new Set(cases.map(({ scorer_id }) => scorer_id))];
  const items = await table.getMany(ids.map((id) => scorerKey(orgId, id)));
  return items.filter((item) => item !== undefined);
}

async function scorersByKey(table: Table, orgId: string, projectId: string, keys: readonly string[]) {
  const { partition } = keysOfProject(orgId, projectId);
  const held = await table.getMany(keys.map((key) => heldKeyKey(partition, key)));
  // A restored scorer whose key another one has taken has its id as key, which no item holds.
  const ids = keys.map((key, index) => String(held[index]?.scorer_id ?? key)).filter(isId);
  const items = await table.getMany(ids.map((id) => scorerKey(orgId, id)));
  const wanted = new Set(keys);
  const own = items
    .filter((item) => item?.project_id === projectId)
    .filter((item) => item !== undefined && wanted.has(keyedOf(item).key))
    .filter((item) => item !== undefined);
  return { scorers: own.map(readScorer), versions: versionsOf(own) };
}

const isId = (text: string): boolean => UUID_FORM.test(text);

const versionsOf = (items: readonly Item[]): Versions =>
  new Map(items.map(({ id, version }) => [String(id), Number(version)]));

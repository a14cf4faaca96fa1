import { DEFINITION_BYTES_MAX } from '../../../domain/definitions/limits.ts';
import type { DefinitionStore, WholeSuite } from '../../../domain/definitions/ports.ts';
import type { StoredScorer } from '../../../domain/suites/ports.ts';
import { idsOf, readList } from '../../lists/lists.ts';
import {
  caseExpectedKey,
  caseKey,
  caseList,
  casesOfSuite,
  SK,
  scorerKey,
  suiteKey,
} from '../../table/keys.ts';
import type { Item, Table } from '../../table/table.ts';
import { documentsIn, fromItems, isExpectedElsewhere, withDigests } from '../caseItems.ts';
import { caseBytes, pagesOf } from '../casePages.ts';
import { readScorer } from '../scorers.ts';
import { readSuite } from '../suiteOfRun.ts';

const PAGE_ITEMS = 1_000;

export const definitionStore = (table: Table): DefinitionStore => ({
  async read(orgId, suiteId) {
    const [item, items, blocks] = await Promise.all([
      table.get(suiteKey(orgId, suiteId)),
      itemsOf(table, orgId, suiteId),
      readList(table, caseList(orgId, suiteId)),
    ]);
    if (item === undefined) return undefined;
    if (items === undefined) return 'too_large';
    const suite = readSuite(item);
    const cases = casesIn(items, { orgId, suiteId, ids: idsOf(blocks) });
    const scorers = await scorersOf(table, orgId, cases);
    const own = [...scorers].filter(([, { project_id }]) => project_id === suite.project_id);
    return { suite, cases, scorers: new Map(own) };
  },
});

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
  const itemAt = (sk: string): Item | undefined => {
    const item = items.get(sk);
    return item && withDigests(item);
  };
  return ids.flatMap((id, position) => {
    const main = itemAt(caseKey(orgId, suiteId, id).sk);
    // A case that was deleted since the list was read is left out.
    if (main === undefined) return [];
    const elsewhere = isExpectedElsewhere(main) ? itemAt(caseExpectedKey(orgId, suiteId, id).sk) : undefined;
    return [{ ...fromItems(main, elsewhere, position), ...documentsIn(main, elsewhere) }];
  });
}

async function scorersOf(
  table: Table,
  orgId: string,
  cases: WholeSuite['cases'],
): Promise<Map<string, StoredScorer>> {
  const ids = [...new Set(cases.map(({ scorer_id }) => scorer_id))];
  const items = await table.getMany(ids.map((id) => scorerKey(orgId, id)));
  const found = items.filter((item) => item !== undefined).map(readScorer);
  return new Map(found.map((scorer) => [scorer.id, scorer]));
}

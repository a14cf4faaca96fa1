import type { EvalCase } from '../../contracts/cases.ts';
import { LIMIT } from '../../domain/limits.ts';
import type { CaseStore, StoredSuite } from '../../domain/suites/ports.ts';
import {
  freeKey,
  isFreedKey,
  keyedOf,
  keysOfSuite,
  meetsTakenKey,
  moveKey,
  takenKeys,
} from '../lists/heldKeys.ts';
import { deleteListed } from '../lists/listMembers.ts';
import { appendToList, idsOf, readList } from '../lists/lists.ts';
import { purgeDue } from '../purge/purges.ts';
import { retryOnConflict } from '../table/backoff.ts';
import { expireLater, ifVersionIs, replaceDocument, softDelete } from '../table/documents.ts';
import { caseExpectedKey, caseKey, caseList, casePointerKey } from '../table/keys.ts';
import { afterPushes } from '../table/pushes/afterPushes.ts';
import type { Item, Table, Write } from '../table/table.ts';
import { fromItems, isExpectedElsewhere, newCaseWrites, toItems } from './caseItems.ts';
import { reorderCases } from './caseOrder.ts';
import { type CountsChange, countsChange } from './suiteCounts.ts';
import { bumpRevision } from './suiteHeads.ts';

async function readCase(table: Table, orgId: string, main: Item, position: number): Promise<EvalCase> {
  const suiteId = String(main.suite_id);
  const elsewhere = isExpectedElsewhere(main)
    ? await table.get(caseExpectedKey(orgId, suiteId, String(main.id)))
    : undefined;
  return fromItems(main, elsewhere, position);
}

async function readCases(
  table: Table,
  orgId: string,
  suiteId: string,
  { ids, from }: { readonly ids: readonly string[]; readonly from: number },
) {
  const items = await table.getMany(ids.map((id) => caseKey(orgId, suiteId, id)));
  // A case that was deleted since the list was read is left out.
  return Promise.all(
    items.flatMap((item, index) => (item === undefined ? [] : [readCase(table, orgId, item, from + index)])),
  );
}

async function createCase(
  table: Table,
  orgId: string,
  suite: StoredSuite,
  evalCase: Omit<EvalCase, 'sort_order'>,
) {
  const list = caseList(orgId, suite.id);
  return retryOnConflict(async () => {
    const blocks = await readList(table, list);
    const count = idsOf(blocks).length;
    if (count >= LIMIT.cases) return 'limit_reached';
    const counts = await countsChange(table, orgId, suite, { after: evalCase });
    const outcome = await table.transact<string>({
      suite: bumpRevision(orgId, suite, counts),
      list: appendToList(list, blocks, [evalCase.id], LIMIT.cases),
      ...newCaseWrites(orgId, evalCase),
    });
    const made = outcome.committed ? 'created' : explain(outcome.failed, evalCase.id);
    if (made !== 'created') return made;
    // Other cases may have been created meanwhile: the list has its place.
    const position = idsOf(await readList(table, list)).indexOf(evalCase.id);
    return { ...evalCase, sort_order: position < 0 ? count : position };
  }, table.backoff);
}

function explain(failed: ReadonlyMap<string, Item | undefined>, id: string) {
  if (failed.has('suite')) return 'parent_gone';
  // Ids are random: a case that exists already is this one, written by a request whose answer got lost.
  if (failed.has(`case ${id}`)) return 'created';
  return meetsTakenKey(failed) ? 'key_taken' : undefined;
}

async function deleteCase(
  table: Table,
  orgId: string,
  suite: StoredSuite,
  { caseId, deletedAt }: { readonly caseId: string; readonly deletedAt: string },
): Promise<boolean> {
  const key = caseKey(orgId, suite.id, caseId);
  return deleteListed(table, {
    id: caseId,
    list: caseList(orgId, suite.id),
    async writes() {
      const main = await table.get(key);
      if (main === undefined) return undefined;
      const before = {
        is_active: main.is_active === true,
        scorer_id: String(main.scorer_id),
        sample_count: Number(main.sample_count ?? 1),
        advisory: (main.advisory ?? null) as EvalCase['advisory'],
      };
      return {
        parent: bumpRevision(orgId, suite, await countsChange(table, orgId, suite, { before })),
        document: ifVersionIs(main, softDelete(key, deletedAt)),
        pointer: { Delete: { Key: casePointerKey(orgId, caseId) } },
        ...freeKey(keysOfSuite(orgId, suite.id), keyedOf(main)),
        ...dropExpected(orgId, main, deletedAt),
        texts: purgeDue(orgId, 'texts', suite.id, deletedAt),
      };
    },
    isChanged: (name, item) =>
      isFreedKey(name) || (name === 'document' && item !== undefined && item.deleted_at === undefined),
  });
}

export function caseStore(any: Table): CaseStore {
  const table = afterPushes(any);
  const positionOf = async (orgId: string, suiteId: string, caseId: string) =>
    idsOf(await readList(table, caseList(orgId, suiteId))).indexOf(caseId);

  return {
    create: (orgId, suite, evalCase) => createCase(table, orgId, suite, evalCase),

    takenKeys: (orgId, suiteId, keys) => takenKeys(table, keysOfSuite(orgId, suiteId), keys),

    async suiteIdOf(orgId, caseId) {
      const pointer = await table.get(casePointerKey(orgId, caseId));
      return pointer && String(pointer.suite_id);
    },

    async find(orgId, suiteId, caseId) {
      const [main, position] = await Promise.all([
        table.get(caseKey(orgId, suiteId, caseId)),
        positionOf(orgId, suiteId, caseId),
      ]);
      if (main === undefined || position < 0) return undefined;
      return readCase(table, orgId, main, position);
    },

    async page(orgId, suiteId, { page, pageSize }) {
      const ids = idsOf(await readList(table, caseList(orgId, suiteId)));
      const start = (page - 1) * pageSize;
      const items = await readCases(table, orgId, suiteId, {
        ids: ids.slice(start, start + pageSize),
        from: start,
      });
      return { items, total: ids.length };
    },

    async update(orgId, suite, caseId, change) {
      const position = await positionOf(orgId, suite.id, caseId);
      if (position < 0) return undefined;
      let counts: CountsChange | 'none' | 'unknown' = 'unknown';
      return replaceDocument<EvalCase, 'key_taken'>(table, {
        key: caseKey(orgId, suite.id, caseId),
        read: (item) => readCase(table, orgId, item, position),
        write: (evalCase) => toItems(evalCase).main,
        change: async (before) => {
          const after = change(before);
          counts = await countsChange(table, orgId, suite, { before, after });
          return after;
        },
        alongside: (evalCase, before) => ({
          suite: bumpRevision(orgId, suite, counts),
          ...moveKey(keysOfSuite(orgId, suite.id), keyedOf(before), evalCase),
          ...dropExpected(orgId, before, evalCase.updated_at),
          ...largeExpected(orgId, suite.id, evalCase),
        }),
        refusal: (failed) => (meetsTakenKey(failed) && !failed.has('suite') ? 'key_taken' : undefined),
      });
    },

    delete: (orgId, suite, caseId, deletedAt) => deleteCase(table, orgId, suite, { caseId, deletedAt }),

    reorder: (orgId, suite, order) => reorderCases(table, orgId, suite, order),
  };
}

/** Dropped some time after the case's new version, for readers that have just read the old one. */
function dropExpected(orgId: string, main: Item, at: string): Record<string, Write> {
  if (!isExpectedElsewhere(main)) return {};
  return { expected: expireLater(caseExpectedKey(orgId, String(main.suite_id), String(main.id)), at) };
}

function largeExpected(orgId: string, suiteId: string, evalCase: EvalCase): Record<string, Write> {
  const { expected } = toItems(evalCase);
  if (expected === undefined) return {};
  return { expected: { Put: { Item: { ...caseExpectedKey(orgId, suiteId, evalCase.id), ...expected } } } };
}

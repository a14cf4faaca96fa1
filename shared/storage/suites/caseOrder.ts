import { caseSchema, type EvalCase } from '../../contracts/cases.ts';
import type { ReorderedCase, StoredSuite } from '../../domain/suites/ports.ts';
import { idsOf, readList, reorderList } from '../lists/lists.ts';
import { retryOnConflict } from '../table/backoff.ts';
import { onlyIf } from '../table/documents.ts';
import { caseExpectedKey, caseKey, caseList } from '../table/keys.ts';
import { settlePushIn } from '../table/pushes/afterPushes.ts';
import type { Item, Table } from '../table/table.ts';
import { fromItems, isExpectedElsewhere } from './caseItems.ts';
import { bumpRevision, headKeyOf, readHead } from './suiteHeads.ts';

/** An answer holds 6 MB. */
const ANSWERED_BYTES_MAX = 5 * 1_024 * 1_024;
/** Before the size of the cases is known: 10 MB if they are of the largest size. */
const FIRST_SLICE_CASES = 20;
const SLICE_CASES_MAX = 1_000;

const plainSchema = caseSchema.omit({ input: true, expected: true, sort_order: true });
type PlainCase = Omit<EvalCase, 'input' | 'expected' | 'sort_order'>;
const PLAIN_FIELDS = Object.keys(plainSchema.shape);

const readPlain = (item: Item): PlainCase => plainSchema.parse(item);

type Order = (current: readonly Pick<EvalCase, 'id' | 'is_active'>[]) => readonly string[];

/** The cases' documents are read after the new order is stored, and only if the answer can hold them. */
export async function reorderCases(
  table: Table,
  orgId: string,
  suite: StoredSuite,
  order: Order,
): Promise<ReorderedCase[] | undefined> {
  const ordered = await changeOrder(table, orgId, suite, order);
  if (ordered === undefined) return undefined;
  const plain = ordered.map((evalCase, sort_order) => ({ ...evalCase, sort_order }));
  const room = ANSWERED_BYTES_MAX - Buffer.byteLength(JSON.stringify(plain));
  return (room > 0 ? await withDocuments(table, orgId, plain, room) : undefined) ?? plain;
}

async function changeOrder(
  table: Table,
  orgId: string,
  suite: StoredSuite,
  order: Order,
): Promise<PlainCase[] | undefined> {
  const list = caseList(orgId, suite.id);
  const head = headKeyOf(orgId, suite);
  const settled = await retryOnConflict(async () => {
    const headItem = await table.get(head);
    if (headItem === undefined || readHead(headItem).suiteId !== suite.id) return { cases: undefined };
    if (readHead(headItem).isPushUnderWay) {
      await settlePushIn(table, head);
      return undefined;
    }
    const blocks = await readList(table, list);
    const keys = idsOf(blocks).map((id) => caseKey(orgId, suite.id, id));
    const items = await table.getMany(keys, { only: PLAIN_FIELDS });
    // A case that was deleted since the list was read is left out.
    const current = items.filter((item) => item !== undefined).map(readPlain);
    const ids = order(current);
    const outcome = await table.transact<string>({
      // Nothing of the suite was written since this revision was read.
      suite: onlyIf(bumpRevision(orgId, suite, 'none'), 'revision', readHead(headItem).revision),
      ...reorderList(list, blocks, ids),
    });
    if (!outcome.committed) return undefined;
    const byId = new Map(current.map((evalCase) => [evalCase.id, evalCase]));
    return { cases: ids.flatMap((id) => byId.get(id) ?? []) };
  }, table.backoff);
  return settled.cases;
}

/** The same cases whole; undefined when their documents have more bytes than there is room for. */
async function withDocuments(
  table: Table,
  orgId: string,
  cases: readonly (PlainCase & { readonly sort_order: number })[],
  room: number,
): Promise<EvalCase[] | undefined> {
  const whole: EvalCase[] = [];
  let bytes = 0;
  for (let start = 0, count = FIRST_SLICE_CASES; start < cases.length; ) {
    const slice = cases.slice(start, start + count);
    for (const [main, elsewhere, place] of await documentsOf(table, orgId, slice)) {
      bytes += bytesOf(main?.input) + bytesOf(main?.expected) + bytesOf(elsewhere?.expected);
      if (main !== undefined) whole.push(fromItems(main, elsewhere, place));
    }
    if (bytes > room) return undefined;
    start += slice.length;
    const fitting = Math.floor((room * start) / Math.max(1, bytes));
    count = Math.max(FIRST_SLICE_CASES, Math.min(SLICE_CASES_MAX, fitting));
  }
  return whole;
}

async function documentsOf(
  table: Table,
  orgId: string,
  cases: readonly Pick<EvalCase, 'id' | 'suite_id' | 'sort_order'>[],
): Promise<(readonly [main: Item | undefined, elsewhere: Item | undefined, place: number])[]> {
  const mains = await table.getMany(cases.map(({ id, suite_id }) => caseKey(orgId, suite_id, id)));
  const keys = mains.map((main) =>
    main !== undefined && isExpectedElsewhere(main)
      ? caseExpectedKey(orgId, String(main.suite_id), String(main.id))
      : undefined,
  );
  const found = await table.getMany(keys.filter((key) => key !== undefined));
  const expected = new Map(found.map((item) => [item?.sk, item]));
  return mains.map((main, index) => [main, expected.get(keys[index]?.sk), cases[index]?.sort_order ?? 0]);
}

const bytesOf = (text: unknown): number => (text === undefined ? 0 : Buffer.byteLength(String(text)));

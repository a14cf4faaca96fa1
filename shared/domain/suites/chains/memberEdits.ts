import { LIMIT, limitRefusal } from '../../limits.ts';
import type { Member, Requested } from '../../revisions/blocks.ts';
import type { Current } from '../../revisions/current.ts';
import { type Order, orderOf } from '../../revisions/order.ts';
import type { Act } from '../../revisions/ports.ts';
import { textBytes } from '../../revisions/sizes.ts';
import { freeSlugs, takenSlug } from '../slugs.ts';
import type { StoredSuite } from '../stored.ts';
import type { CurrentProject, CurrentSuite, EditedProject, EditedSuite } from './chains.ts';
import { type CaseRow, type CaseTexts, type ScorerRow, type ScorerTexts, sumsAfter } from './members.ts';

/** A member before and after an edit. `before` is undefined for a new one, `after` null for one that is deleted. */
export interface MemberEdit<Row, Texts> {
  readonly before: Member<Row> | undefined;
  readonly number: number;
  readonly after: Requested<Row, Texts> | null;
}
export type CaseEdit = MemberEdit<CaseRow, CaseTexts>;
export type ScorerEdit = MemberEdit<ScorerRow, ScorerTexts>;

interface SuiteEdit {
  readonly act: Act;
  /** Whether it counts in the suite's version: whatever decides does. */
  readonly isCounted?: boolean;
  readonly suite?: StoredSuite;
  readonly cases?: readonly CaseEdit[];
  /** Of all cases after the edit. Left out: new ones come last. */
  readonly order?: readonly number[];
}

export async function editedSuite(
  present: CurrentSuite,
  { act, isCounted = true, suite, cases = [], order }: SuiteEdit,
): Promise<EditedSuite> {
  const { fields } = present.revision;
  const before = cases.flatMap((one) => one.before ?? []);
  const after = cases.flatMap((one) => counted(one));
  const numbers = new Set(cases.map(({ number }) => number));
  const all = async () => [
    ...(await present.members()).filter(({ number }) => !numbers.has(number)),
    ...after,
  ];
  return {
    act,
    fields: {
      suite: { ...(suite ?? fields.suite), version: fields.suite.version + (isCounted ? 1 : 0) },
      sums: await sumsAfter(fields.sums, { before, after }, all),
    },
    changes: changesOf(cases),
    order: order === undefined ? orderAfter(present, cases) : orderOf(order),
  };
}

export const editedProject = (
  present: CurrentProject,
  act: Act,
  scorers: readonly ScorerEdit[],
): EditedProject => ({
  act,
  fields: { edits: present.revision.fields.edits + 1 },
  changes: changesOf(scorers),
  order: undefined,
});

const changesOf = <Row, Texts>(edits: readonly MemberEdit<Row, Texts>[]) =>
  new Map(edits.map(({ number, after }) => [number, after]));

function counted<Row, Texts>({ before, after }: MemberEdit<Row, Texts>) {
  if (after === null) return [];
  return [
    { row: after.row, bytes: after.texts === undefined ? (before?.bytes ?? 0) : textBytes(after.texts) },
  ];
}

function orderAfter<Row, Texts, Fields>(
  { revision: { order } }: Current<Row, Texts, Fields>,
  edits: readonly MemberEdit<Row, Texts>[],
): Order {
  if (order === undefined) return undefined;
  const deleted = new Set(edits.filter(({ after }) => after === null).map(({ number }) => number));
  const added = edits.filter(({ before }) => before === undefined).map(({ number }) => number);
  return orderOf([...order.filter((number) => !deleted.has(number)), ...added]);
}

type Kind = 'case' | 'scorer';

/** The given key, or one that is made from the name. */
export async function newKey(
  kind: Kind,
  {
    given,
    name,
    newId,
  }: { readonly given: string | undefined; readonly name: string; readonly newId: () => string },
  rows: readonly { readonly row: { readonly key: string } }[],
): Promise<string> {
  if (rows.length >= LIMIT[`${kind}s`]) throw limitRefusal('limit_reached', `${kind}s`);
  const held = new Set(rows.map(({ row }) => row.key));
  if (given === undefined) return (await freeSlugs(kind, [name], { newId, taken: held }))[0] ?? '';
  if (held.has(given)) throw takenSlug(kind);
  return given;
}

/** Reads all members, and so only where the key changes. */
export async function requireFreeKey<Row extends { readonly key: string }, Texts, Fields>(
  kind: Kind,
  key: string,
  before: Row,
  present: Current<Row, Texts, Fields>,
): Promise<void> {
  if (key === before.key) return;
  if ((await present.members()).some(({ row }) => row.key === key)) throw takenSlug(kind);
}

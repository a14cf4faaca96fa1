import { LIMIT } from '../../shared/domain/limits.ts';
import type { Member } from '../../shared/domain/revisions/blocks.ts';
import { Current } from '../../shared/domain/revisions/current.ts';
import { type Edit, editChain } from '../../shared/domain/revisions/edit.ts';
import type { Chain, RevisionStore } from '../../shared/domain/revisions/ports.ts';
import type { ProjectChain, SuiteChain } from '../../shared/domain/suites/chains/chains.ts';
import { editDeps } from '../../shared/domain/suites/chains/edits.ts';
import {
  editedProject,
  editedSuite,
  type MemberEdit,
} from '../../shared/domain/suites/chains/memberEdits.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import type { Tables } from './copy.ts';

export interface Restored {
  readonly itemsBack: number;
  /** Sentences about what could not be restored. */
  readonly left: readonly string[];
}

const RESTORED = { action: 'restored', target: { type: 'suite' } } as const;

type Row = { readonly id: string; readonly key: string; readonly name: string };

/** The cases that a suite had and that were deleted since. */
export function restoreCases(tables: Tables, chain: SuiteChain): Promise<Restored> {
  const [{ cases: from }, chains] = [chainStore(tables.from), chainStore(tables.to)];
  return restoreMembers(tables, { chain, from, to: chains.cases, kind: 'cases' }, (present, edits) =>
    editedSuite(present, { act: RESTORED, cases: edits }),
  );
}

/** The same of a project's scorers. */
export function restoreScorers(tables: Tables, chain: ProjectChain): Promise<Restored> {
  const [{ scorers: from }, chains] = [chainStore(tables.from), chainStore(tables.to)];
  return restoreMembers(
    tables,
    { chain, from, to: chains.scorers, kind: 'scorers' },
    async (present, edits) => editedProject(present, RESTORED, edits),
  );
}

interface Restoring<R, Texts, Fields> {
  readonly chain: Chain;
  readonly from: RevisionStore<R, Texts, Fields>;
  readonly to: RevisionStore<R, Texts, Fields>;
  readonly kind: 'cases' | 'scorers';
}

type Edited<R, Texts, Fields> = Awaited<ReturnType<Edit<R, Texts, Fields>>>;

async function restoreMembers<R extends Row, Texts, Fields>(
  tables: Tables,
  { chain, from, to, kind }: Restoring<R, Texts, Fields>,
  edited: (
    present: Current<R, Texts, Fields>,
    edits: readonly MemberEdit<R, Texts>[],
  ) => Promise<Edited<R, Texts, Fields>>,
): Promise<Restored> {
  const position = await from.position(chain);
  if (position === undefined) return { itemsBack: 0, left: [] };
  const then = new Current(from, chain, await from.revision(chain, position));
  let restored: Restored = { itemsBack: 0, left: [] };
  const deps = editDeps({ chains: chainStore(tables.to), now: tables.now }, to, null);
  await editChain(deps, chain, async (present) => {
    const { edits, left } = await lacking(then, present);
    restored = { itemsBack: edits.length, left };
    if (edits.length === 0) return undefined;
    const added = edits.filter(({ before }) => before === undefined).length;
    if (present.count + added > LIMIT[kind])
      throw new Error(`${chain.slug} would hold more than ${LIMIT[kind]} ${kind}: delete some first`);
    return edited(present, edits);
  });
  return restored;
}

/** Members as they were then, where they are gone, or a purge has dropped their texts. */
async function lacking<R extends Row, Texts, Fields>(
  then: Current<R, Texts, Fields>,
  present: Current<R, Texts, Fields>,
): Promise<{ edits: MemberEdit<R, Texts>[]; left: string[] }> {
  const [were, are] = [await then.members(), await present.members()];
  const there = new Map(are.map((member) => [member.number, member]));
  const presentTexts = await present.texts([...there.keys()]);
  const lost = [...were.filter(({ number }) => !presentTexts.has(number))];
  const texts = await then.texts(lost.map(({ number }) => number));
  const keys = new Map(are.map(({ number, row }) => [row.key, number]));
  const left: string[] = [];
  const edits = lost.flatMap(({ number, row }): MemberEdit<R, Texts>[] => {
    const memberTexts = texts.get(number);
    if (memberTexts === undefined) return [];
    const isTaken = (keys.get(row.key) ?? number) !== number;
    if (isTaken) left.push(`"${row.name}" (${row.id}) has its id as key: another one has "${row.key}".`);
    const after = { row: isTaken ? { ...row, key: row.id } : row, texts: memberTexts };
    return [{ before: there.get(number), number, after }];
  });
  const back = new Set(edits.map(({ number }) => number));
  const gone = are.filter(({ number }) => !presentTexts.has(number) && !back.has(number));
  left.push(
    ...gone.map(({ row }) => `"${row.name}" (${row.id}) stays deleted: it was made since, and is purged.`),
  );
  return { edits: [...edits, ...gone.map(deletion<R, Texts>)], left };
}

const deletion = <R, Texts>(before: Member<R>): MemberEdit<R, Texts> => ({
  before,
  number: before.number,
  after: null,
});

import { type FieldChanges, hidden, isSame } from '../changes/fields.ts';
import type { Differing } from '../revisions/difference.ts';
import type { CurrentSuite } from '../suites/chains/chains.ts';
import type { CaseRow } from '../suites/chains/members.ts';

/** With more cases than this the list of their ids is over 4 kB. */
const LISTED_MAX = 100;

/** Of an edit that moves cases: new ones come last unless it says otherwise. */
export async function orderChange(
  { before, after }: { readonly before: CurrentSuite; readonly after: CurrentSuite },
  cases: readonly Differing<CaseRow>[],
): Promise<FieldChanges> {
  if (before.revision.order === undefined && after.revision.order === undefined) return {};
  const [added, deleted] = [numbersWithout(cases, 'before'), numbersWithout(cases, 'after')];
  const [from, to] = sequences(before.revision.order, after.revision.order, { added, deleted });
  const lost = new Set(deleted);
  const kept = from.filter((number) => !lost.has(number));
  if (isSame([...kept, ...added], to)) return {};
  if (Math.max(from.length, to.length) > LISTED_MAX) return { order: { from: hidden(from), to: hidden(to) } };
  const members = [...(await before.members()), ...(await after.members())];
  const ids = new Map(members.map(({ number, row }) => [number, row.id]));
  const idsOf = (numbers: readonly number[]) => numbers.map((number) => ids.get(number));
  return { order: { from: idsOf(from), to: idsOf(to) } };
}

const numbersWithout = (cases: readonly Differing<CaseRow>[], side: 'before' | 'after'): number[] =>
  cases.filter((one) => one[side] === undefined).map(({ number }) => number);

/** One of the two orders is stored: where the other one is not, it is that of the numbers. */
function sequences(
  before: readonly number[] | undefined,
  after: readonly number[] | undefined,
  { added, deleted }: { readonly added: readonly number[]; readonly deleted: readonly number[] },
): readonly [readonly number[], readonly number[]] {
  const sorted = (numbers: readonly number[], plus: readonly number[], less: readonly number[]) => {
    const without = new Set(less);
    return [...numbers.filter((number) => !without.has(number)), ...plus].toSorted((a, b) => a - b);
  };
  return [before ?? sorted(after ?? [], deleted, added), after ?? sorted(before ?? [], added, deleted)];
}

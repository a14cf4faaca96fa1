import { type ChangedLine, changedBy, grouped, kindOf, type Names } from '../../../gate/report/history.ts';
import type { ChangeEntry } from '../../../sdk/index.ts';
import type { Field } from '../../kit/form/description.ts';
import { forms } from '../../kit/form/forms.ts';

/** What one author did at once, or one after the other without anything else between. */
export interface Row {
  readonly entry: ChangeEntry;
  readonly lines: readonly ChangedLine[];
  /** Changes of cases and scorers that are not listed. */
  readonly more: number;
}

const titles = new Map<string, string>([['scorer_id', 'Scorer']]);
function learn(fields: readonly Field[], prefix: string): void {
  for (const { name, title, input, fields: inner = [] } of fields) {
    titles.set(prefix + name, title);
    if (input === 'group') learn(inner, `${prefix}${name}.`);
  }
}
for (const { fields } of [forms.suite, forms.case, forms.scorer]) learn(fields, '');

/** The sentence has them, or they name cases by ids. */
const IMPLIED: ReadonlySet<string> = new Set([
  'baseline',
  'run_id',
  'reason',
  'expires_at',
  'owner',
  'order',
]);

/** As forms have it. `keys`: of scorers, by their ids. */
export const namesBy = (keys: ReadonlyMap<unknown, string>): Names => ({
  field: (name) => (IMPLIED.has(name) ? undefined : (titles.get(name) ?? name)),
  value: (name, value) => (name === 'scorer_id' ? (keys.get(value) ?? value) : value),
});

export const isMember = ({ type }: ChangeEntry['target']): boolean => type === 'case' || type === 'scorer';

function rowOf(entry: ChangeEntry, names: Names): Row {
  const { own: ownLine, members, more } = changedBy(entry, names);
  // All fields of a new suite are new.
  const isMade = entry.target.type === 'suite' && entry.changes.slug?.from === null;
  const hasOwn = isMember(entry.target) || (ownLine.words !== undefined && !isMade);
  return { entry, lines: hasOwn ? [ownLine, ...members] : members, more };
}

/** Whether both are the same change of a case or scorer each, by the same author. */
function isAlike(newer: Row, older: Row): boolean {
  const [newerLine, olderLine] = [newer.lines[0], older.lines[0]];
  const areMembers = [newer, older].every(
    ({ entry }) => isMember(entry.target) && entry.members === undefined,
  );
  const isSameAuthor = JSON.stringify(newer.entry.by) === JSON.stringify(older.entry.by);
  return (
    areMembers &&
    isSameAuthor &&
    newerLine !== undefined &&
    olderLine !== undefined &&
    kindOf(newerLine) === kindOf(olderLine)
  );
}

/** The newest first. */
export function rowsOf(entries: readonly ChangeEntry[], names: Names): readonly Row[] {
  const rows: Row[] = [];
  for (const entry of entries) {
    const row = rowOf(entry, names);
    const last = rows.at(-1);
    if (last && isAlike(last, row))
      rows.splice(-1, 1, { ...last, lines: grouped([...last.lines, ...row.lines]) });
    else rows.push(row);
  }
  return rows;
}

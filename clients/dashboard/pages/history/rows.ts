import { effectOf } from '../../../gate/report/effect.ts';
import { type ChangedLine, changedBy, grouped, kindOf } from '../../../gate/report/history.ts';
import { joined, say, type Words } from '../../../gate/report/words.ts';
import type { BarDifference, ChangeEntry } from '../../../sdk/index.ts';
import { SCORER_FIELDS } from '../../kit/form/config.ts';
import type { Field } from '../../kit/form/description.ts';
import { forms } from '../../kit/form/forms.ts';
import { differences } from '../../kit/form/shown.ts';
import { capitalized } from '../../kit/text.ts';

/** What one author did at once, or one after the other without anything else between. */
export interface Row {
  readonly entry: ChangeEntry;
  readonly lines: readonly ChangedLine[];
  /** Changes of cases and scorers that are not listed. */
  readonly more: number;
}

const FIELDS = new Map(
  [...SCORER_FIELDS, ...forms.case.fields, ...forms.suite.fields].map((field) => [field.name, field]),
);

/** The sentence has them, or they name cases by ids. */
const IMPLIED: ReadonlySet<string> = new Set([
  'baseline',
  'run_id',
  'reason',
  'expires_at',
  'owner',
  'order',
]);

type Changes = ChangeEntry['changes'];
type WordsOf = ReturnType<typeof wordsBy>;

/** What differs, as forms have it. `keys`: of scorers, by their ids. */
export const wordsBy =
  (keys: ReadonlyMap<unknown, string>) =>
  (changes: Changes): Words | undefined => {
    const names = Object.keys(changes).filter((name) => !IMPLIED.has(name));
    const fields = names.map(
      (name): Field => FIELDS.get(name) ?? { name, input: 'text', label: name, title: capitalized(name) },
    );
    const side = (which: 'from' | 'to') =>
      Object.fromEntries(
        names.map((name) => {
          const value = changes[name]?.[which];
          return [name, name === 'scorer_id' ? (keys.get(value) ?? value) : value];
        }),
      );
    const parts = differences(fields, side('from'), side('to')).map(
      ({ name, from = 'none', to = 'none' }) => say`${name} ${oneLine(from)} → ${oneLine(to)}`,
    );
    return parts.length === 0 ? undefined : joined(parts, ', ');
  };

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

export const isMember = ({ type }: ChangeEntry['target']): boolean => type === 'case' || type === 'scorer';

function rowOf(entry: ChangeEntry, wordsOf: WordsOf): Row {
  const { own: ownLine, members, more } = changedBy(entry, wordsOf);
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
export function rowsOf(entries: readonly ChangeEntry[], wordsOf: WordsOf): readonly Row[] {
  const rows: Row[] = [];
  for (const entry of entries) {
    const row = rowOf(entry, wordsOf);
    const last = rows.at(-1);
    if (last && isAlike(last, row))
      rows.splice(-1, 1, { ...last, lines: grouped([...last.lines, ...row.lines]) });
    else rows.push(row);
  }
  return rows;
}

/** How one bar differs from another one. */
export function linesOf({ suite, cases, scorers }: BarDifference, wordsOf: WordsOf): readonly ChangedLine[] {
  const line = (action: string, type: 'suite' | 'case' | 'scorer', key: string, changes: Changes = {}) => ({
    action,
    targets: [{ type, id: key, key }],
    words: wordsOf(changes),
    effect: effectOf({ action, changes }),
  });
  const members = (['case', 'scorer'] as const).flatMap((type) => {
    const { added, removed, changed } = type === 'case' ? cases : scorers;
    return [
      ...added.map(({ key }) => line('created', type, key)),
      ...removed.map(({ key }) => line('deleted', type, key)),
      ...changed.map(({ key, changes }) => line('updated', type, key, changes)),
    ];
  });
  const ofSuite = Object.keys(suite).length === 0 ? [] : [line('updated', 'suite', '', suite)];
  return grouped([...ofSuite, ...members]);
}

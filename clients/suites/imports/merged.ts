import { isRecord } from '../read/parts.ts';
import { Problems } from '../read/problems.ts';
import { readYaml } from '../read/readYaml.ts';
import { isSameJson } from '../read/sameJson.ts';
import { editedYaml, Items } from '../write/yamlEdit.ts';
import type { Imported } from './imported.ts';
import { Names } from './keys.ts';
import { headOf, REPLACED_HEAD } from './suiteText.ts';
import type { CaseEntry, Fields, ScorerEntry } from './types.ts';

/** The file of a suite after another import of what it was made of, and what became of its cases. */
export interface Merged {
  readonly text: string;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Cases of the file that the import does not make. */
  readonly gone: readonly string[];
}

/** The import has these again as it makes them, or not at all. Whatever else a case has is left alone. */
const OWN = ['name', 'scorer', 'input', 'expected', 'threshold', 'weight', 'is_active'];

/**
 * The text of a suite that an import wrote before, with what it makes now. Comments and order stay, and so do gates, the
 * fields of a case that no import writes, and, unless they are pruned, cases that it does not make. Undefined where the text
 * is not of an import of this suite, or names cases in files of their own.
 */
export function mergedText(text: string, imported: Imported, prune: boolean): Merged | undefined {
  const value = readYaml('', text, new Problems())?.value;
  const before = isRecord(value) ? value : {};
  const cases = before.cases ?? [];
  const isOwn = REPLACED_HEAD.test(text) && before.suite === imported.suite.slug;
  if (!isOwn || !Array.isArray(cases) || !cases.every(isRecord)) return undefined;
  const { scorers, keys } = mergedScorers(isRecord(before.scorers) ? before.scorers : {}, imported);
  const made = new Map(
    imported.cases.map((entry) => [entry.key, { ...entry, scorer: keys.get(entry.scorer) ?? entry.scorer }]),
  );
  const { items, ...became } = mergedCases(cases, made, prune);
  const used = usedBy([...items.values, before.defaults]);
  const unused = [...usedBy([...cases, before.defaults])].filter((key) => !used.has(key));
  const left = Object.fromEntries(
    Object.entries(scorers).filter(([key]) => used.has(key) || !(unused.includes(key) || keys.has(key))),
  );
  const after = { ...before, scorers: left, cases: items };
  return { text: withHead(written(text, before, after), imported), ...became };
}

/** Scorers by their keys, with those of the file kept, and the key of each that was imported. */
function mergedScorers(before: Fields, { scorers }: Imported) {
  const names = new Names();
  for (const key of Object.keys(before)) names.unique(key);
  const merged: Record<string, unknown> = { ...before };
  const keys = new Map<string, string>();
  for (const { key, ...entry } of scorers) {
    const same = Object.keys(before).find((known) => isSameJson(before[known], entry));
    const own = same ?? names.unique(key);
    keys.set(key, own);
    merged[own] = before[own] ?? (entry satisfies Omit<ScorerEntry, 'key'>);
  }
  return { scorers: merged, keys };
}

function mergedCases(before: readonly Fields[], made: ReadonlyMap<string, CaseEntry>, prune: boolean) {
  const known = new Set(before.map(({ key }) => String(key)));
  const gone = [...known].filter((key) => !made.has(key));
  const changed: string[] = [];
  const kept = before.flatMap((entry, from) => {
    const next = made.get(String(entry.key));
    if (next === undefined) return prune ? [] : [{ from, value: entry }];
    const value = { ...without(entry, OWN), ...next };
    const isSame = isSameJson(value, entry);
    if (!isSame) changed.push(next.key);
    return [{ from, value: isSame ? entry : value }];
  });
  const added = [...made.values()].filter(({ key }) => !known.has(key));
  const items = new Items([...kept, ...added.map((value) => ({ value }))]);
  return { items, added: added.map(({ key }) => key), changed, gone };
}

const without = (entry: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));

const usedBy = (entries: readonly unknown[]): Set<string> =>
  new Set(
    entries.flatMap((entry) => (isRecord(entry) && entry.scorer !== undefined ? [String(entry.scorer)] : [])),
  );

/** With the lines of the file where that says the same, else with its comments. */
function written(text: string, before: Fields, after: Fields & { readonly cases: Items }): string {
  const wanted = { ...after, cases: after.cases.values };
  const edited = editedYaml(text, before, after, true);
  const isRight = isSameJson(readYaml('', edited, new Problems())?.value, wanted);
  return isRight ? edited : editedYaml(text, before, after, false);
}

/** What the suite lacks now, in place of what it lacked. */
const withHead = (text: string, imported: Imported): string =>
  text.replace(REPLACED_HEAD, () =>
    headOf(imported.report)
      .map((line) => `# ${line}`.trimEnd())
      .join('\n'),
  );

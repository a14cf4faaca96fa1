import { isRecord, ownOf } from '../../files/read/parts.ts';
import { Problems } from '../../files/read/problems.ts';
import { readYaml } from '../../files/read/readYaml.ts';
import { isSameJson } from '../../files/read/sameJson.ts';
import { editedYaml } from '../../files/write/yamlEdit.ts';
import type { Imported } from './imported.ts';
import { Names } from './keys.ts';
import { headOf, REPLACED_HEAD } from './suiteText.ts';
import type { CaseEntry, Fields } from './types.ts';
import { caseDigest, OWN, scorerDigest, type Written, writtenBy } from './written.ts';

/** What became of cases, by their keys. */
interface Became {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Cases of the file that the import does not make. */
  readonly gone: readonly string[];
  /** Cases that somebody changed, or whose scorers somebody changed, and that stay although the import makes others now. */
  readonly edited: readonly string[];
  /** Cases that somebody took out of the file, and that the import makes again. */
  readonly restored: readonly string[];
}

/** The file of a suite after another import of what it was made of. */
export interface Merged extends Became {
  readonly text: string;
}

/** A suite's file, and what the import before wrote to it. */
export interface Before {
  readonly text: string;
  readonly written: Written;
  readonly prune: boolean;
}

/**
 * The text of a suite that an import wrote before, with what it makes now. What somebody changed since stays: comments,
 * order, gates, scorers, cases and, unless they are pruned, cases that the import does not make. Undefined where the text is
 * not of an import of this suite, or names cases in files of their own.
 */
export function mergedText(before: Before, imported: Imported): Merged | undefined {
  const value = readYaml('', before.text, new Problems())?.value;
  const suite = isRecord(value) ? value : {};
  const cases = suite.cases ?? [];
  const isImported = REPLACED_HEAD.test(before.text) || before.written.cases.size > 0;
  if (!isImported || suite.suite !== imported.suite.slug || !Array.isArray(cases) || !cases.every(isRecord))
    return undefined;
  const scorers = new Map(Object.entries(isRecord(suite.scorers) ? suite.scorers : {}));
  const filed = { cases, scorers, ...before };
  const usual = imported.keepsScorer && usualScorer(filed, suite.defaults, imported);
  const { entries, keys, edited } = usual
    ? completedScorer(filed, usual, imported)
    : { ...mergedScorers(scorers, imported, before.written), edited: [] };
  const importedCases = new Map(
    imported.cases.map((entry) => [entry.key, { ...entry, scorer: keys.get(entry.scorer) ?? entry.scorer }]),
  );
  const { entries: nextCases, ...became } = mergedCases(filed, importedCases, imported);
  const used = usedScorers(filed, entries, [...nextCases, suite.defaults]);
  const after = { ...suite, scorers: used, cases: nextCases };
  const text = withHead(editedYaml(before.text, suite, after).text, imported);
  return { text, ...became, edited: [...became.edited, ...edited] };
}

type Scorers = ReadonlyMap<string, unknown>;

/**
 * Scorers by their keys, with those of the file as they are, and the key of each that was imported: that of the same one in
 * the file, or of the one that the import before wrote so and somebody changed.
 */
function mergedScorers(before: Scorers, { scorers }: Imported, written: Written) {
  const names = new Names();
  for (const key of before.keys()) names.unique(key);
  const inFile = [...before.keys()];
  const bySaying = new Map(inFile.map((key) => [scorerDigest(before.get(key)), key]));
  const byOrigin = new Map(inFile.map((key) => [written.scorers.get(key), key]));
  const entries = new Map(before);
  const keys = new Map<string, string>();
  for (const { key, ...entry } of scorers) {
    const digest = scorerDigest(entry);
    const scorerKey = bySaying.get(digest) ?? byOrigin.get(digest) ?? names.unique(key);
    keys.set(key, scorerKey);
    if (!entries.has(scorerKey)) entries.set(scorerKey, entry);
  }
  return { entries, keys };
}

/** That of most cases that the import before wrote; where none is left, that of the file with its key. */
function usualScorer({ cases, scorers, written }: Filed, defaults: unknown, imported: Imported) {
  const keys = cases
    .filter(({ key }) => written.cases.has(String(key)))
    .flatMap(({ scorer = ownOf(defaults, 'scorer') }) => (typeof scorer === 'string' ? [scorer] : []));
  const groups = [...Map.groupBy(keys, (key) => key)].map(([key, alike]) => ({ key, count: alike.length }));
  const [usual] = groups.sort((one, other) => other.count - one.count);
  return usual?.key ?? imported.scorers.find(({ key }) => scorers.has(key))?.key;
}

/** The scorer of the import is that of the file, wherever it stands: its rules are somebody's own. */
function completedScorer({ scorers, written }: Filed, usual: string, imported: Imported) {
  const isAsWritten = scorers.has(usual) && scorerDigest(scorers.get(usual)) === written.scorers.get(usual);
  const entries = new Map(scorers);
  let edited: string[] = [];
  for (const { key, ...entry } of imported.scorers) {
    if (isAsWritten) entries.set(usual, entry);
    else if (scorerDigest(entry) !== written.scorers.get(key)) edited = [usual];
  }
  return { entries, keys: new Map(imported.scorers.map(({ key }) => [key, usual])), edited };
}

/** Without those of the imports that no case has any more. What somebody made or changed stays. */
function usedScorers(
  { cases, scorers, written }: Filed,
  entries: Scorers,
  after: readonly unknown[],
): Fields {
  const used = usedBy(after);
  const usedBefore = usedBy(cases);
  const isIdle = (key: string, entry: unknown): boolean =>
    !scorers.has(key) || (usedBefore.has(key) && written.scorers.get(key) === scorerDigest(entry));
  return Object.fromEntries([...entries].filter(([key, entry]) => used.has(key) || !isIdle(key, entry)));
}

interface Filed extends Before {
  readonly cases: readonly Fields[];
  readonly scorers: Scorers;
}

function mergedCases(
  { cases, scorers, written, prune }: Filed,
  importedCases: ReadonlyMap<string, CaseEntry>,
  imported: Imported,
): Became & { readonly entries: readonly Fields[] } {
  const makes = writtenBy(imported).cases;
  const { keepsScorer } = imported;
  /** A case keeps the scorer that somebody chose for it. */
  const kept = keepsScorer ? ['scorer'] : [];
  const known = new Set(cases.map(({ key }) => String(key)));
  const isNew = (key: string): boolean => !known.has(key);
  const [changed, edited]: [string[], string[]] = [[], []];
  const updated = (entry: Fields, next: CaseEntry): Fields => {
    const before = written.cases.get(next.key);
    const now = caseDigest(entry, keepsScorer ? null : scorers.get(String(entry.scorer)));
    if (now !== before) {
      if (![before, now].includes(makes.get(next.key))) edited.push(next.key);
      return entry;
    }
    const value = {
      ...without(
        entry,
        OWN.filter((name) => !kept.includes(name)),
      ),
      ...without(next, kept),
    };
    if (isSameJson(value, entry)) return entry;
    changed.push(next.key);
    return value;
  };
  const left = cases.flatMap((entry) => {
    const next = importedCases.get(String(entry.key));
    if (next !== undefined) return [updated(entry, next)];
    return prune ? [] : [entry];
  });
  const added = [...importedCases.values()].filter(({ key }) => isNew(key));
  return {
    entries: [...left, ...added],
    added: added.map(({ key }) => key),
    restored: [...written.cases.keys()].filter((key) => isNew(key) && importedCases.has(key)),
    gone: [...known].filter((key) => !importedCases.has(key)),
    changed,
    edited,
  };
}

const without = (entry: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));

const usedBy = (entries: readonly unknown[]): Set<string> =>
  new Set(
    entries.flatMap((entry) => (isRecord(entry) && entry.scorer !== undefined ? [String(entry.scorer)] : [])),
  );

/** What the suite lacks now, in place of what it lacked. */
const withHead = (text: string, imported: Imported): string =>
  text.replace(REPLACED_HEAD, () =>
    headOf(imported.report)
      .map((line) => `# ${line}`.trimEnd())
      .join('\n'),
  );

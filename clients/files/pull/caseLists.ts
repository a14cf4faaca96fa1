import path from 'node:path';
import type { Part } from '../read/parts.ts';
import { isSameJson } from '../read/sameJson.ts';
import { type CaseFields, partsOf } from '../resolve/cases.ts';
import type { SuiteDefinition } from '../resolve/definition.ts';
import type { SuiteParts } from '../resolve/loadFiles.ts';
import { isReference, type NamedFile, PREFIX, type References } from '../resolve/references.ts';
import { Items } from '../write/yamlEdit.ts';
import { nextCase, type PlaceValue, type Raw } from './entries.ts';
import type { Intended } from './intended.ts';

/** A case as a file has it. */
interface Standing {
  readonly part: Part;
  readonly now: CaseFields;
  /** The file of cases that it stands in; undefined for the suite's own. */
  readonly list: CaseFile | undefined;
  readonly index: number;
}

/** A file of cases, and the place at which a suite names it. */
export interface CaseFile extends NamedFile {
  readonly index: number;
  readonly parts: readonly Part[];
}

export interface CaseLists {
  /** Of the suite's own file. */
  readonly own: Items;
  readonly files: readonly { readonly file: CaseFile; readonly items: Items }[];
  readonly notes: readonly string[];
}

export interface CaseListsOptions {
  readonly references: References;
  /** For the values of one case. */
  readonly placeFor: (part: Part | undefined) => PlaceValue;
}

/** Where the intended cases stand afterwards: each in its present file, as far as their order allows it. */
export function caseLists(
  suite: SuiteParts,
  definition: SuiteDefinition,
  intended: readonly Intended[],
  { references, placeFor }: CaseListsOptions,
): CaseLists {
  const standing = standingOf(suite, definition, references);
  const listOf = placed(intended, standing);
  const own: Item[] = [];
  const files = new Map<CaseFile, Item[]>();
  for (const [at, one] of intended.entries()) {
    const [list, before] = [listOf[at], standing.get(one.key)];
    const item = itemOf(one, { before, list, suite, placeFor });
    if (list === undefined) own.push(item);
    else if (files.has(list)) files.get(list)?.push(item);
    else {
      files.set(list, [item]);
      own.push({ from: list.index, value: suite.cases[list.index]?.value });
    }
  }
  return {
    own: new Items(own),
    files: [...files].map(([file, items]) => ({ file, items: new Items(items) })),
    notes: movedNotes(suite.file, { intended, standing, listOf }),
  };
}

type Item = Items['items'][number];

interface Moving {
  readonly before: Standing | undefined;
  readonly list: CaseFile | undefined;
  readonly suite: SuiteParts;
  readonly placeFor: CaseListsOptions['placeFor'];
}

function itemOf(intended: Intended, { before, list, suite, placeFor }: Moving): Item {
  const stays = before !== undefined && before.list === list;
  const raw = before === undefined ? { key: intended.key } : rebased(before, list, suite.file);
  const value = nextCase(raw, before?.now, {
    intended,
    defaults: suite.defaults as Raw,
    place: placeFor(stays ? before.part : undefined),
  });
  return { from: stays ? before.index : undefined, value };
}

interface Moved {
  readonly intended: readonly Intended[];
  readonly standing: ReadonlyMap<string, Standing>;
  readonly listOf: readonly (CaseFile | undefined)[];
}

function movedNotes(file: string, { intended, standing, listOf }: Moved): string[] {
  const moved = intended.flatMap(({ key }, at) => {
    const list = standing.get(key)?.list;
    const isMoved = list !== undefined && listOf[at] !== list;
    return isMoved ? [`${file}: the case "${key}" is here now, not in ${list.name}`] : [];
  });
  const known = new Set([...standing.values()].flatMap(({ list }) => list ?? []));
  const left = [...known].filter((list) => !listOf.includes(list));
  return [...moved, ...left.map(({ name }) => `${file} no longer names ${name}`)];
}

function standingOf(
  suite: SuiteParts,
  { cases }: SuiteDefinition,
  references: References,
): Map<string, Standing> {
  const all = suite.cases.flatMap((part, index) => {
    const parts = partsOf(part, references);
    const list = listIn(part, { index, parts, references });
    return parts.map((one, inner) => ({ part: one, list, index: list === undefined ? index : inner }));
  });
  return new Map(cases.flatMap((now, at) => (all[at] ? [[now.key, { ...all[at], now }] as const] : [])));
}

function listIn(
  part: Part,
  { references, ...at }: Pick<CaseFile, 'index' | 'parts'> & { readonly references: References },
): CaseFile | undefined {
  const named = isReference(part.value) ? references.fileOf({ ...part, value: part.value }) : undefined;
  return named && { ...named, ...at };
}

/** For each case the file that it stands in next. The cases of one file follow each other. */
function placed(
  intended: readonly Intended[],
  standing: ReadonlyMap<string, Standing>,
): (CaseFile | undefined)[] {
  const lists = withNew(intended, standing);
  for (const list of new Set(lists)) {
    if (list === undefined) continue;
    const isKept =
      list.places === 1 ? longestRun(lists, list) : wholeRun({ list, lists: [...lists], intended, standing });
    for (const [at, one] of lists.entries()) if (one === list && !isKept(at)) lists[at] = undefined;
  }
  return lists;
}

/** New cases stand in a file of cases only between two others of it. */
function withNew(
  intended: readonly Intended[],
  standing: ReadonlyMap<string, Standing>,
): (CaseFile | undefined)[] {
  const lists: (CaseFile | undefined)[] = [];
  let start = 0;
  for (const [at, { key }] of intended.entries()) {
    const known = standing.get(key);
    if (known === undefined) continue;
    const between = start > 0 && lists[start - 1] === known.list ? known.list : undefined;
    for (; start < at; start++) lists[start] = between;
    lists[start++] = known.list;
  }
  while (start < intended.length) lists[start++] = undefined;
  return lists;
}

function longestRun(lists: readonly (CaseFile | undefined)[], list: CaseFile): (at: number) => boolean {
  let [best, bestStart, start] = [0, 0, 0];
  for (let at = 0; at <= lists.length; at++) {
    if (at < lists.length && lists[at] === list) continue;
    if (at - start > best) [best, bestStart] = [at - start, start];
    start = at + 1;
  }
  return (at) => at >= bestStart && at < bestStart + best;
}

interface Whole {
  readonly list: CaseFile;
  readonly lists: readonly (CaseFile | undefined)[];
  readonly intended: readonly Intended[];
  readonly standing: ReadonlyMap<string, Standing>;
}

/** A file that several places name is not edited: the list keeps naming it only if the file holds exactly the intended cases. */
function wholeRun({ list, lists, intended, standing }: Whole): (at: number) => boolean {
  const start = lists.indexOf(list);
  const isSame = list.parts.every((part, index) => {
    const one = intended[start + index];
    const now = one && standing.get(one.key);
    if (now?.part !== part) return false;
    const { key: _, ...fields } = now.now;
    return lists[start + index] === list && isSameJson(fields, one?.fields);
  });
  return (at) => isSame && at >= start && at < start + list.parts.length;
}

/** The entry, where it moves to another folder with the names of its files from there. */
function rebased({ part, list }: Standing, next: CaseFile | undefined, suiteFile: string): Raw {
  const raw = part.value as Raw;
  if (list === next || list === undefined) return raw;
  const [from, to] = [list.name, suiteFile].map((name) => path.posix.dirname(name)) as [string, string];
  const moved = ['input', 'expected'].flatMap((field) => {
    const value = raw[field];
    if (!isReference(value)) return [];
    const target = path.posix.join(from, value.slice(PREFIX.length));
    return [[field, `${PREFIX}${path.posix.relative(to, target)}`]];
  });
  return { ...raw, ...Object.fromEntries(moved) };
}

import path from 'node:path';
import type { Part } from '../read/parts.ts';
import { isSameJson } from '../read/sameJson.ts';
import { type CaseFields, partsOf } from '../resolve/cases.ts';
import type { SuiteDefinition } from '../resolve/definition.ts';
import type { SuiteParts } from '../resolve/loadFiles.ts';
import { isReference, type NamedFile, PREFIX, type References } from '../resolve/references.ts';
import { nextCase, type PlaceValue, type Raw } from './entries.ts';
import type { Intended } from './intended.ts';

/** A file of cases, and how the suite names it. */
export interface CaseFile extends NamedFile {
  readonly reference: string;
  readonly parts: readonly Part[];
}

interface FiledCase {
  readonly part: Part;
  readonly fields: CaseFields;
  /** Undefined in the suite's own file. */
  readonly file: CaseFile | undefined;
}

export interface CaseLists {
  /** Of the suite's own file. */
  readonly own: readonly unknown[];
  readonly files: ReadonlyMap<CaseFile, readonly unknown[]>;
  readonly notes: readonly string[];
}

export interface CaseListsOptions {
  readonly references: References;
  /** For the values of one case. */
  readonly placeFor: (part: Part | undefined) => PlaceValue;
}

/** The entries of the intended cases: each in its present file, as far as their order allows it. */
export function caseLists(
  suite: SuiteParts,
  definition: SuiteDefinition,
  intended: readonly Intended[],
  { references, placeFor }: CaseListsOptions,
): CaseLists {
  const filed = filedCases(suite, definition, references);
  const present = intended.map(({ key }) => filed.get(key));
  const nextFiles = filesOf(intended, present);
  const ownCases: unknown[] = [];
  const files = new Map<CaseFile, unknown[]>();
  const notes: string[] = [];
  for (const [index, next] of intended.entries()) {
    const [before, file] = [present[index], nextFiles[index]];
    const isMoved = before?.file !== undefined && before.file !== file;
    const entry = before === undefined ? { key: next.key } : (before.part.value as Raw);
    const value = nextCase(isMoved ? rebased(entry, before.file.name, suite.file) : entry, before?.fields, {
      intended: next,
      defaults: suite.defaults as Raw,
      place: placeFor(isMoved ? undefined : before?.part),
    });
    if (isMoved) notes.push(`${suite.file}: the case "${next.key}" is here now, not in ${before.file.name}`);
    if (file === undefined) ownCases.push(value);
    else if (files.has(file)) files.get(file)?.push(value);
    else {
      files.set(file, [value]);
      ownCases.push(file.reference);
    }
  }
  const left = new Set([...filed.values()].flatMap(({ file }) => file ?? []));
  for (const file of files.keys()) left.delete(file);
  for (const { name } of left) notes.push(`${suite.file} no longer names ${name}`);
  return { own: ownCases, files, notes };
}

/** By their keys. */
function filedCases(
  suite: SuiteParts,
  { cases }: SuiteDefinition,
  references: References,
): ReadonlyMap<string, FiledCase> {
  const filed = suite.cases.flatMap(({ value, ...entry }) => {
    const parts = partsOf({ ...entry, value }, references);
    const named = isReference(value) ? references.fileOf({ ...entry, value }) : undefined;
    const file = named && { ...named, reference: value as string, parts };
    return parts.map((part) => ({ part, file }));
  });
  return new Map(
    cases.flatMap((fields, index) =>
      filed[index] ? [[fields.key, { ...filed[index], fields }] as const] : [],
    ),
  );
}

/** For each case its next file. The cases of a file follow each other; a new case is between two others of its file. */
function filesOf(
  intended: readonly Intended[],
  present: readonly (FiledCase | undefined)[],
): (CaseFile | undefined)[] {
  const files = present.map((filed) => filed?.file);
  let last: number | undefined;
  for (const [index, filed] of present.entries()) {
    if (filed === undefined) continue;
    if (last !== undefined && files[last] === filed.file) files.fill(filed.file, last + 1, index);
    last = index;
  }
  /** A file that several places name is not edited: it is named only where it holds exactly the intended cases. */
  const isComplete = ({ parts }: CaseFile, { start, length }: Run): boolean =>
    length === parts.length &&
    parts.every((part, index) => {
      const [filed, next] = [present[start + index], intended[start + index]];
      if (filed?.part !== part) return false;
      const { key: _, ...fields } = filed.fields;
      return isSameJson(fields, next?.fields);
    });
  for (const [file, runs] of runsOf(files)) {
    const [longest] = runs.toSorted((one, other) => other.length - one.length);
    const kept = file.places === 1 ? longest : runs.find((run) => isComplete(file, run));
    for (const run of runs) if (run !== kept) files.fill(undefined, run.start, run.start + run.length);
  }
  return files;
}

interface Run {
  readonly start: number;
  length: number;
}

function runsOf(files: readonly (CaseFile | undefined)[]): Map<CaseFile, Run[]> {
  const runs = new Map<CaseFile, Run[]>();
  for (const [index, file] of files.entries()) {
    if (file === undefined) continue;
    const known = runs.get(file) ?? [];
    const last = known.at(-1);
    if (last !== undefined && last.start + last.length === index) last.length++;
    else runs.set(file, [...known, { start: index, length: 1 }]);
  }
  return runs;
}

/** An entry that moves from one file to another, with the names of its files from there. */
function rebased(entry: Raw, fromFile: string, toFile: string): Raw {
  const [from, to] = [path.posix.dirname(fromFile), path.posix.dirname(toFile)];
  const moved = ['input', 'expected'].flatMap((field) => {
    const value = entry[field];
    if (!isReference(value)) return [];
    const target = path.posix.join(from, value.slice(PREFIX.length));
    return [[field, `${PREFIX}${path.posix.relative(to, target)}`]];
  });
  return { ...entry, ...Object.fromEntries(moved) };
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { suiteFileSchema } from '../../../files/check/fileSchemas.ts';
import { isFine } from '../../../files/check/issues.ts';
import type { Repository } from '../../../files/disk/repository.ts';
import { type JsonLine, linesOf } from '../../../files/read/jsonText.ts';
import { ownOf } from '../../../files/read/parts.ts';
import { Problems, problemLine } from '../../../files/read/problems.ts';
import { readYaml } from '../../../files/read/readYaml.ts';
import type { Imported } from '../../../importers/imports/imported.ts';
import { type Before, type Merged, mergedText } from '../../../importers/imports/merged.ts';
import { suiteText } from '../../../importers/imports/suiteText.ts';
import { type Written, writtenBy, writtenIn, writtenText } from '../../../importers/imports/written.ts';
import { parsed } from '../../../importers/outputs/forms.ts';
import { importReportMarkdown, REPORT_HEADING, reportHead } from '../../output/importReport.ts';
import { Problem } from '../../problem.ts';
import { writeFiles } from '../suites/writeFiles.ts';
import { FileIsThere, type NewFile, writeNew } from './writeNew.ts';

const REPORT = 'import-report.md';
const OUTPUTS = 'outputs.jsonl';

interface Target {
  readonly folder: string;
  readonly repository: Repository;
  /** What is written beside, unless it is there. */
  readonly beside: readonly NewFile[];
  /** Whether cases are deleted that the import no longer makes. */
  readonly prune: boolean;
}

export interface WrittenImport {
  /** The suite first. */
  readonly files: readonly string[];
  /** Files that somebody may have changed, and that stay. */
  readonly kept: readonly string[];
  readonly merged: Merged | undefined;
  readonly prune: boolean;
}

/**
 * Writes the files of an import. Where an import of the same file wrote before, its files are brought up to date; where that
 * of another one lies, the suite's name stands before the others.
 */
export function writeImported(imported: Imported, target: Target): WrittenImport {
  for (const prefix of ['', `${imported.suite.slug}.`]) {
    const report = textOf(path.join(target.folder, `${prefix}${REPORT}`));
    if (report?.startsWith(reportHead(imported.report)))
      return writeAgain(imported, { ...target, prefix, written: writtenIn(report) });
  }
  const write = (prefix: string): WrittenImport => ({
    files: inOrder(writeNew([...filesOf(imported, target, prefix), ...target.beside], target.repository)),
    kept: [],
    merged: undefined,
    prune: target.prune,
  });
  try {
    return write('');
  } catch (error) {
    if (!(error instanceof FileIsThere) || !isOfAnotherImport(error.file, imported)) throw error;
    return write(`${imported.suite.slug}.`);
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

const inOrder = (files: readonly string[]): string[] =>
  files.toSorted((one, other) => Number(isSuite(other)) - Number(isSuite(one)));
const isSuite = (file: string): boolean => file.endsWith('.suite.yaml');

/** The report comes first: an import that finds it takes other names for all its files but the suite. */
function filesOf(imported: Imported, { folder }: Target, prefix: string): NewFile[] {
  const { suite, cases, questions, outputs, report } = imported;
  const named = (name: string, text: string): NewFile[] =>
    text === '' ? [] : [{ file: path.join(folder, name), text }];
  const lines = (items: readonly unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('');
  return [
    ...named(`${prefix}${REPORT}`, `${importReportMarkdown(report)}${writtenText(writtenBy(imported))}`),
    ...named(`${suite.slug}.suite.yaml`, cases.length === 0 ? '' : checked(suiteText(imported))),
    ...named(`${prefix}questions.jsonl`, lines(questions)),
    ...named(`${prefix}${OUTPUTS}`, lines(outputs)),
  ];
}

/** As it will be read again. */
function checked(text: string): string {
  const problems = new Problems();
  const document = readYaml('the suite', text, problems);
  if (document !== undefined)
    isFine({ document, path: [], value: document.value }, suiteFileSchema(), problems);
  const [first] = problems.sorted();
  if (first === undefined) return text;
  throw new Problem(`The suite would not be valid, and nothing was written: ${problemLine(first)}`);
}

interface TargetAgain extends Target {
  readonly prefix: string;
  /** By the import before. */
  readonly written: Written;
}

/** All files, or none. */
function writeAgain(imported: Imported, target: TargetAgain): WrittenImport {
  const { repository, prune, prefix, written } = target;
  const [texts, kept] = [new Map<string, string>(), [] as string[]];
  let merged: Merged | undefined;
  for (const { file, text } of filesOf(imported, target, prefix)) {
    const before = textOf(file);
    if (before === text) continue;
    const name = repository.nameOf(file);
    if (before !== undefined && isSuite(file)) {
      merged = mergedSuite(file, { text: before, written, prune }, imported);
      if (merged.text !== before) texts.set(name, checked(merged.text));
    } else if (imported.keepsScorer && file.endsWith(OUTPUTS) && before !== undefined)
      texts.set(name, joinedOutputs(before, text, merged, prune));
    else if (holdsAnswers(file, before)) kept.push(file);
    else texts.set(name, text);
  }
  writeFiles(repository, texts);
  return { files: inOrder([...texts.keys()].map((name) => repository.absolute(name))), kept, merged, prune };
}

function mergedSuite(file: string, before: Before, imported: Imported): Merged {
  const merged = mergedText(before, imported);
  if (merged === undefined) throw new FileIsThere(file);
  return merged;
}

/** The outputs of cases that stay as they are, and those of others. */
function joinedOutputs(before: string, text: string, merged: Merged | undefined, prune: boolean): string {
  const { changed = [], gone = [] } = merged ?? {};
  const stale = new Set([...changed, ...(prune ? gone : [])]);
  const caseOf = (line: JsonLine): string => String(ownOf(parsed(line.text), 'case'));
  const kept = [...linesOf(before)].filter((line) => !stale.has(caseOf(line)));
  const known = new Set(kept.map(caseOf));
  const added = [...linesOf(text)].filter((line) => !known.has(caseOf(line)));
  return [...kept, ...added].map((line) => `${line.text}\n`).join('');
}

/** Questions that somebody has answered, and outputs. */
const holdsAnswers = (file: string, text = ''): boolean =>
  !file.endsWith(REPORT) && /"(?:output|error)"\s*:/.test(text);

/** Also one that is being written, which is still empty. */
function isOfAnotherImport(file: string, { report }: Imported): boolean {
  if (path.basename(file) !== REPORT) return false;
  const text = textOf(file);
  return text === '' || (text?.startsWith(REPORT_HEADING) === true && !text.startsWith(reportHead(report)));
}

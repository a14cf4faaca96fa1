import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Repository } from '../../../suites/files/repository.ts';
import type { Imported } from '../../../suites/promptfoo/import.ts';
import { importReportMarkdown, REPORT_HEADING, reportHead } from '../../output/importReport.ts';
import { FileIsThere, type NewFile, writeNew } from './writeNew.ts';

const REPORT = 'import-report.md';

interface Target {
  readonly folder: string;
  readonly repository: Repository;
  /** What is written beside, unless it is there. */
  readonly beside: readonly NewFile[];
}

/**
 * Writes the files of an import, and answers their names, that of the suite first. Where the report of another import
 * lies, the suite's name stands before the others.
 */
export function writeImported(
  imported: Imported,
  suiteText: string,
  { folder, repository, beside }: Target,
): readonly string[] {
  const write = (prefix: string) =>
    writeNew([...filesOf(imported, suiteText, { folder, prefix }), ...beside], repository);
  try {
    return inOrder(write(''));
  } catch (error) {
    if (!(error instanceof FileIsThere) || !isOfAnotherImport(error.file, imported)) throw error;
    return inOrder(write(`${imported.suite.slug}.`));
  }
}

const inOrder = (files: readonly string[]): string[] =>
  files.toSorted((one, other) => Number(isSuite(other)) - Number(isSuite(one)));
const isSuite = (file: string): boolean => file.endsWith('.suite.yaml');

interface Names {
  readonly folder: string;
  readonly prefix: string;
}

/** The report comes first: an import that finds it takes other names for all its files but the suite. */
function filesOf(
  { suite, cases, outputs, report }: Imported,
  suiteText: string,
  { folder, prefix }: Names,
): NewFile[] {
  const inFolder = (name: string, text: string): NewFile => ({ file: path.join(folder, name), text });
  const lines = outputs.map((output) => `${JSON.stringify(output)}\n`).join('');
  return [
    inFolder(`${prefix}${REPORT}`, importReportMarkdown(report)),
    ...(lines === '' ? [] : [inFolder(`${prefix}outputs.jsonl`, lines)]),
    ...(cases.length === 0 ? [] : [inFolder(`${suite.slug}.suite.yaml`, suiteText)]),
  ];
}

/** Also one that is being written, which is still empty. */
function isOfAnotherImport(file: string, { report }: Imported): boolean {
  if (path.basename(file) !== REPORT) return false;
  try {
    const text = readFileSync(file, 'utf8');
    return text === '' || (text.startsWith(REPORT_HEADING) && !text.startsWith(reportHead(report)));
  } catch {
    return false;
  }
}

import path from 'node:path';
import { warnOfBar } from '../../../files/check/barWarnings.ts';
import { CONFIG_FILE, findRoot, Repository, realOf } from '../../../files/disk/repository.ts';
import { Problems } from '../../../files/read/problems.ts';
import { defineSuites } from '../../../files/resolve/definition.ts';
import { loadFiles } from '../../../files/resolve/loadFiles.ts';
import { EXIT } from '../../../gate/problems/exitCodes.ts';
import { safeJson } from '../../../gate/report/escape.ts';
import { counted } from '../../../gate/report/numbers.ts';
import type { Imported } from '../../../importers/imports/imported.ts';
import { JUDGE_MISSING, JUDGE_UNKNOWN } from '../../../importers/imports/judges.ts';
import type { Context } from '../../context.ts';
import { importReportText } from '../../output/importReport.ts';
import { printProblems } from '../../output/problems.ts';
import { Problem } from '../../problem.ts';
import { readProjectFile } from '../../settings/projectFile.ts';
import { CONFIG_TEXT } from '../init/initTexts.ts';
import { type WrittenImport, writeImported } from './importedFiles.ts';

export interface ImportOptions {
  readonly strict?: boolean;
  readonly prune?: boolean;
  readonly out?: string;
}

interface PlaceOfImport {
  readonly absolute: string;
  /** In the repository. */
  readonly name: string;
  readonly repository: Repository;
  readonly isNew: boolean;
}

export function placeOfImport({ io }: Context, file: string): PlaceOfImport {
  const root = findRoot(io.cwd);
  const repository = new Repository(root ?? io.cwd);
  const absolute = realOf(path.resolve(io.cwd, file));
  return { absolute, name: repository.nameOf(absolute), repository, isNew: root === undefined };
}

/** What `read` makes of a file. What is wrong with it is printed. */
export async function readImport(
  { terminal }: Context,
  file: string,
  read: (problems: Problems) => Promise<Imported | undefined>,
): Promise<Imported> {
  const problems = new Problems();
  const imported = await read(problems);
  printProblems(problems, terminal);
  if (imported !== undefined && !problems.hasErrors) return imported;
  throw new Problem(
    `${file} was not imported, and nothing was written.`,
    'Correct that, then import it again.',
  );
}

interface Finish extends ImportOptions {
  readonly place: PlaceOfImport;
  /** What would have more of it mapped. */
  readonly hint: string | undefined;
}

/** Writes the files of an import, and says what became of it. */
export async function finishImport(context: Context, imported: Imported, finish: Finish): Promise<number> {
  const { strict = false, prune = false, out, hint } = finish;
  const { repository, isNew } = finish.place;
  const { io, terminal } = context;
  if (strict && !isComplete(imported)) {
    printReport(context, imported, []);
    throw new Problem(
      'Not everything was mapped, and with --strict nothing is written.',
      hint ?? `Leave --strict out, or change ${imported.report.config}.`,
    );
  }
  const folder =
    out === undefined ? path.join(repository.root, 'evals', imported.suite.slug) : path.resolve(io.cwd, out);
  const evalgateYaml = { file: path.join(io.cwd, CONFIG_FILE), text: CONFIG_TEXT, mayBeThere: true };
  const written = writeImported(imported, { folder, repository, prune, beside: isNew ? [evalgateYaml] : [] });
  const files = written.files.map((file) => path.relative(io.cwd, file));
  printReport(context, imported, files);
  for (const file of files) terminal.say(`wrote ${file}`);
  printChanges(context, written);
  if (hint !== undefined && imported.cases.length > 0) terminal.say(hint);
  sayLeftOut(terminal, imported);
  const suiteFile = files.find(isSuite);
  if (suiteFile !== undefined) await warnOfImported(context, suiteFile);
  if (imported.cases.length === 0) {
    const { unit, config } = imported.report;
    throw new Problem(
      `No ${unit} of ${config} was mapped, so there is no suite.`,
      hint ?? `Change ${config}.`,
    );
  }
  terminal.say(nextStep(context, imported, files));
  if (imported.warning !== undefined) terminal.say(imported.warning);
  return EXIT.done;
}

/** What is wrong with the bar that was written, before it is pushed. */
async function warnOfImported({ io, terminal }: Context, file: string): Promise<void> {
  const problems = new Problems();
  const nowMs = Date.now();
  const loaded = loadFiles(io.cwd, problems, [file]);
  const defined = loaded === undefined ? [] : await defineSuites(loaded, problems, nowMs);
  // A file of somebody's own may have errors: `validate` names them.
  if (loaded === undefined || problems.hasErrors) return;
  await warnOfBar(loaded, defined, problems, nowMs);
  printProblems(problems, terminal);
}

/** What no option maps. */
function sayLeftOut(terminal: Context['terminal'], { cases, report }: Imported): void {
  const groups = report.missing.filter(({ reason }) => reason !== JUDGE_MISSING && reason !== JUDGE_UNKNOWN);
  const count = groups.reduce((sum, { assertions }) => sum + assertions, 0);
  if (count === 0 || cases.length === 0 || report.unit !== 'assertion') return;
  terminal.say(
    `${counted(count, 'assertion')} can't be mapped: judge them there still, or by cases of your own in the suite, which another import keeps without --prune`,
  );
}

const isSuite = (file: string): boolean => file.endsWith('.suite.yaml');

/** Where nothing says which service it is for, it is tried here. */
function nextStep(
  { io }: Context,
  { suite: { slug: suite }, keepsScorer }: Imported,
  files: readonly string[],
): string {
  const outputs = files.find((file) => file.endsWith('outputs.jsonl')) ?? '<file>';
  if (readProjectFile(io).project === undefined)
    return `Next: evalgate validate ${files.find(isSuite) ?? ''}`
      .trimEnd()
      .concat(`, then evalgate try ${suite} --outputs ${outputs}`);
  if (keepsScorer)
    return `Next: evalgate try ${suite} --outputs ${outputs}, then evalgate push and evalgate run ${suite} --outputs <file>`;
  return `Next: evalgate push, then evalgate ask ${suite} --run -- <program>, or evalgate run ${suite} --outputs <file>`;
}

const isComplete = ({ cases, report }: Imported): boolean =>
  cases.length > 0 && report.not_mapped === 0 && report.unread.length === 0;

function printReport(
  { terminal, globals }: Context,
  { suite, report }: Imported,
  files: readonly string[],
): void {
  if (globals.json) terminal.data(`${safeJson({ suite: suite.slug, files, ...report }, 2)}\n`);
  else terminal.report(importReportText(report));
}

const SHOWN_MAX = 10;

/** Of an import after another one. */
function printChanges({ terminal }: Context, { kept, merged, prune }: WrittenImport): void {
  for (const file of kept)
    terminal.say(
      `kept ${path.basename(file)}, which the import would write otherwise: delete it for a new one`,
    );
  if (merged === undefined) return;
  const { added, changed, gone, edited, restored } = merged;
  terminal.say(
    `${counted(added.length, 'case')} added, ${changed.length} changed, ${prune ? `${gone.length} deleted` : `${gone.length} kept`}`,
  );
  const warnOf = (what: string, keys: readonly string[], hint: string): void => {
    if (keys.length > 0) terminal.warn(`${what}: ${shown(keys)} (${hint})`);
  };
  if (!prune) warnOf('no longer made by the import', gone, '--prune deletes them');
  warnOf(
    'changed since the last import, and left so, while the import makes others now',
    edited,
    'delete them to import them again',
  );
  warnOf('deleted since the last import, and made again', restored, 'is_active: false leaves a case out');
}

const shown = (keys: readonly string[]): string =>
  `${keys.slice(0, SHOWN_MAX).join(', ')}${keys.length > SHOWN_MAX ? ` and ${keys.length - SHOWN_MAX} more` : ''}`;

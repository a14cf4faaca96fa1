import path from 'node:path';
import { safeJson } from '../../../report/escape.ts';
import { suiteFileSchema } from '../../../suites/check/fileSchemas.ts';
import { isFine } from '../../../suites/check/issues.ts';
import { CONFIG_FILE, findRoot, Repository, realOf } from '../../../suites/files/repository.ts';
import { type Imported, importPromptfoo } from '../../../suites/promptfoo/import.ts';
import { slugOf } from '../../../suites/promptfoo/keys.ts';
import { judgeNamed } from '../../../suites/promptfoo/map/judges.ts';
import type { Judge } from '../../../suites/promptfoo/map/types.ts';
import { suiteText } from '../../../suites/promptfoo/suiteText.ts';
import { Problems } from '../../../suites/read/problems.ts';
import { readYaml } from '../../../suites/read/readYaml.ts';
import type { Context, Handler } from '../../context.ts';
import { EXIT } from '../../exitCodes.ts';
import { importReportText } from '../../output/importReport.ts';
import { printProblems } from '../../output/problems.ts';
import { Problem } from '../../problem.ts';
import { CONFIG_TEXT } from '../init/initTexts.ts';
import { writeImported } from './importedFiles.ts';

export interface ImportOptions {
  readonly judge?: string;
  readonly strict?: boolean;
  readonly out?: string;
}

/** Writes a suite that judges as a config of promptfoo does, and a report of what it can't. Nothing is executed. */
export const importFromPromptfoo: Handler<ImportOptions> = async (
  context,
  [config = ''],
  { judge, strict = false, out },
) => {
  const { io, terminal } = context;
  const root = findRoot(io.cwd);
  const repository = new Repository(root ?? io.cwd);
  const { imported, text } = await read(context, { config, judge, repository });
  if (strict && !isWhole(imported)) {
    printReport(context, imported, []);
    throw new Problem(
      'Not everything was mapped, and with --strict nothing is written.',
      'Leave --strict out, or change the config.',
    );
  }
  const folder =
    out === undefined ? path.join(repository.root, 'evals', imported.suite.slug) : path.resolve(io.cwd, out);
  const evalgateYaml = { file: path.join(io.cwd, CONFIG_FILE), text: CONFIG_TEXT, mayBeThere: true };
  const beside = root === undefined ? [evalgateYaml] : [];
  const written = writeImported(imported, text, { folder, repository, beside }).map((file) =>
    path.relative(io.cwd, file),
  );
  printReport(context, imported, written);
  for (const file of written) terminal.say(`wrote ${file}`);
  if (imported.cases.length === 0)
    throw new Problem(`No assertion of ${config} was mapped, so there is no suite.`, 'Change the config.');
  terminal.say(`Next: evalgate validate ${written[0]}`);
  return EXIT.done;
};

interface Params {
  readonly config: string;
  readonly judge: string | undefined;
  readonly repository: Repository;
}

async function read(
  { io, terminal }: Context,
  { config, judge, repository }: Params,
): Promise<{ imported: Imported; text: string }> {
  const absolute = realOf(path.resolve(io.cwd, config));
  const problems = new Problems();
  const imported = await importPromptfoo(
    repository,
    { config: repository.nameOf(absolute), slug: slugFor(absolute), judge: judgeOf(judge) },
    problems,
  );
  const text = imported === undefined ? '' : textOf(imported, problems);
  printProblems(problems, terminal);
  if (imported !== undefined && !problems.hasErrors) return { imported, text };
  throw new Problem(
    `${config} was not imported, and nothing was written.`,
    'Correct that, then import it again.',
  );
}

const isWhole = ({ cases, report }: Imported): boolean =>
  cases.length > 0 && report.not_mapped === 0 && report.unread.length === 0;

function printReport(
  { terminal, globals }: Context,
  { suite, report }: Imported,
  files: readonly string[],
): void {
  if (globals.json) terminal.data(`${safeJson({ suite: suite.slug, files, ...report }, 2)}\n`);
  else terminal.report(importReportText(report));
}

function judgeOf(text: string | undefined): Judge | undefined {
  if (text === undefined) return undefined;
  const judge = judgeNamed(text);
  if (judge !== undefined) return judge;
  throw new Problem(
    '--judge names no provider that is known.',
    'Write such as openai, or anthropic/claude-sonnet-5-5.',
  );
}

/** After its file, or after its folder where the file has promptfoo's own name. */
function slugFor(absolute: string): string {
  const { name, dir } = path.parse(absolute);
  const own = name.replace(/^\.?promptfoo-?config\b/i, '');
  return slugOf(own === name ? name : `${path.basename(dir)} ${own}`, 60) || 'imported';
}

/** As it will be read again. */
function textOf(imported: Imported, problems: Problems): string {
  const text = suiteText(imported);
  const document = readYaml('the suite', text, problems);
  if (document !== undefined)
    isFine({ document, path: [], value: document.value }, suiteFileSchema(), problems);
  return text;
}

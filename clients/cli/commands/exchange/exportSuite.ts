import { Problems } from '../../../files/read/problems.ts';
import { defineSuites, type SuiteDefinition } from '../../../files/resolve/definition.ts';
import { loadFiles } from '../../../files/resolve/loadFiles.ts';
import { caseEntry } from '../../../files/write/caseEntry.ts';
import { EXIT } from '../../../gate/problems/exitCodes.ts';
import { safeJson } from '../../../gate/report/escape.ts';
import { counted } from '../../../gate/report/numbers.ts';
import { promptfooConfig } from '../../../importers/promptfoo/export/config.ts';
import type { Context, Handler } from '../../context.ts';
import { printProblems } from '../../output/problems.ts';
import { Problem } from '../../problem.ts';

/** A suite in a file as a config of promptfoo, on stdout. */
export const exportToPromptfoo: Handler = async (context, [file = '']) => {
  const { terminal, globals } = context;
  const { text, ...report } = promptfooConfig(await definitionOf(context, file));
  if (globals.json) terminal.data(`${safeJson({ config: text, ...report }, 2)}\n`);
  else terminal.data(text);
  for (const { key, message } of report.differences)
    terminal.say(`differs: ${key === '' ? file : key}: ${message}`);
  for (const { key, message } of report.left_out) terminal.warn(`${key} is left out: ${message}`);
  terminal.say(`exported ${counted(report.cases, 'case')}, left out ${report.left_out.length}`);
  return doneWith(report.cases, file);
};

/** The cases of a suite in a file, one a line, on stdout. */
export const exportToJsonl: Handler = async (context, [file = '']) => {
  const { cases } = await definitionOf(context, file);
  for (const fields of cases) context.terminal.data(`${safeJson(caseEntry(fields))}\n`);
  return doneWith(cases.length, file);
};

/** What reads an export without a case finds nothing wrong with any output. */
function doneWith(cases: number, file: string): number {
  if (cases > 0) return EXIT.done;
  throw new Problem(`No case of ${file} was exported.`, 'Add a case to the suite that can be exported.');
}

async function definitionOf({ io, terminal }: Context, file: string): Promise<SuiteDefinition> {
  const problems = new Problems();
  const loaded = loadFiles(io.cwd, problems, [file]);
  const [definition] = loaded === undefined ? [] : await defineSuites(loaded, problems, Date.now());
  printProblems(problems, terminal);
  if (definition !== undefined && !problems.hasErrors) return definition;
  throw new Problem(`${file} is no suite that can be exported.`, 'Which there are: evalgate validate');
}

import { warnOfBar } from '../../files/check/barWarnings.ts';
import { warnOfIdleScorers } from '../../files/check/idleScorers.ts';
import { Problems } from '../../files/read/problems.ts';
import { defineSuites, type SuiteDefinition } from '../../files/resolve/definition.ts';
import { loadFiles } from '../../files/resolve/loadFiles.ts';
import { EXIT } from '../../gate/problems/exitCodes.ts';
import { safeJson } from '../../gate/report/escape.ts';
import { counted } from '../../gate/report/numbers.ts';
import type { Handler } from '../context.ts';
import { fields } from '../output/print.ts';
import { stopAtErrors } from '../output/problems.ts';
import { FileProblem } from '../problem.ts';

/** Checks files as the service would, without asking it: those given, or all that evalgate.yaml names. */
export const validate: Handler = async (context, files) => {
  const { io, terminal, globals } = context;
  const problems = new Problems();
  const loaded = loadFiles(io.cwd, problems, files.length === 0 ? undefined : files);
  const nowMs = Date.now();
  const defined = loaded === undefined ? [] : await defineSuites(loaded, problems, nowMs);
  if (loaded !== undefined && !problems.hasErrors) {
    await warnOfBar(loaded, defined, problems, nowMs);
    warnOfIdleScorers(loaded, defined, problems, files.length === 0);
  }
  const suites = defined.map(summaryOf);
  if (globals.json) {
    const outcome = { valid: !problems.hasErrors, suites, problems: problems.sorted() };
    terminal.data(`${safeJson({ ...outcome, problems_left: problems.left }, 2)}\n`);
    if (problems.hasErrors) throw FileProblem.printed(problems);
    return EXIT.done;
  }
  stopAtErrors(problems, terminal);
  for (const { suite, file, cases, scorers } of suites) {
    const counts = `${counted(cases, 'case')}, ${counted(scorers, 'scorer')}`;
    terminal.report(`${fields(suite, counts, file)}\n`);
  }
  return EXIT.done;
};

const summaryOf = ({ file, suite, cases, scorers }: SuiteDefinition) => ({
  suite: suite.slug,
  file,
  cases: cases.length,
  scorers: scorers.size,
});

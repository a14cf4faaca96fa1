import { Problems } from '../../files/read/problems.ts';
import { defineSuites, type SuiteDefinition } from '../../files/resolve/definition.ts';
import { loadFiles } from '../../files/resolve/loadFiles.ts';
import { type LocalVerdict, tryLocally } from '../../files/trial/tryLocally.ts';
import { safeJson } from '../../gate/report/escape.ts';
import { checkItems } from '../../importers/outputs/checkItems.ts';
import { outputIssue } from '../../importers/outputs/outputLines.ts';
import type { Handler } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { type AnswerOptions, type Answers, readAnswers } from '../input/answers.ts';
import type { Io } from '../io.ts';
import { reportMismatched } from '../output/mismatched.ts';
import { stopAtErrors } from '../output/problems.ts';
import { triedText } from '../output/triedText.ts';
import { Problem } from '../problem.ts';
import type { Terminal } from '../terminal.ts';

/** Scores outputs on this machine. Nothing is sent or counted. */
export const trySuite: Handler<AnswerOptions> = async (context, [target = ''], options) => {
  const { io, terminal, globals } = context;
  const problems = new Problems();
  const definition = await definitionOf(io, target, problems);
  const active = (definition?.cases ?? []).filter(({ is_active }) => is_active);
  const asked = async () => active.map(({ key, input }) => ({ case: key, input }));
  const answers = await readAnswers(io, options, problems, { check: checkItems, asked });
  stopAtErrors(problems, terminal);
  if (definition === undefined || answers === undefined) {
    const hint = 'Which there are: evalgate validate';
    throw new Problem(`There is no suite ${target} in the files that evalgate.yaml names.`, hint);
  }
  const tried = await tryLocally(definition, answers, { nowMs: Date.now() });
  const keys = active.map(({ key }) => key);
  if (tried.outcome === 'refused') {
    reportMismatchedAll(terminal, answers, keys);
    const refusal = outputIssue(answers.file ?? { items: [], places: [] }, tried.refusal);
    throw new Problem('The service would refuse these outputs.', refusal);
  }
  if (globals.json) {
    terminal.data(`${safeJson(tried.outcome === 'verdict' ? tried.verdict : tried, 2)}\n`);
  } else terminal.report(triedText(definition.suite.slug, tried));
  const { surplus } = tried.outcome === 'verdict' ? tried.verdict : tried;
  reportMismatched(terminal, surplus, keys);
  return tried.outcome === 'not_judged' ? EXIT.noVerdict : exitOf(tried.verdict);
};

function exitOf({ inconclusive, status }: LocalVerdict): number {
  if (inconclusive) return EXIT.noVerdict;
  return status === 'cleared' ? EXIT.done : EXIT.aborted;
}

/** Where no output is for a case of the suite. */
function reportMismatchedAll(terminal: Terminal, { outputs }: Answers, keys: readonly string[]): void {
  const names = [...new Set(outputs?.map((item) => item.case))];
  if (!names.some((name) => keys.includes(name))) reportMismatched(terminal, names, keys);
}

/** Mistakes of other suites are not reported. */
async function definitionOf(
  { cwd }: Io,
  target: string,
  problems: Problems,
): Promise<SuiteDefinition | undefined> {
  const files = isFile(target) ? [target] : filesOfSuite(target, cwd);
  if (files?.length === 0) return undefined;
  const loaded = loadFiles(cwd, problems, files);
  if (loaded === undefined) return undefined;
  const [definition] = await defineSuites(loaded, problems, Date.now());
  return definition;
}

const isFile = (target: string): boolean => /[./\\]/.test(target);

/** Undefined without a usable evalgate.yaml. */
function filesOfSuite(slug: string, cwd: string): string[] | undefined {
  const loaded = loadFiles(cwd, new Problems());
  if (loaded === undefined) return undefined;
  const { suites, repository } = loaded;
  return suites.filter(({ head }) => head?.suite === slug).map(({ file }) => repository.absolute(file));
}

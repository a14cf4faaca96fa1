import { Problems } from '../../files/read/problems.ts';
import { defineSuites, type SuiteDefinition } from '../../files/resolve/definition.ts';
import { loadFiles } from '../../files/resolve/loadFiles.ts';
import { tryLocally } from '../../files/trial/tryLocally.ts';
import { mismatchedSentences, namesOf } from '../../gate/outputs/mismatched.ts';
import type { Answers } from '../../gate/outputs/readAnswers.ts';
import { EXIT, exitCodeOf } from '../../gate/problems/exitCodes.ts';
import { safeJson } from '../../gate/report/escape.ts';
import { checkItems } from '../../importers/outputs/checkItems.ts';
import { outputIssue } from '../../importers/outputs/outputLines.ts';
import type { Handler } from '../context.ts';
import { type AnswerOptions, readGivenAnswers } from '../input/answers.ts';
import type { Io } from '../io.ts';
import { stopAtErrors } from '../output/problems.ts';
import { triedText } from '../output/triedText.ts';
import { Problem } from '../problem.ts';

/** Scores outputs on this machine. Nothing is sent or counted. */
export const trySuite: Handler<AnswerOptions> = async (context, [target = ''], options) => {
  const { io, terminal, globals } = context;
  const problems = new Problems();
  const definition = await definitionOf(io, target, problems);
  const active = (definition?.cases ?? []).filter(({ is_active }) => is_active);
  const cases = async () => active.map(({ key, input }) => ({ case: key, input }));
  const answers = await readGivenAnswers(io, options, problems, { check: checkItems, cases });
  stopAtErrors(problems, terminal);
  if (definition === undefined || answers === undefined) {
    const hint = 'Which there are: evalgate validate';
    throw new Problem(`There is no suite ${target} in the files that evalgate.yaml names.`, hint);
  }
  const tried = await tryLocally(definition, answers, { nowMs: Date.now() });
  const keys = active.map(({ key }) => key);
  const warnOf = (sentences: readonly string[]): void => {
    for (const sentence of sentences) terminal.warn(sentence);
  };
  if (tried.outcome === 'refused') {
    warnOf(unknownSentences(answers, keys));
    const refusal = outputIssue(answers.file, tried.refusal);
    throw new Problem('The service would refuse these outputs.', refusal);
  }
  if (globals.json) {
    terminal.data(`${safeJson(tried.outcome === 'verdict' ? tried.verdict : tried, 2)}\n`);
  } else terminal.report(triedText(definition.suite.slug, tried));
  const { surplus } = tried.outcome === 'verdict' ? tried.verdict : tried;
  warnOf(mismatchedSentences(surplus, keys));
  warnOf(
    tried.idle_rules.map(
      (name) =>
        `The rule ${safeJson(name)} applied to no call of these outputs: check the tools that its \`when\` names.`,
    ),
  );
  return tried.outcome === 'not_judged'
    ? EXIT.noVerdict
    : exitCodeOf({ ...tried.verdict, waiver: null }, false);
};

/** Where no output is for a case of the suite. */
function unknownSentences({ outputs = [] }: Answers, keys: readonly string[]): string[] {
  const names = namesOf(outputs);
  return names.some((name) => keys.includes(name)) ? [] : mismatchedSentences(names, keys);
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

import path from 'node:path';
import { safeJson } from '../../report/escape.ts';
import { defineSuites, type SuiteDefinition } from '../../suites/definition.ts';
import { loadFiles } from '../../suites/load.ts';
import { readOutput, readOutputs, type TextSource } from '../../suites/outputs.ts';
import { Problems } from '../../suites/read/problems.ts';
import type { Submission } from '../../suites/trial/samples.ts';
import { tryLocally } from '../../suites/tryLocally.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { oneOf } from '../input/options.ts';
import { readStdin } from '../input/readText.ts';
import type { Io } from '../io.ts';
import { tellProblems } from '../output/problems.ts';
import { triedText } from '../output/triedText.ts';
import { Problem } from '../problem.ts';

export interface TryOptions {
  readonly output?: string;
  readonly outputs?: string;
}

/** Scores outputs on this machine. Nothing is sent or counted. */
export async function trySuite(
  context: Context,
  [target = '']: readonly string[],
  options: TryOptions,
): Promise<number> {
  const { io, terminal, globals } = context;
  const problems = new Problems();
  const submission = await submissionOf(io, options, problems);
  const definition = submission && (await definitionOf(io, target, problems));
  tellProblems(problems, terminal);
  if (problems.hasErrors || submission === undefined) return EXIT.callerMustChange;
  if (definition === undefined) {
    const hint = 'Which there are: evalgate validate';
    throw new Problem(`There is no suite ${target} in the files that evalgate.yaml names.`, hint);
  }
  const tried = await tryLocally(definition, submission, { nowMs: Date.now() });
  if (tried.outcome === 'refused') {
    throw new Problem(`The service would refuse this: ${tried.refusal.path} ${tried.refusal.message}.`);
  }
  if (globals.json) {
    terminal.data(`${safeJson(tried.outcome === 'verdict' ? tried.verdict : tried, 2)}\n`);
  } else terminal.report(triedText(definition.suite.slug, tried));
  if (tried.outcome === 'not_judged' || tried.verdict.inconclusive) return EXIT.noVerdict;
  return tried.verdict.status === 'cleared' ? EXIT.done : EXIT.aborted;
}

async function submissionOf(
  io: Io,
  options: TryOptions,
  problems: Problems,
): Promise<Submission | undefined> {
  const { output, outputs } = oneOf(options);
  if (outputs !== undefined) {
    return { outputs: readOutputs(placeOf(outputs), await sourceOf(io, outputs), problems) };
  }
  const text = readOutput(placeOf(output), await sourceOf(io, output), problems);
  return text === undefined ? undefined : { output: text };
}

const placeOf = (name: string): string => (name === '-' ? 'stdin' : name);

const sourceOf = async (io: Io, name: string): Promise<TextSource> =>
  name === '-' ? { bytes: await readStdin(io) } : { path: path.resolve(io.cwd, name) };

/** Mistakes of other suites are not told. */
async function definitionOf(
  { cwd }: Io,
  target: string,
  problems: Problems,
): Promise<SuiteDefinition | undefined> {
  const files = isFile(target) ? [target] : filesOfSuite(target, cwd);
  const loaded = loadFiles(cwd, problems, files);
  if (loaded === undefined) return undefined;
  const [definition] = await defineSuites(loaded, problems, Date.now());
  return definition;
}

const isFile = (target: string): boolean => /[./\\]/.test(target);

function filesOfSuite(slug: string, cwd: string): string[] {
  const loaded = loadFiles(cwd, new Problems());
  if (loaded === undefined) return [];
  const { suites, repository } = loaded;
  return suites.filter(({ head }) => head?.suite === slug).map(({ file }) => repository.absolute(file));
}

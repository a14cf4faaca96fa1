import path from 'node:path';
import { defineSuites, type SuiteDefinition } from '../../suites/definition.ts';
import { loadFiles } from '../../suites/load.ts';
import { readOutput, readOutputs, type TextSource } from '../../suites/outputs.ts';
import { harmless, Problems } from '../../suites/read/problems.ts';
import type { Submission } from '../../suites/trial/samples.ts';
import { tryLocally } from '../../suites/tryLocally.ts';
import { type CommandIo, EXIT, tellProblems } from './told.ts';
import { triedText } from './triedText.ts';

interface TryArgs {
  /** A file from the working directory, or the slug of a suite. */
  readonly target: string;
  /** A file from the working directory, or `-` for `stdin`: one output, or a JSONL file of outputs. */
  readonly output?: string | undefined;
  readonly outputs?: string | undefined;
  /** Prints what was tried as JSON. */
  readonly json?: boolean | undefined;
}

interface TryIo extends CommandIo {
  readonly stdin?: AsyncIterable<Uint8Array>;
}

/** Scores outputs on this machine. Nothing is sent or counted. */
export async function trySuite(args: TryArgs, io: TryIo): Promise<number> {
  const problems = new Problems();
  const submission = await submissionOf(args, io, problems);
  const definition = submission === undefined ? undefined : await definitionOf(args.target, io, problems);
  tellProblems(problems, io);
  if (problems.hasErrors || submission === undefined) return EXIT.callerMustChange;
  if (definition === undefined) {
    io.stderr(`There is no suite "${harmless(args.target)}" in the files that evalgate.yaml names.\n`);
    return EXIT.callerMustChange;
  }
  const tried = await tryLocally(definition, submission, { nowMs: Date.now() });
  if (tried.outcome === 'refused') {
    const { path: field, message } = tried.refusal;
    io.stderr(`The service would refuse this: ${harmless(`${field} ${message}`)}.\n`);
    return EXIT.callerMustChange;
  }
  if (args.json) io.stdout(`${JSON.stringify(tried.outcome === 'verdict' ? tried.verdict : tried)}\n`);
  else io.stdout(triedText(definition.suite.slug, tried));
  if (tried.outcome === 'not_judged' || tried.verdict.inconclusive) return EXIT.noVerdict;
  return tried.verdict.status === 'cleared' ? EXIT.done : EXIT.aborted;
}

async function submissionOf(
  { output, outputs }: TryArgs,
  io: TryIo,
  problems: Problems,
): Promise<Submission | undefined> {
  if ((output === undefined) === (outputs === undefined)) {
    io.stderr('Name one of --output <file> and --outputs <file.jsonl>.\n');
    return undefined;
  }
  const name = output ?? outputs ?? '';
  const source = await sourceOf(name, io);
  if (output === undefined) return { outputs: readOutputs(name, source, problems) };
  const text = readOutput(name, source, problems);
  return text === undefined ? undefined : { output: text };
}

/** More than any file of outputs may have. */
const STREAM_BYTES_MAX = 33 * 1_024 * 1_024;

async function sourceOf(name: string, { cwd, stdin = process.stdin }: TryIo): Promise<TextSource> {
  if (name !== '-') return { path: path.resolve(cwd, name) };
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > STREAM_BYTES_MAX) break;
  }
  return { bytes: Buffer.concat(chunks) };
}

/** Mistakes of other suites are not told. */
async function definitionOf(
  target: string,
  io: CommandIo,
  problems: Problems,
): Promise<SuiteDefinition | undefined> {
  const files = isFile(target) ? [target] : filesOfSuite(target, io.cwd);
  const loaded = loadFiles(io.cwd, problems, files);
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

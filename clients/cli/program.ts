import { type Command, CommanderError } from 'commander';
import { apiKeysIn } from '../files/config/apiKeys.ts';
import { EXIT } from '../gate/problems/exitCodes.ts';
import { VERSION } from '../sdk/generated/operations.ts';
import { access } from './definitions/access.ts';
import { actWith, type Definitions, ShownCommand } from './definitions/act.ts';
import { bar } from './definitions/baseline.ts';
import { files } from './definitions/files.ts';
import { runs } from './definitions/runs.ts';
import { suites } from './definitions/suites.ts';
import { tools } from './definitions/tools.ts';
import { EXIT_CODES_HELP } from './exitCodesHelp.ts';
import type { Io } from './io.ts';
import { createTerminal } from './terminal.ts';

/** Where nothing says how wide a line may be. */
const HELP_WIDTH = 80;

/** Runs one command; gives its exit code. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  if (args.some((arg) => apiKeysIn(arg).length > 0)) {
    createTerminal(io, { color: false }).fail(
      'An API key is on the command line, where shell histories and process lists show it.',
      'Nothing was sent. Revoke the key, and give another one by EVALGATE_API_KEY or `evalgate login`.',
    );
    return EXIT.callerMustChange;
  }
  let exitCode: number = EXIT.done;
  const mistakes: string[] = [];
  const end = (code: number): void => {
    exitCode = code;
  };
  const program = createProgram(io, mistakes, end, args[0]);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (mistakes.length > 0) printMistakes(io, mistakes.join(''));
    return error.exitCode === 0 ? EXIT.done : EXIT.callerMustChange;
  }
  return exitCode;
}

/** In the order of the help. */
export const COMMANDS: Definitions = { ...runs, ...bar, ...access, ...files, ...suites, ...tools };

/** The command that the command line begins with: a start that adds all takes some milliseconds more. Else all. */
const namesFor = (first: string): readonly string[] =>
  Object.hasOwn(COMMANDS, first) && first !== 'completion' ? [first] : Object.keys(COMMANDS);

/**
 * All commands, or what is enough for a command line that begins with `first`. `mistakes` takes what is wrong with the
 * command line; `end` gets the exit code of the command that runs.
 */
export function createProgram(
  io: Io,
  mistakes: string[],
  end: (exitCode: number) => void,
  first = '',
): ShownCommand {
  const program = new ShownCommand('evalgate')
    .description('A release gate for AI output: cleared or aborted.')
    .version(VERSION, '--version')
    .option('--url <url>', 'URL of the service (EVALGATE_URL)')
    .option('--project <slug>', 'slug of the project (EVALGATE_PROJECT)')
    .option(
      '--id-token-env <name>',
      'name of the variable with the ID token of the CI job (EVALGATE_ID_TOKEN)',
    )
    .option('--json', 'print data as JSON, as the service sent it')
    .option('-q, --quiet', 'print data and errors only')
    .option('--no-color', 'no colours (NO_COLOR)')
    .option('--no-input', 'never ask')
    .option('-v, --verbose', 'more about errors')
    .examples(
      'evalgate login --url https://gate.example.com',
      'evalgate run returns --output answer.txt',
      'evalgate runs returns',
      'evalgate help exit-codes',
    )
    .helpCommand(false)
    .showHelpAfterError('(evalgate help lists all commands)')
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => io.stdout.columns ?? HELP_WIDTH,
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void mistakes.push(text),
    });
  const act = actWith(io, end);
  for (const name of namesFor(first)) COMMANDS[name]?.(program.command(name), act);
  program
    .command('help')
    .summary('help on a command, or on exit-codes')
    .argument('[topic...]')
    .action((topic: readonly string[]) => help(program, io, topic));
  return program;
}

/** It quotes what was typed: a key, perhaps. */
function printMistakes(io: Io, mistakes: string): void {
  createTerminal(io, { color: false }).note(withoutArguments(mistakes).trimEnd());
}

/** What was one argument too many may have been a key. */
const withoutArguments = (text: string): string =>
  text.replace(/^error: /, 'evalgate: ').replace(/(but got \d+): .*$/m, '$1.');

/** On a command, or on one below it: `help import csv`. */
function help(program: Command, io: Io, topic: readonly string[]): void {
  if (topic.join(' ') === 'exit-codes') return void io.stdout.write(EXIT_CODES_HELP);
  let about = program;
  for (const name of topic) {
    const subcommand = about.commands.find((command) => command.name() === name);
    if (subcommand === undefined) program.error(`error: there is no help on '${topic.join(' ')}'`);
    about = subcommand;
  }
  about.outputHelp();
}

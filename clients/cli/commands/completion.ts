import type { Command, Option } from 'commander';
import { EXIT } from '../../gate/problems/exitCodes.ts';
import type { Context } from '../context.ts';
import { bash, type Completed, type CompletedOption, fish, zsh } from '../output/completions.ts';

const PRINTERS: ReadonlyMap<string, (commands: readonly Completed[]) => string> = new Map(
  Object.entries({ bash, zsh, fish }),
);

/** Prints what lets a shell complete the commands of this program. */
export const completionOf =
  (program: Command) =>
  async ({ terminal }: Context, [shell = '']: readonly string[]): Promise<number> => {
    const globals = program.options.map(completedOption);
    terminal.data(PRINTERS.get(shell)?.(completed(program, '', globals)) ?? '');
    return EXIT.done;
  };

function completed(command: Command, name: string, globals: readonly CompletedOption[]): Completed[] {
  const below = command.commands;
  const commandOptions = name === '' ? [] : command.options.map(completedOption);
  const arguments_ = command.registeredArguments;
  const itself: Completed = {
    name,
    summary: command.summary(),
    commands: below.map((one) => one.name()),
    choices: arguments_.flatMap(({ argChoices }) => argChoices ?? []),
    takesFiles: arguments_.some((argument) => argument.name() === 'files'),
    options: [...commandOptions, ...globals.filter(({ long }) => name === '' || long !== '--version'), HELP],
  };
  return [itself, ...below.flatMap((one) => completed(one, `${name} ${one.name()}`.trim(), globals))];
}

const HELP: CompletedOption = { long: '--help', summary: 'display help for command', value: 'none' };

function completedOption({ long, flags, description, required, optional }: Option): CompletedOption {
  const isFile = /<file/.test(flags);
  const value = required || optional ? (isFile ? 'file' : 'text') : 'none';
  return { long: long ?? '', summary: description, value };
}

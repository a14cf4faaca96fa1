import { Command, type Option } from 'commander';
import { EXIT } from '../../gate/problems/exitCodes.ts';
import type { Context, GlobalOptions, Handler } from '../context.ts';
import type { Io } from '../io.ts';
import { createTerminal } from '../terminal.ts';

/** A command whose help begins with examples, and whose options are given once unless they are `repeated`. */
export class ShownCommand extends Command {
  override createCommand(name?: string): ShownCommand {
    return new ShownCommand(name);
  }

  /** Of values that are given twice the last one would count, in silence. */
  override addOption(option: Option): this {
    let isGiven = false;
    super.addOption(option);
    if (!(option.required || option.optional) || option.parseArg === repeated) return this;
    return this.on(`option:${option.name()}`, () => {
      if (isGiven) this.error(`error: option '${option.flags}' is given twice, and takes one value`);
      isGiven = true;
    });
  }

  examples(...lines: readonly string[]): this {
    return this.addHelpText('before', `Examples:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  }
}

/** The action of a command. Its code is loaded when it is called. */
type Act = <Options>(load: () => Promise<Handler<Options>>) => (this: Command) => Promise<void>;

/** What the command line shows of commands, by their names, and the file that each of them calls. */
export type Definitions = Readonly<Record<string, (command: ShownCommand, act: Act) => unknown>>;

export const actWith =
  (io: Io, end: (exitCode: number) => void): Act =>
  (load) =>
    async function (this: Command) {
      const globals = this.optsWithGlobals<GlobalOptions>();
      const context: Context = { io, terminal: createTerminal(io, globals), globals, facts: { io } };
      try {
        const handle = await load();
        end(await handle(context, this.args, this.opts() as Parameters<typeof handle>[2]));
      } catch (error) {
        const { failed } = await import('../context.ts');
        end(io.signal.aborted ? EXIT.interrupted : failed(error, context));
      }
    };

/** An option that is given as often as needed. */
export const repeated = (value: string, before: readonly string[] = []): string[] => [...before, value];

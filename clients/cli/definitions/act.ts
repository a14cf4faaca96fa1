import type { Command } from 'commander';
import type { Context, GlobalOptions } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { createTerminal } from '../terminal.ts';

/** What a command does; it gives its exit code. */
type Handler<Options> = (context: Context, args: readonly string[], options: Options) => Promise<number>;

/** Adds a command to the program. Its code is loaded when it is called. */
export interface Adder {
  readonly program: Command;
  act<Options>(load: () => Promise<Handler<Options>>): (this: Command) => Promise<void>;
}

export function createAdder(program: Command, io: Io, end: (exitCode: number) => void): Adder {
  return {
    program,
    act<Options>(load: () => Promise<Handler<Options>>) {
      return async function (this: Command) {
        const globals = this.optsWithGlobals<GlobalOptions>();
        const context: Context = { io, terminal: createTerminal(io, globals), globals, facts: { io } };
        try {
          const handle = await load();
          const options: unknown = this.opts();
          end(await handle(context, this.args, options as Options));
        } catch (error) {
          const { failed } = await import('../context.ts');
          end(io.signal.aborted ? EXIT.interrupted : failed(error, context));
        }
      };
    },
  };
}

/** An option that is given as often as needed. */
export const repeated = (value: string, before: readonly string[] = []): string[] => [...before, value];

export const examples = (...lines: readonly string[]): string =>
  `Examples:\n${lines.map((line) => `  ${line}\n`).join('')}`;

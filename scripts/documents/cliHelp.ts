import { PassThrough, Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import { createProgram } from '../../clients/cli/program.ts';

/** What `evalgate help` prints on each command, so that a change of it is seen in the page. */
export function cliHelp(): string {
  const printed: string[] = [];
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      printed.push(String(chunk));
      done();
    },
  });
  const io = { env: {}, cwd: '/', stdin: Readable.from([]), stderr: new PassThrough() };
  const program = createProgram({ ...io, stdout, signal: new AbortController().signal }, [], () => undefined);
  const helpOf = (command: Command): string => {
    printed.length = 0;
    command.outputHelp();
    return printed.join('').trimEnd();
  };
  const sections = commandsOf(program, '').map(
    ([name, command]) => `### ${name}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\``,
  );
  return sections.join('\n\n');
}

function commandsOf(command: Command, above: string): [string, Command][] {
  const name = `${above} ${command.name()}`.trim();
  const below = command.commands.filter((one) => one.name() !== 'help');
  return [[name, command], ...below.flatMap((one) => commandsOf(one, name))];
}

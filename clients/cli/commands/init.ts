import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CONFIG_TEXT, gateText, suiteText } from './initTexts.ts';
import { type CommandIo, EXIT } from './told.ts';

interface InitArgs {
  /** The slug of the first suite. */
  readonly suite?: string | undefined;
  /** Writes a workflow, too. */
  readonly github?: boolean | undefined;
}

const SLUG = /^[a-z0-9][a-z0-9_-]{0,99}$/;

/** Writes the first files. What is there stays as it is. */
export async function init({ suite = 'returns', github = false }: InitArgs, io: CommandIo): Promise<number> {
  if (!SLUG.test(suite)) {
    io.stderr(
      'The name of a suite has lower-case letters, digits, "-" and "_", and at most 100 characters.\n',
    );
    return EXIT.callerMustChange;
  }
  const files: [string, string][] = [
    ['evalgate.yaml', CONFIG_TEXT],
    [`evals/${suite}.suite.yaml`, suiteText(suite)],
    ...(github ? [['.github/workflows/gate.yml', gateText(suite)] as [string, string]] : []),
  ];
  for (const [name, text] of files) {
    const outcome = write(path.join(io.cwd, name), text);
    if (outcome === 'written' || outcome === 'kept')
      io.stderr(`${outcome === 'kept' ? 'kept' : 'wrote'} ${name}\n`);
    else {
      io.stderr(`${name} cannot be written (${outcome}): change that, then run this again.\n`);
      return EXIT.callerMustChange;
    }
  }
  io.stderr(`Next: evalgate validate, then evalgate try ${suite} --output <file>\n`);
  return EXIT.done;
}

/** Never over a file that is there, not even one that appears in this moment. */
function write(file: string, text: string): string {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
  } catch (error) {
    return codeOf(error);
  }
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return 'written';
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? 'kept' : codeOf(error);
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SLUG } from '../../suites/config/configFile.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { Problem, systemReason } from '../problem.ts';
import { CONFIG_TEXT, gateText, suiteText } from './initTexts.ts';

export interface InitOptions {
  /** Writes a workflow, too. */
  readonly github?: boolean;
}

/** Writes the first files. What is there stays as it is. */
export async function init(
  { io, terminal }: Context,
  [suite = 'returns']: readonly string[],
  { github = false }: InitOptions,
): Promise<number> {
  if (!SLUG.test(suite)) {
    throw new Problem(
      `${suite} is no slug of a suite.`,
      'It has lower-case letters, digits, "-" and "_", and at most 100 characters.',
    );
  }
  const files: [string, string][] = [
    ['evalgate.yaml', CONFIG_TEXT],
    [`evals/${suite}.suite.yaml`, suiteText(suite)],
    ...(github ? [['.github/workflows/gate.yml', gateText(suite)] as [string, string]] : []),
  ];
  for (const [name, text] of files) {
    const isWritten = write(io.cwd, name, text);
    terminal.say(`${isWritten ? 'wrote' : 'kept'} ${name}`);
  }
  terminal.say(`Next: evalgate validate, then evalgate try ${suite} --output <file>`);
  return EXIT.done;
}

/** Never over a file that is there, not even one that appears in this moment. */
function write(cwd: string, name: string, text: string): boolean {
  const file = path.join(cwd, name);
  try {
    mkdirSync(path.dirname(file), { recursive: true });
  } catch (error) {
    throw unwritable(name, error);
  }
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw unwritable(name, error);
  }
}

const unwritable = (name: string, error: unknown): Problem =>
  new Problem(`${name} can't be written: ${systemReason(error)}.`, 'Change that, then run this again.');

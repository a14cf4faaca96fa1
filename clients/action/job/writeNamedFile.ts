import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Inputs } from './inputs.ts';
import type { Runner } from './runner.ts';

/** Into the file that an input names, where it names one, and as an output of the step. */
export function writeNamedFile(
  runner: Runner,
  inputs: Inputs,
  name: 'report-file' | 'junit-file' | 'statement-file',
  text: string,
): void {
  const file = inputs.text(name);
  if (file === '') return;
  try {
    const absolute = runner.inWorkspace(file);
    mkdirSync(path.dirname(absolute), { recursive: true });
    writeFileSync(absolute, text);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
  runner.setOutput(name, file);
}

/** What is no file is left to the writing, which fails then. */
export function removeNamedFile(runner: Runner, inputs: Inputs, name: 'statement-file'): void {
  const file = inputs.text(name) === '' ? undefined : runner.inWorkspace(inputs.text(name));
  if (file !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile() === true) rmSync(file);
}

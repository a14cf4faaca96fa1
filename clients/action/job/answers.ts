import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { OutputItem } from '../../sdk/index.ts';
import { Problem } from '../problem.ts';
import type { Inputs } from './inputs.ts';
import type { Runner } from './runner.ts';

/** What the candidate answered. */
export interface Answers {
  readonly output?: string;
  readonly outputs?: readonly OutputItem[];
  /** The file's name as given. */
  readonly file: string;
  /** The line of each of `outputs`, from 1. */
  readonly lines: readonly number[];
}

/** The service takes 32 MB. */
const BYTES_MAX = 33_554_432;
const FORM = 'A line is such as {"case": "return-window", "output": "…"}, or has "error" for "output".';

export function readAnswers(runner: Runner, inputs: Inputs): Answers {
  const [one, many] = [inputs.text('output-file'), inputs.text('outputs-file')];
  if ((one === '') === (many === '')) throw new Problem('Set either output-file or outputs-file.');
  const file = one || many;
  const warn = (place: string): void =>
    runner.annotate('warning', 'evalgate', `${place}: the output is empty. It is judged as it is.`);
  const text = readText(runner, file);
  if (one !== '') {
    if (text === '') warn(file);
    return { output: text, file, lines: [] };
  }
  const { items, lines } = parseLines(text, file);
  const empty = items.flatMap(({ output }, index) => (output === '' ? [lines[index]] : []));
  const more = empty.length > 1 ? `, and ${empty.length - 1} more` : '';
  if (empty.length > 0) warn(`${file}, line ${empty[0]}${more}`);
  return { outputs: items, file, lines };
}

/** A named pipe without a writer would hold the job up, so that only regular files are read. */
function readText(runner: Runner, file: string): string {
  const name = path.resolve(runner.variable('GITHUB_WORKSPACE') ?? '.', file);
  let descriptor: number;
  try {
    descriptor = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new Problem(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Problem(`${file} is no regular file.`);
    if (stats.size > BYTES_MAX) throw new Problem(`${file} has more than 32 MB.`);
    return decoded(readFileSync(descriptor), file);
  } finally {
    closeSync(descriptor);
  }
}

function decoded(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem(`${file} is not UTF-8.`);
  }
}

function parseLines(text: string, file: string): { items: OutputItem[]; lines: number[] } {
  const items: OutputItem[] = [];
  const lines: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    for (const item of itemsOf(line, `${file}, line ${index + 1}`)) {
      items.push(item);
      lines.push(index + 1);
    }
  }
  if (items.length === 0) throw new Problem(`${file} holds no output. ${FORM}`);
  return { items, lines };
}

/** One item, or one for each case of a list. */
function itemsOf(line: string, where: string): OutputItem[] {
  const { case: named, output, error, ...rest } = objectOf(line, where);
  const names: unknown[] = Array.isArray(named) ? named : [named];
  if (names.length === 0 || names.some((name) => typeof name !== 'string' || name === '')) {
    throw new Problem(`${where}: "case" is no key of a case. ${FORM}`);
  }
  if ((output === undefined) === (error === undefined)) {
    throw new Problem(`${where}: it has either "output" or "error". ${FORM}`);
  }
  const given = output === undefined ? { error } : { output };
  if (typeof (output ?? error) !== 'string') {
    throw new Problem(`${where}: "${Object.keys(given)}" is no text. ${FORM}`);
  }
  return names.map((name) => ({ ...rest, case: name, ...given }) as OutputItem);
}

function objectOf(line: string, where: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Problem(`${where} is not JSON. ${FORM}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new Problem(`${where} is no JSON object. ${FORM}`);
}

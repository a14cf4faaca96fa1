import { randomUUID } from 'node:crypto';
import { appendFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { commandMessage, commandProperty, runnerLog } from '../../gate/report/escape.ts';
import type { Environment } from '../../sdk/transport/environment.ts';
import type { Io, Variables } from '../io.ts';

type Level = 'error' | 'warning' | 'notice';

/** What the runner of GitHub Actions gives a step, and takes from it. */
export interface Runner extends Pick<Io, 'loadSuites'> {
  readonly environment: Environment;
  /** The path of a file that the runner names. */
  pathOf(file: string): string;
  /** The path of a file in the workspace. */
  inWorkspace(file: string): string;
  /** Undefined where it is empty, too. */
  variable(name: string): string | undefined;
  /** Trimmed; undefined where the runner passes none. */
  input(name: string): string | undefined;
  /** The names of all inputs that the runner passes, in lower case. */
  readonly inputNames: readonly string[];
  setOutput(name: string, value: string): void;
  /** How many bytes the summary of this step can still take. */
  summaryBytesLeft(): number;
  appendSummary(markdown: string): void;
  /** From here on the runner prints stars in its place. */
  mask(secret: string): void;
  annotate(level: Level, title: string, message: string): void;
  /** Lines that are workflow commands already. */
  write(lines: string): void;
  /** Prints text in which models and strangers may have written: the runner obeys nothing in it. */
  print(text: string): void;
}

/** A shorter text may be part of something else, which would be hidden with it. */
const MASKED_MIN = 8;
/** The runner takes no more for one step, and drops the whole of it. */
const SUMMARY_BYTES_MAX = 1_048_576;

export function createRunner(env: Variables, io: Io): Runner {
  const { cwd, write, environment, loadSuites } = io;
  const variable = (name: string): string | undefined => env[name] || undefined;
  const pathOf = (file: string): string => path.resolve(cwd, file);
  const append = (file: string, text: string): void => {
    const name = variable(file);
    if (name !== undefined) appendFileSync(pathOf(name), text);
  };
  return {
    environment: { ...environment, variable: (name) => env[name] },
    loadSuites,
    pathOf,
    inWorkspace: (file) => path.resolve(cwd, variable('GITHUB_WORKSPACE') ?? '.', file),
    variable,
    input: (name) => env[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`]?.trim(),
    inputNames: Object.keys(env)
      .filter((name) => name.startsWith('INPUT_'))
      .map((name) => name.slice('INPUT_'.length).toLowerCase()),
    setOutput(name, value) {
      const delimiter = `ghadelimiter_${randomUUID()}`;
      append('GITHUB_OUTPUT', `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
    },
    summaryBytesLeft() {
      const file = variable('GITHUB_STEP_SUMMARY');
      const size = file === undefined ? 0 : (statSync(pathOf(file), { throwIfNoEntry: false })?.size ?? 0);
      return SUMMARY_BYTES_MAX - size;
    },
    appendSummary: (markdown) => append('GITHUB_STEP_SUMMARY', markdown),
    mask(secret) {
      if (secret.length >= MASKED_MIN) write(`::add-mask::${commandMessage(secret)}\n`);
    },
    annotate(level, title, message) {
      write(`::${level} title=${commandProperty(title)}::${commandMessage(message)}\n`);
    },
    write,
    print(text) {
      const end = randomUUID();
      write(`::stop-commands::${end}\n${runnerLog(text).trimEnd()}\n::${end}::\n`);
    },
  };
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Problems, problemLine } from '../../../clients/files/read/problems.ts';
import { defineSuites, type SuiteDefinition } from '../../../clients/files/resolve/definition.ts';
import { loadFiles } from '../../../clients/files/resolve/loadFiles.ts';
import { temporaryFolder } from '../../support/service.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

export const NOW = Date.parse('2026-11-22T12:00:00Z');

export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** A folder with an evalgate.yaml of the default settings, unless one is given. */
export function makeFolder(files: Files = {}): string {
  const folder = temporaryFolder();
  writeFiles(folder, { 'evalgate.yaml': 'version: 1\n', ...files });
  return folder;
}

/** The same as a git repository: for what git ignores. */
export function makeRepository(files: Files = {}): string {
  const folder = makeFolder(files);
  execFileSync('git', ['init', '-q', folder]);
  return folder;
}

export interface Read {
  readonly suites: readonly SuiteDefinition[];
  /** `file:line:column: error: message`. */
  readonly messages: readonly string[];
}

export async function readIn(cwd: string, files?: readonly string[]): Promise<Read> {
  const problems = new Problems();
  const loaded = loadFiles(cwd, problems, files);
  const suites = loaded === undefined ? [] : await defineSuites(loaded, problems, NOW);
  return { suites, messages: problems.sorted().map(problemLine) };
}

/** The suites in a folder of these files, and the messages. */
export const read = (files: Files): Promise<Read> => readIn(makeFolder(files));

/** A suite of these lines, behind `version` and `suite`. */
export const suiteOf = (...lines: readonly string[]): string =>
  ['version: 1', 'suite: s', ...lines, ''].join('\n');

export const SCORER = 'scorers: { eq: { type: exact_match, config: {} } }';

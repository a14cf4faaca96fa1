import path from 'node:path';
import type * as z from 'zod';
import { scorersHeadSchema, suiteHeadSchema } from '../check/fileSchemas.ts';
import { isFine } from '../check/issues.ts';
import { type Config, readConfig } from '../config/configFile.ts';
import { filesOf } from '../disk/globs.ts';
import { type Limits, megabytes } from '../disk/readText.ts';
import { CONFIG_FILE, findRoot, Repository, realOf } from '../disk/repository.ts';
import type { Located } from '../read/parts.ts';
import { isRecord, type Part } from '../read/parts.ts';
import { type Place, type Problems, startOf } from '../read/problems.ts';
import { readYaml } from '../read/readYaml.ts';
import { References } from './references.ts';
import { eachOnce, type Named, namesNothing, refuseEmptySelection, type Unmatched } from './selection.ts';

export interface KeyedPart extends Part {
  readonly key: string;
}

export type SuiteHead = Omit<z.output<typeof suiteHeadSchema>, 'scorers' | 'cases'>;

export interface SuiteParts {
  readonly file: string;
  readonly document: Located;
  /** Undefined where it is wrong. */
  readonly head: SuiteHead | undefined;
  readonly defaults: SuiteHead['defaults'];
  readonly scorers: readonly KeyedPart[];
  /** Those of other files are not read yet. */
  readonly cases: readonly Part[];
}

export interface LoadedFiles {
  readonly repository: Repository;
  readonly references: References;
  readonly config: Config;
  readonly sharedFiles: readonly string[];
  readonly shared: readonly KeyedPart[];
  readonly suites: readonly SuiteParts[];
  /** Patterns of evalgate.yaml that name no file, and that may not. */
  readonly unmatched: readonly Unmatched[];
}

/** A suite is sent in as much. */
export const SUITE_FILE_MAX = megabytes(6);
const OTHER_FILE_MAX = megabytes(1);
const FILES_MAX = 1_000;

/**
 * Reads evalgate.yaml and the files that it names; of suites only `files`, where some are given from `cwd`. What is wrong
 * goes to `problems`: so does a selection of nothing, since what was not looked at must not count as good. Undefined
 * without a usable evalgate.yaml.
 */
export function loadFiles(
  cwd: string,
  problems: Problems,
  files?: readonly string[],
): LoadedFiles | undefined {
  const root = findRoot(cwd);
  if (root === undefined) {
    problems.error(startOf(CONFIG_FILE), 'is neither in this folder nor above it: `evalgate init` makes one');
    return undefined;
  }
  const repository = new Repository(root);
  const names = files?.map((file) => repository.nameOf(realOf(path.resolve(cwd, file))));
  const loaded = loadFilesOf(repository, problems, names);
  if (loaded !== undefined) refuseEmptySelection(loaded, problems, names);
  return loaded;
}

/**
 * The same in a folder that has one, under the name of `config`. `suiteNames`: those to read, in place of those that it
 * names.
 */
export function loadFilesOf(
  repository: Repository,
  problems: Problems,
  suiteNames?: readonly string[] | undefined,
  configName: string = CONFIG_FILE,
): LoadedFiles | undefined {
  const reader = new FileReader(repository, problems);
  const read = readConfig(repository, problems, configName);
  if (read === undefined) return undefined;
  const { config, document } = read;
  const namesOf = (field: 'suites' | 'scorers') =>
    reader.namesOf(config[field], (index) => document.at([field, index]));
  const scorers = namesOf('scorers');
  const suites = suiteNames === undefined ? namesOf('suites') : { names: suiteNames, unmatched: [] };
  const shared = eachOnce(repository, scorers.names);
  const suiteFiles = eachOnce(repository, suites.names).filter(
    (name) => !shared.includes(name) && name !== configName,
  );
  // Shared scorers are optional: only a file that evalgate.yaml names has to be there.
  const hasScorers = isRecord(document.value) && document.value.scorers !== undefined;
  return {
    repository,
    config,
    references: new References(repository, problems),
    unmatched: [...(hasScorers ? scorers.unmatched : []), ...suites.unmatched],
    sharedFiles: shared,
    shared: shared.flatMap((name) => reader.scorersOf(name)),
    suites: suiteFiles.map((name) => reader.suiteOf(name)).filter((suite) => suite !== undefined),
  };
}

const documentPart = (document: Located): Part => ({ document, path: [], value: document.value });

class FileReader {
  readonly #repository: Repository;
  readonly #problems: Problems;

  constructor(repository: Repository, problems: Problems) {
    this.#repository = repository;
    this.#problems = problems;
  }

  document(name: string, limits: Limits): Located | undefined {
    const read = this.#repository.read(name, limits);
    if ('text' in read) return readYaml(name, read.text, this.#problems);
    this.#problems.error(startOf(name), `the file ${read.why}`);
    return undefined;
  }

  /** Of files that the patterns name, and the patterns that name none. */
  namesOf(patterns: readonly string[], placeOf: (index: number) => Place): Named {
    const names = new Set<string>();
    const unmatched: Unmatched[] = [];
    for (const [index, pattern] of patterns.entries()) {
      const files = filesOf(this.#repository.root, pattern);
      if ('why' in files) this.#problems.error(placeOf(index), `"${pattern}" ${files.why}`);
      else if (files.names.length === 0) unmatched.push(namesNothing(pattern, placeOf(index)));
      else for (const name of files.names) names.add(name);
    }
    if (names.size <= FILES_MAX) return { names: [...names], unmatched };
    this.#problems.error(startOf(CONFIG_FILE), `names ${names.size} files: at most ${FILES_MAX}`);
    return { names: [], unmatched };
  }

  scorersOf(name: string): KeyedPart[] {
    const document = this.document(name, OTHER_FILE_MAX);
    if (document === undefined || !isFine(documentPart(document), scorersHeadSchema, this.#problems))
      return [];
    return partsOf(document, scorersHeadSchema.parse(document.value).scorers);
  }

  suiteOf(file: string): SuiteParts | undefined {
    const document = this.document(file, SUITE_FILE_MAX);
    if (document === undefined) return undefined;
    const isHeadFine = isFine(documentPart(document), suiteHeadSchema, this.#problems);
    const value = (isHeadFine ? suiteHeadSchema.parse(document.value) : document.value) as Partial<SuiteFile>;
    if (typeof value !== 'object' || value === null) return undefined;
    const { scorers, cases, ...head } = value;
    return {
      file,
      document,
      head: isHeadFine ? (head as SuiteHead) : undefined,
      defaults: isRecord(head.defaults) ? head.defaults : {},
      scorers: partsOf(document, isRecord(scorers) ? scorers : {}),
      cases: (Array.isArray(cases) ? cases : []).map((entry: unknown, index) => ({
        document,
        path: ['cases', index],
        value: entry,
      })),
    };
  }
}

type SuiteFile = z.output<typeof suiteHeadSchema>;

const partsOf = (document: Located, scorers: Readonly<Record<string, unknown>>): KeyedPart[] =>
  Object.entries(scorers).map(([key, value]) => ({ key, document, path: ['scorers', key], value }));

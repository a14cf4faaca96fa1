import { whyUnknown } from '../check/unknownFields.ts';
import { type Limits, megabytes } from '../disk/readText.ts';
import { CONFIG_FILE, type Repository } from '../disk/repository.ts';
import type { Located } from '../read/parts.ts';
import { inWords, isRecord } from '../read/parts.ts';
import { type Place, type Problems, startOf } from '../read/problems.ts';
import { readYaml } from '../read/readYaml.ts';
import { apiKeysIn } from './apiKeys.ts';

/** What a repository's evalgate.yaml says. Anybody who can edit the repository can change it. */
export interface Config {
  readonly url?: string;
  readonly organisation?: string;
  readonly project?: string;
  readonly suites: readonly string[];
  readonly scorers: readonly string[];
}

export interface ConfigFile {
  readonly config: Config;
  readonly document: Located;
}

const SIZE_MAX: Limits = megabytes(1);
const DEFAULTS = { suites: ['evals/**/*.suite.yaml'], scorers: ['evals/scorers.yaml'] };
const GLOBS_MAX = 100;
const GLOB_LENGTH_MAX = 500;
const ORGANISATION_LENGTH_MAX = 200;
/** Of suites and projects. */
export const SLUG = /^[a-z0-9][a-z0-9_-]{0,99}$/;

/** Why a value is wrong. Undefined where it is not. */
type Check = (value: unknown) => string | undefined;

const isText = (value: unknown, lengthMax: number): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= lengthMax;

const globs: Check = (value) =>
  Array.isArray(value) && value.length <= GLOBS_MAX && value.every((one) => isText(one, GLOB_LENGTH_MAX))
    ? undefined
    : `must be a list of at most ${GLOBS_MAX} patterns of files, such as [${DEFAULTS.suites}]`;

/**
 * The form of each field. Written out, and not as a schema, since every command reads the file and a schema takes its
 * time to load; a test compares them with the published one.
 */
const CHECKS: ReadonlyMap<string, Check> = new Map(
  Object.entries({
    version: (value) => (value === 1 ? undefined : 'must be 1, the version of this format'),
    url: (value) =>
      typeof value === 'string' && /^\s*https?:\/\//i.test(value) && URL.canParse(value)
        ? undefined
        : 'must be the address of the service, such as https://gate.example.com',
    organisation: (value) =>
      isText(value, ORGANISATION_LENGTH_MAX)
        ? undefined
        : 'must be text: the id that `evalgate whoami` prints',
    project: (value) =>
      typeof value === 'string' && SLUG.test(value)
        ? undefined
        : 'must be a slug: lower-case letters, digits, "-" and "_", at most 100 characters',
    suites: globs,
    scorers: globs,
  }),
);

/**
 * The one reader of evalgate.yaml. `shown` is how the caller named the file. Undefined where something is wrong, which
 * goes to `problems`.
 */
export function readConfig(
  repository: Repository,
  problems: Problems,
  name: string = CONFIG_FILE,
  shown: string = name,
): ConfigFile | undefined {
  const read = repository.read(name, SIZE_MAX);
  if ('why' in read) {
    problems.error(startOf(shown), `the file ${read.why}`);
    return undefined;
  }
  const before = problems.errorCount;
  refuseKeys(read.text, shown, problems);
  if (problems.errorCount > before) return undefined;
  const document = readYaml(shown, read.text, problems);
  if (document === undefined || !isConfig(document, problems)) return undefined;
  return { document, config: { ...DEFAULTS, ...(document.value as Partial<Config>) } };
}

function refuseKeys(text: string, file: string, problems: Problems): void {
  for (const index of apiKeysIn(text)) {
    const message =
      'holds an API key, which everybody has who can read the repository: take it out, revoke it, and give a new one by EVALGATE_API_KEY or `evalgate login`';
    problems.error(placeIn(text, index, file), message);
  }
}

function placeIn(text: string, offset: number, file: string): Place {
  const lines = text.slice(0, offset).split('\n');
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function isConfig(document: Located, problems: Problems): boolean {
  const { value } = document;
  if (!isRecord(value)) {
    problems.error(document.at([]), 'must hold fields, such as "version: 1" and "project: support-bot"');
    return false;
  }
  const before = problems.errorCount;
  if (value.version === undefined) problems.error(document.at([]), 'version is missing: add "version: 1"');
  const known = [...CHECKS.keys()];
  for (const [name, given] of Object.entries(value)) {
    if (!known.includes(name)) {
      problems.error(document.atName([name]), `${inWords([name])} ${whyUnknown(name, known)}`);
      continue;
    }
    const why = CHECKS.get(name)?.(given);
    if (why !== undefined) problems.error(document.at([name]), `${name} ${why}`);
  }
  return problems.errorCount === before;
}

import { realpathSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '../config/configFile.ts';
import { filesOf } from '../disk/globs.ts';
import { megabytes } from '../disk/readText.ts';
import { Repository } from '../disk/repository.ts';
import type { Located } from '../read/parts.ts';
import { isRecord, type Part } from '../read/parts.ts';
import { type Place, Problems } from '../read/problems.ts';
import { readYaml } from '../read/readYaml.ts';
import { isReference, References } from './references.ts';

export interface Sought {
  readonly suite: string;
  /** Of the run; another one's files say nothing of it. */
  readonly project: string | undefined;
}

/** Where cases stand, by their keys. */
export type CasePlaces = ReadonlyMap<string, Pick<Place, 'file' | 'line'>>;

const SUITE_FILE_MAX = megabytes(6);
const FILES_MAX = 1_000;
/** A report does not wait for more to be read. */
const ALL_CHARACTERS_MAX = 16_000_000;
const NONE: CasePlaces = new Map();

/**
 * Where the cases of a suite stand in the files of a repository, named from the folder `base`. Empty where the suite is in
 * none: it helps the readers of a report, and nothing depends on it.
 */
export function casePlaces(config: string, base: string, sought: Sought): CasePlaces {
  try {
    const repository = new Repository(path.dirname(config));
    const from = realpathSync(base);
    const places = [...placesIn(repository, path.basename(config), sought)].flatMap(
      ([key, { file, line }]) => {
        const name = path.relative(from, repository.absolute(file)).split(path.sep).join('/');
        const isInside = !name.startsWith('../') && !path.isAbsolute(name);
        return isInside ? [[key, { file: name, line }] as const] : [];
      },
    );
    return new Map(places);
  } catch {
    return NONE;
  }
}

function placesIn(
  repository: Repository,
  config: string,
  { suite, project }: Sought,
): ReadonlyMap<string, Place> {
  const problems = new Problems();
  const read = readConfig(repository, problems, config);
  const places = new Map<string, Place>();
  const isOther =
    read?.config.project !== undefined && project !== undefined && read.config.project !== project;
  if (read === undefined || isOther) return places;
  const document = suiteDocument(repository, read.config.suites, suite);
  if (document === undefined) return places;
  const references = new References(repository, problems);
  for (const { document: partDocument, path: within, value } of partsOf(document, references)) {
    const key = isRecord(value) ? value.key : undefined;
    if (typeof key === 'string' && !places.has(key)) places.set(key, partDocument.at([...within, 'key']));
  }
  return places;
}

function suiteDocument(
  repository: Repository,
  patterns: readonly string[],
  suite: string,
): Located | undefined {
  const names = patterns.flatMap((pattern) => {
    const files = filesOf(repository.root, pattern);
    return 'names' in files ? files.names : [];
  });
  let left = ALL_CHARACTERS_MAX;
  for (const name of names.slice(0, FILES_MAX)) {
    const read = repository.read(name, SUITE_FILE_MAX);
    left -= 'text' in read ? read.text.length : 0;
    if (left < 0) break;
    // To parse each suite would take its time.
    if ('why' in read || !read.text.includes(suite)) continue;
    const document = readYaml(name, read.text, new Problems());
    if (isRecord(document?.value) && document.value.suite === suite) return document;
  }
  return undefined;
}

function partsOf(document: Located, references: References): Part[] {
  const cases = (document.value as { readonly cases?: unknown }).cases;
  const parts = (Array.isArray(cases) ? cases : []).map((value: unknown, index): Part => {
    return { document, path: ['cases', index], value };
  });
  return parts.flatMap((part) =>
    isReference(part.value) ? references.cases({ ...part, value: part.value }) : [part],
  );
}

import { CONFIG_FILE, type Repository } from '../disk/repository.ts';
import { type Place, type Problems, startOf } from '../read/problems.ts';

/** A pattern of evalgate.yaml that names no file. */
export interface Unmatched {
  readonly place: Place;
  readonly message: string;
}

/** The files that patterns name. */
export interface Named {
  readonly names: readonly string[];
  readonly unmatched: readonly Unmatched[];
}

export const namesNothing = (pattern: string, place: Place): Unmatched => ({
  place,
  message: `"${pattern}" names no file: correct it, or take it out`,
});

/** A file and links to it are one: the file itself, or else the first link. */
export function eachOnce(repository: Repository, names: readonly string[]): string[] {
  const byFile = new Map<string, string>();
  for (const name of names) {
    const real = repository.realOf(name);
    if (!byFile.has(real) || real === repository.absolute(name)) byFile.set(real, name);
  }
  return [...byFile.values()];
}

/** What was read of the files that the patterns name. */
interface Selected {
  readonly unmatched: readonly Unmatched[];
  readonly suites: readonly unknown[];
  readonly sharedFiles: readonly string[];
}

/**
 * Reports where nothing was selected: files that were not read must not count as good. `names`: those that the caller
 * gave in place of patterns.
 */
export function refuseEmptySelection(
  { unmatched, suites, sharedFiles }: Selected,
  problems: Problems,
  names: readonly string[] | undefined,
  configName: string = CONFIG_FILE,
): void {
  for (const { place, message } of unmatched) problems.error(place, message);
  if (suites.length > 0 || problems.hasErrors) return;
  const [first] = names ?? [];
  if (first === undefined) {
    problems.error(startOf(configName), 'names no suite: add one, or correct `suites`');
    return;
  }
  const what = sharedFiles.includes(first) ? 'holds scorers that suites share' : 'is no suite';
  problems.error(startOf(first), `${what}: name the file of a suite`);
}

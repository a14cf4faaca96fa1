import type { Problems } from '../read/problems.ts';
import type { SuiteDefinition } from '../resolve/definition.ts';
import type { KeyedPart, LoadedFiles } from '../resolve/loadFiles.ts';

/** Warns of scorers that no case has: a case is missing, or names another one. Shared ones where `isAll` suites are read. */
export function warnOfIdleScorers(
  { suites, shared }: LoadedFiles,
  defined: readonly SuiteDefinition[],
  problems: Problems,
  isAll: boolean,
): void {
  for (const { file, scorers } of suites) {
    const used = defined.find((definition) => definition.file === file)?.scorers;
    if (used !== undefined) warnOf(scorers, used, 'no case of the suite', problems);
  }
  const usedByAny = new Map(defined.flatMap(({ scorers }) => [...scorers]));
  if (isAll) warnOf(shared, usedByAny, 'no case of any suite', problems);
}

function warnOf(
  parts: readonly KeyedPart[],
  used: ReadonlyMap<string, unknown>,
  which: string,
  problems: Problems,
): void {
  for (const { key, document, path } of parts) {
    if (used.has(key)) continue;
    const place = document.atName(path);
    problems.warn(place, `the scorer ${key} judges nothing: ${which} has it; add one, or leave it out`);
  }
}

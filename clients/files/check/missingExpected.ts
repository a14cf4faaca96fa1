import { definitionOf } from '../../../shared/scoring/registry.ts';
import { isRecord } from '../read/parts.ts';
import type { Problems } from '../read/problems.ts';
import { partsOf } from '../resolve/cases.ts';
import type { SuiteDefinition } from '../resolve/definition.ts';
import type { LoadedFiles } from '../resolve/loadFiles.ts';

/** A regex compares with it where it is dual-sided. */
function needsExpected(type: unknown, isDualSided: unknown): boolean {
  const definition = definitionOf(String(type));
  if (definition && 'needsExpected' in definition) return definition.needsExpected === true;
  return type === 'regex' && isDualSided === true;
}

/** Warns of cases without an `expected` that their scorer compares with: no output passes them. */
export function warnOfMissingExpected(
  { suites, references }: LoadedFiles,
  defined: readonly SuiteDefinition[],
  problems: Problems,
): void {
  for (const { file, cases, scorers } of defined) {
    const missing = new Set<unknown>(
      cases.flatMap(({ key, scorer, expected, is_active }) => {
        const { type, dual_sided } = scorers.get(scorer) ?? {};
        return is_active && expected === null && needsExpected(type, dual_sided) ? [key] : [];
      }),
    );
    const parts = suites.find((suite) => suite.file === file)?.cases ?? [];
    for (const { document, path, value } of parts.flatMap((part) => partsOf(part, references))) {
      const key = isRecord(value) ? value.key : undefined;
      if (!missing.has(key)) continue;
      problems.warn(
        document.at(path),
        `the case "${key}" has no expected, and its scorer compares with it, so no output passes: say what a good one is`,
      );
    }
  }
}

import { isRecord } from '../read/parts.ts';
import type { Problems } from '../read/problems.ts';
import { partsOf } from '../resolve/cases.ts';
import type { SuiteDefinition } from '../resolve/definition.ts';
import type { LoadedFiles } from '../resolve/loadFiles.ts';

/** These compare with it, whatever their config; a regex does where it is dual-sided. */
const COMPARES: readonly unknown[] = ['exact_match', 'similarity'];

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
        const compares = COMPARES.includes(type) || (type === 'regex' && dual_sided === true);
        return is_active && expected === null && compares ? [key] : [];
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

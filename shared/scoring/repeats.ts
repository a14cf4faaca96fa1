import { isJsonObject } from './compare/json.ts';
import { definitionOf } from './registry.ts';
import type { CaseResult, SuiteScorer } from './types.ts';

type Result = Omit<CaseResult, 'errored'>;

/** Equal in every run of a suite. They hold nothing of an output, so they may be kept longer than any run. */
export function repeatedParts(
  cases: readonly { readonly scorer: Pick<SuiteScorer, 'type'> | null }[],
  results: readonly Result[],
): Result[] {
  return results.map(({ case_id, case_name, threshold, scorer_output }, index) => ({
    case_id,
    case_name,
    passed: true,
    score: 1,
    threshold,
    reason: '',
    scorer_output: pick(scorer_output, definitionOf(cases[index]?.scorer?.type ?? '')?.repeats ?? []),
    duration_ms: 0,
  }));
}

/** Of an object only these fields; of a list, the same of each of its elements. */
function pick(object: Readonly<Record<string, unknown>>, paths: readonly string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const path of paths) {
    const [field = '', ...below] = path.split('.');
    if (!Object.hasOwn(object, field)) continue;
    kept[field] = below.length === 0 ? object[field] : pickEach(object[field], below.join('.'));
  }
  return kept;
}

function pickEach(value: unknown, path: string): unknown[] {
  return Array.isArray(value) ? value.filter(isJsonObject).map((element) => pick(element, [path])) : [];
}

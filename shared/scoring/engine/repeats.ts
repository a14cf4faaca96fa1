import { isJsonObject } from '../compare/json.ts';
import { definitionOf } from '../registry.ts';
import type { CaseResult, SuiteScorer } from '../types.ts';

/** The part of a `scorer_output` that is equal in every run of a suite: it holds nothing of an output. */
export const repeatedOutput = (
  scorer: Pick<SuiteScorer, 'type'> | null,
  output: CaseResult['scorer_output'],
): CaseResult['scorer_output'] => pick(output, definitionOf(scorer?.type ?? '')?.repeats ?? []);

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

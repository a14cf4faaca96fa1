import { PROVIDER_VALUES, type ProviderValue } from '../../contracts/base/providers.ts';
import {
  EXPECTED_SCORER_TYPES,
  JUDGED_SCORER_TYPES,
  METADATA_SCORER_TYPES,
  TRACE_SCORER_TYPES,
} from '../../contracts/base/scorerTypes.ts';

const judgedTypes: readonly string[] = JUDGED_SCORER_TYPES;

/** False for a deleted scorer. Reads no definition, so that functions that only sort cases carry none. */
export const isJudged = (scorer: { readonly type: string } | null): boolean =>
  scorer !== null && judgedTypes.includes(scorer.type);

const metadataTypes: readonly string[] = METADATA_SCORER_TYPES;

/** True if cases of this type of scorer are decided by the output's metadata, too. */
export const readsMetadata = (type: string): boolean => metadataTypes.includes(type);

const traceTypes: readonly string[] = TRACE_SCORER_TYPES;

/** True if cases of this type of scorer are decided by the output's trace. */
export const readsTrace = (type: string): boolean => traceTypes.includes(type);

const expectedTypes: readonly string[] = EXPECTED_SCORER_TYPES;

/** False for a deleted scorer, and where the outcome can't depend on what a case expects. */
export const readsExpected = (scorer: { readonly type: string } | null): boolean =>
  scorer !== null && expectedTypes.includes(scorer.type);

/** Undefined for a scorer that asks no model. */
export function judgeProviderOf(
  scorer: { readonly type: string; readonly config: Readonly<Record<string, unknown>> } | null,
): ProviderValue | undefined {
  if (scorer === null || !isJudged(scorer)) return undefined;
  return PROVIDER_VALUES.find((value) => value === scorer.config._provider);
}

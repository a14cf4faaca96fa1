import { JUDGED_SCORER_TYPES } from '../contracts/base/scorerTypes.ts';

const judgedTypes: readonly string[] = JUDGED_SCORER_TYPES;

/** False for a deleted scorer. Reads no definition, so that functions that only sort cases carry none. */
export const isJudged = (scorer: { readonly type: string } | null): boolean =>
  scorer !== null && judgedTypes.includes(scorer.type);

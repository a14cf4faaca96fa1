import { JUDGED_SCORER_TYPES } from '../contracts/base/scorerTypes.ts';

const judgedTypes: readonly string[] = JUDGED_SCORER_TYPES;

/**
 * Whether a language model judges the cases of this scorer; false where the scorer was deleted. It reads no definition,
 * so that functions that only sort cases carry no scorer.
 */
export const isJudged = (scorer: { readonly type: string } | null): boolean =>
  scorer !== null && judgedTypes.includes(scorer.type);

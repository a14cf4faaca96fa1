// Written by `npm run docs` from shared/scoring/registry.ts.
export const SCORER_TYPES = [
  'exact_match',
  'regex',
  'json_schema',
  'contains',
  'json_path',
  'similarity',
  'metric',
  'trajectory',
  'llm_judge',
] as const;
export type ScorerType = (typeof SCORER_TYPES)[number];
/** Those whose cases a language model judges. */
export const JUDGED_SCORER_TYPES = ['llm_judge'] as const;
/** Those that read the metadata of an output. */
export const METADATA_SCORER_TYPES = ['metric'] as const;
/** Those that read the trace of an output. */
export const TRACE_SCORER_TYPES = ['trajectory'] as const;
/** Those that compare with what a case expects. */
export const EXPECTED_SCORER_TYPES = [
  'exact_match',
  'regex',
  'json_path',
  'similarity',
  'trajectory',
  'llm_judge',
] as const;

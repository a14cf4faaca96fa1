export const CHUNK_BYTES_MAX = 3_000_000;

/** A chunk ends at whichever bound comes first. A judged case takes seconds, any other microseconds. */
export const CHUNK_CASES_MAX = 500;

/** Replies of 200 kB each would still fit into the memory of the evaluator. */
export const CHUNK_JUDGED_CASES_MAX = 200;

/** Each has a result of its own, and the samples of a case are never divided. */
export const CHUNK_OUTPUTS_MAX = 500;

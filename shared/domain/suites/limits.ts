/** Read of a suite within a request, some seconds. A larger one is read by the evaluator, which packs it. */
export const READ_BYTES_MAX = 64_000_000;
/** The length of all `expected` of a suite as JSON: a function of 512 MB holds it several times while it scores. */
export const EXPECTED_CHARACTERS_MAX = 32 * 1_024 * 1_024;

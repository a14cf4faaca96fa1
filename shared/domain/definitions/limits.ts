/** Of the cases of a suite that is answered as one document: a function of 512 MB holds them several times. */
export const DEFINITION_BYTES_MAX = 16 * 1_024 * 1_024;

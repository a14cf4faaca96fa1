/** In characters: of a pattern that a config holds, wherever in it. */
export const PATTERN_LENGTH_MAX = 512;

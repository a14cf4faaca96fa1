import * as z from 'zod';

/** The fields of a config that are a pattern and its flags, wherever in it. */
export const flagsSchema = () =>
  z
    .string()
    .regex(/^[dgimsuy]*$/, 'flags are any of dgimsuy')
    .refine((flags) => new Set(flags).size === flags.length, 'each flag may be given once');

/** Without the flags that only change what a match reports. A sticky pattern is anchored where it starts. */
export function expressionOf(pattern: string, flags: string): RegExp {
  return new RegExp(pattern, flags.replace(/[dg]/g, ''));
}

/** The same, to find all matches. */
export function repeatedExpressionOf(pattern: string, flags: string): RegExp {
  return new RegExp(pattern, flags.replace(/[dg]/g, '') + 'g');
}

export const EMPTY_PATTERN = 'is empty, and an empty pattern is found in every text: write what to look for';

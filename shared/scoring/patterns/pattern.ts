import * as z from 'zod';
import { messageOf } from '../execution/guard.ts';
import { foreignPart } from './foreign.ts';

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

/** Why a pattern cannot be used; null for one that can. Takes as long as it takes to compile. */
export function whyUnusable(pattern: string, flags: string): string | null {
  if (pattern === '') return EMPTY_PATTERN;
  const isUnicode = flags.includes('u');
  const foreign = foreignPart(pattern, {
    isUnicode,
    toUnicode: 'give the flag u in `flags`',
    toFlags: 'give the flag in `flags`',
  });
  if (foreign !== null) return foreign;
  try {
    // V8 compiles when a pattern is first used, and refuses some only then.
    expressionOf(pattern, flags).exec('');
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

export const EMPTY_PATTERN = 'is empty, and an empty pattern is found in every text: write what to look for';

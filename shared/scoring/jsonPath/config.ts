import * as z from 'zod';
import { described } from '../../contracts/base/fields.ts';
import { once } from '../kit/config.ts';
import { isJsonObject } from '../kit/json.ts';
import { PATTERN_LENGTH_MAX } from '../kit/limits.ts';
import { isLargeNumber } from '../kit/reading/expected.ts';
import { EXTRACT_WORDS, EXTRACTS } from '../kit/reading/extract.ts';
import { readingField } from '../kit/reading/fields.ts';
import { flagsSchema } from '../patterns/pattern.ts';

export const PATH_LENGTH_MAX = 1_024;
const ASSERTIONS_MAX = 100;

const OPS = [
  'equals',
  'not_equals',
  'contains',
  'matches',
  'gte',
  'lte',
  'exists',
  'absent',
  'length_gte',
  'length_lte',
] as const;
export type Op = (typeof OPS)[number];

/** What an assertion compares with, if it is a part of the case's `expected`. */
const REFERENCE = '$expected';
const BAD_ESCAPE = /~(?![01])/;

export const assertionSchema = once(() =>
  z
    .strictObject({
      /** RFC 9535. */
      path: z.string().max(PATH_LENGTH_MAX),
      op: z.enum(OPS),
      value: z.unknown().optional(),
      tolerance: z.number().nonnegative().optional(),
      flags: flagsSchema().optional(),
    })
    .superRefine((assertion, context) => {
      const fault = faultOf(assertion);
      if (fault !== null) context.addIssue({ code: 'custom', path: [fault.field], message: fault.message });
    }),
);
export type Assertion = z.infer<ReturnType<typeof assertionSchema>>;

export const configSchema = once(() =>
  described(
    z.strictObject({
      assertions: described(z.array(assertionSchema()).min(1).max(ASSERTIONS_MAX), {
        label: 'Assertions',
        widget: 'json',
        sample: [{ path: '$.total', op: 'equals', value: 1 }],
      }),
      extract: described(z.enum(EXTRACTS).default('whole'), EXTRACT_WORDS),
      partial: described(z.boolean().default(false), {
        label: 'The score is the share that holds; else all have to',
      }),
      ...readingField(),
    }),
    { label: 'JSON values', hint: 'Assertions on single values of a JSON output.' },
  ),
);
export type Config = z.infer<ReturnType<typeof configSchema>>;

interface Fault {
  readonly field: 'value' | 'tolerance' | 'flags';
  readonly message: string;
}

function faultOf({ op, value, tolerance, flags }: Assertion): Fault | null {
  const message = op === 'exists' || op === 'absent' ? unwantedFault(op, value) : wantedFault(op, value);
  if (message !== null) return { field: 'value', message };
  if (flags !== undefined && op !== 'matches') return { field: 'flags', message: 'go only with `matches`' };
  if (tolerance === undefined || isTolerant(op, value)) return null;
  return { field: 'tolerance', message: 'goes only with `equals` or `not_equals` and a number' };
}

const unwantedFault = (op: Op, value: unknown): string | null =>
  value === undefined ? null : `does not go with ${op}`;

function wantedFault(op: Op, value: unknown): string | null {
  if (value === undefined) return `is needed by ${op}`;
  const isReference = isJsonObject(value) && Object.hasOwn(value, REFERENCE);
  return isReference ? referenceFault(op, value) : valueFault(op, value);
}

function isTolerant(op: Op, value: unknown): boolean {
  return (op === 'equals' || op === 'not_equals') && (typeof value === 'number' || pointerOf(value) !== null);
}

function referenceFault(op: Op, value: Record<string, unknown>): string | null {
  if (op === 'matches') return 'must be a pattern: it is checked when it is written';
  const pointer = value[REFERENCE];
  if (Object.keys(value).length > 1) return `must have no other field beside \`${REFERENCE}\``;
  if (typeof pointer === 'string' && isPointer(pointer)) return null;
  return `must have a JSON pointer (RFC 6901) as \`${REFERENCE}\`, such as "" or "/price"`;
}

const isPointer = (text: string): boolean => (text === '' || text.startsWith('/')) && !BAD_ESCAPE.test(text);

/** Of a value that stands in the config, and of one that a reference leads to. */
export function valueFault(op: Op, value: unknown): string | null {
  switch (op) {
    case 'matches':
      if (typeof value !== 'string') return 'must be a pattern';
      return value.length > PATTERN_LENGTH_MAX ? `must have at most ${PATTERN_LENGTH_MAX} characters` : null;
    case 'gte':
    case 'lte':
      return Number.isFinite(value) ? null : 'must be a number';
    case 'length_gte':
    case 'length_lte':
      return Number.isSafeInteger(value) && Number(value) >= 0 ? null : 'must be a whole number from 0 on';
    default:
      return literalFault(value);
  }
}

function literalFault(value: unknown): string | null {
  if (isLargeNumber(value)) return 'must hold no number beyond 2^53, since JSON readers round those';
  if (typeof value !== 'object' || value === null) return null;
  if (Object.hasOwn(value, REFERENCE)) return `must hold \`${REFERENCE}\` as the whole value or not at all`;
  for (const child of Object.values(value)) {
    const fault = literalFault(child);
    if (fault !== null) return fault;
  }
  return null;
}

/** The JSON pointer of a value that is a part of `expected`; null for one that is compared as it stands. */
export function pointerOf(value: unknown): string | null {
  if (!isJsonObject(value) || !Object.hasOwn(value, REFERENCE)) return null;
  return String(value[REFERENCE]);
}

import type { ScorerError } from '../kit/definition.ts';
import { EXPECTED_MISSING } from '../kit/errors.ts';
import { isJsonObject } from '../kit/json.ts';
import { Expected, isLargeNumber } from '../kit/reading/expected.ts';
import { clip, quote } from '../kit/text.ts';
import { pointerSteps } from '../schema/pointers.ts';
import { type Assertion, pointerOf, valueFault } from './config.ts';

/** What an assertion compares with. */
export interface Target {
  readonly value: unknown;
  /** It is, or may hold, a number beyond those that JSON readers keep: then a rounded one could pass for it. */
  readonly isLarge: boolean;
}

const INDEX = /^(?:0|[1-9]\d*)$/;

export function targetOf(assertion: Assertion, expected: Expected): Target | ScorerError {
  const pointer = pointerOf(assertion.value);
  if (pointer === null) return { value: assertion.value, isLarge: isLarge(assertion.value, assertion) };
  const value = pointerSteps(pointer).reduce<unknown>(
    childOf,
    expected.isMissing ? undefined : expected.value,
  );
  if (value === undefined) return missing(pointer, 'the case has nothing there');
  const fault = faultOf(assertion, value);
  if (fault !== null) return missing(pointer, `what the case has there ${fault}`);
  return { value, isLarge: new Expected(value).holdsLarge || isLarge(value, assertion) };
}

/** Of a number that came from a case. Any value can be compared with, also one with large numbers. */
function faultOf({ op, tolerance }: Assertion, value: unknown): string | null {
  if (tolerance !== undefined && typeof value !== 'number') return 'must be a number';
  return op === 'equals' || op === 'not_equals' || op === 'contains' ? null : valueFault(op, value);
}

function isLarge(value: unknown, { tolerance = 0 }: Assertion): boolean {
  return typeof value === 'number' && isLargeNumber(Math.abs(value) + tolerance);
}

/** By own members only. */
function childOf(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return INDEX.test(step) ? value[Number(step)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function missing(pointer: string, why: string): ScorerError {
  const reason = `an assertion compares with ${quote(clip(pointer, 100), 100)} of \`expected\`, and ${why}: correct \`expected\` or the assertion`;
  return { ...EXPECTED_MISSING, reason };
}

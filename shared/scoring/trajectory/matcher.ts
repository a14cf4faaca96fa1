import { doubtfulAssertionOf, testOf } from '../jsonPath/assertions.ts';
import type { ScorerError } from '../kit/definition.ts';
import type { Expected } from '../kit/reading/expected.ts';
import { isOpaque } from '../trace/parallel.ts';
import { type Condition, conditionOf, fulfils, mayFulfil, type Tested, testsOf } from './condition.ts';
import type { Pattern } from './config.ts';
import { isOfTool } from './glob.ts';
import type { JudgedCall } from './judgedCall.ts';
import { listOf } from './parts.ts';

/**
 * A trace may not show whether a call fits a pattern. Then it fits one that excludes or demands something (`may`), and
 * none that something is proven by (`surely`).
 */
export type Certainty = 'may' | 'surely';

/** A pattern of calls, ready to be compared. */
export interface Matcher {
  readonly tools: readonly string[];
  readonly except: readonly string[];
  readonly failed: boolean | undefined;
  readonly condition: Condition | null;
  readonly result: readonly Tested[];
  readonly certainty: Certainty;
}

/** An error where an assertion compares with what the case lacks. */
export function matcherOf(pattern: Pattern, expected: Expected, certainty: Certainty): Matcher | ScorerError {
  const test = certainty === 'may' ? doubtfulAssertionOf : testOf;
  const condition = conditionOf(pattern, expected, test);
  if (condition !== null && 'code' in condition) return condition;
  const result = testsOf(pattern.result ?? [], expected, test);
  if ('code' in result) return result;
  const { tool, except = [], failed } = pattern;
  return { tools: listOf(tool), except: listOf(except), failed, condition, result, certainty };
}

export const fits = (call: JudgedCall, matcher: Matcher): boolean =>
  matcher.certainty === 'may' ? mayFit(call, matcher) : surelyFits(call, matcher);

function mayFit(call: JudgedCall, matcher: Matcher): boolean {
  const { failed, condition, result } = matcher;
  if (failed !== undefined && failed !== hasFailed(call)) return false;
  if (isOpaque(call.call)) return true;
  if (!isOfTool(matcher, call.call.tool) || !mayFulfil(call, condition)) return false;
  const answer = call.result;
  return answer === undefined || result.every(({ test, target }) => test(answer, target));
}

function surelyFits(call: JudgedCall, matcher: Matcher): boolean {
  if (!isOfTool(matcher, call.call.tool) || call.call.malformed) return false;
  return whyUnfit(call, matcher) === null;
}

/** Why a call of the pattern's tool is none of its calls for sure. */
export function whyUnfit(
  call: JudgedCall,
  { failed = false, condition, result }: Matcher,
): 'failed' | 'arguments' | 'result' | 'no result' | null {
  if (failed !== hasFailed(call)) return 'failed';
  if (call.call.malformed || !fulfils(call, condition)) return 'arguments';
  if (result.length === 0) return null;
  const answer = call.result;
  if (answer === undefined) return 'no result';
  return result.every(({ test, target }) => test(answer, target)) ? null : 'result';
}

const hasFailed = ({ call }: JudgedCall): boolean => call.failed === true;

import type { AssertionTest } from '../jsonPath/assertions.ts';
import type { Assertion } from '../jsonPath/config.ts';
import { type Target, targetOf } from '../jsonPath/target.ts';
import type { ScorerError } from '../kit/definition.ts';
import { equalToTool } from '../kit/reading/asTool.ts';
import { namesIn } from '../kit/reading/caseTwins.ts';
import type { Expected } from '../kit/reading/expected.ts';
import type { Call } from '../kit/trace.ts';
import type { Pattern } from './config.ts';
import { comparable, type JudgedCall, type Member } from './judgedCall.ts';

/** What the arguments of a call have to be. Null: anything, not known included. */
export interface Condition {
  readonly complete: string | null | undefined;
  /** The complete arguments are a text, not members. */
  readonly isText: boolean;
  /** It looks into members, which a text does not have. */
  readonly readsMembers: boolean;
  readonly members: readonly Member[];
  /** The names of members, folded, that it compares. */
  readonly names: ReadonlySet<string>;
  readonly assertions: readonly Tested[];
  readonly rule: Rule;
}

export interface Tested {
  readonly test: AssertionTest;
  readonly target: Target;
}

type Rule = Pick<Pattern, 'arguments' | 'arguments_include' | 'assertions'>;

/** An error where an assertion compares with what the case lacks. `testOf`: of what is wanted, or of what is forbidden. */
export function conditionOf(
  rule: Rule,
  expected: Expected,
  testOf: (assertion: Assertion) => AssertionTest,
): Condition | null | ScorerError {
  const { arguments: complete, arguments_include: part, assertions = [] } = rule;
  if (complete === undefined && part === undefined && assertions.length === 0) return null;
  const tests = testsOf(assertions, expected, testOf);
  if ('code' in tests) return tests;
  return {
    complete: complete === undefined ? undefined : comparable(complete),
    isText: typeof complete === 'string',
    readsMembers: part !== undefined || assertions.some(({ path }) => path.trim() !== '$'),
    members: Object.entries(part ?? {}).map(([name, value]) => ({ name, value, text: comparable(value) })),
    names: namesIn([complete, part]),
    assertions: tests,
    rule,
  };
}

export function testsOf(
  assertions: readonly Assertion[],
  expected: Expected,
  testOf: (assertion: Assertion) => AssertionTest,
): Tested[] | ScorerError {
  const tests: Tested[] = [];
  for (const assertion of assertions) {
    const target = targetOf(assertion, expected);
    if ('code' in target) return target;
    tests.push({ test: testOf(assertion), target });
  }
  return tests;
}

/** Arguments that are not known, or that are no JSON object, fulfil none. */
export function fulfils(call: JudgedCall, condition: Condition | null): boolean {
  if (condition === null) return true;
  if (!call.isKnown || isOtherKind(call, condition)) return false;
  const { complete, members, names, assertions } = condition;
  if (complete !== undefined && (complete === null || complete !== call.complete)) return false;
  for (const member of members) if (!call.has(member)) return false;
  return assertions.every(({ test, target }) => test(call.subject, target)) && !call.isAmbiguous(names);
}

/** The same of what is forbidden: what is not known, or what a tool may read otherwise, is taken for the forbidden. */
export function mayFulfil(call: JudgedCall, condition: Condition | null): boolean {
  if (condition === null || !call.isKnown || isOtherKind(call, condition)) return true;
  const { rule, names, assertions } = condition;
  if (call.isAmbiguous(names)) return true;
  if (!mayEqual(call.call, rule)) return false;
  return assertions.every(({ test, target }) => test(call.subject, target));
}

function mayEqual(
  { text, arguments: members }: Call,
  { arguments: complete, arguments_include: part }: Rule,
) {
  if (complete !== undefined && equalToTool(text ?? members, complete) === false) return false;
  return Object.entries(part ?? {}).every(
    ([name, value]) =>
      members !== undefined && Object.hasOwn(members, name) && equalToTool(members[name], value) !== false,
  );
}

/** A text where members are named, or members where a text is. */
function isOtherKind({ call }: JudgedCall, { complete, isText, readsMembers }: Condition): boolean {
  const hasText = call.text !== undefined;
  return (complete !== undefined && isText !== hasText) || (readsMembers && hasText);
}

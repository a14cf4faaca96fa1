import { namesIn } from '../kit/reading/caseTwins.ts';
import type { Subject } from '../kit/reading/subject.ts';
import { clip } from '../kit/text.ts';
import { type Assertion, pointerOf } from './config.ts';
import { describe, inequality, inWords, nothingThere } from './findings.ts';
import { namesRead } from './names.ts';
import { needsExactNumbers } from './numbers.ts';
import { DEMAND, doubtfulTestOf, type NodeTest, nodeTestOf } from './ops.ts';
import { parsePath } from './parser.ts';
import type { Query } from './syntax.ts';
import type { Target } from './target.ts';
import { type Place, walk } from './walk.ts';

/** Why an assertion does not hold. */
export interface Finding {
  /** Its place in the config. */
  readonly assertion: number;
  readonly message: string;
}

/** Null for an assertion that holds on an output, which is JSON. */
export type Check = (json: Subject, target: Target, index: number) => Finding | null;

/** Throws for a path or pattern that cannot be used. */
export function checkOf(assertion: Assertion): Check {
  const query = parsePath(assertion.path);
  const needs = needsOf(query);
  const test = nodeTestOf(assertion);
  return (json, target, index) => {
    const document = json.parsed.ok ? json.parsed.value : undefined;
    const why = unusable(json, target, needs) ?? whyNot(assertion, query, test, [document, target.value]);
    return why === null ? null : { assertion: index, message: `${clip(assertion.path, 100)} ${why}` };
  };
}

/** Whether an assertion holds, without a reason. */
export type AssertionTest = (json: Subject, target: Target) => boolean;

/** Throws for a path or pattern that cannot be used. */
export function testOf(assertion: Assertion): AssertionTest {
  const query = parsePath(assertion.path);
  const needs = needsOf(query);
  const test = nodeTestOf(assertion);
  return (json, target) => {
    if (!json.parsed.ok || unusable(json, target, needs) !== null) return false;
    const { first, wrong } = placesOf(query, test, [json.parsed.value, target.value]);
    return assertion.op === 'absent' ? first === undefined : first !== undefined && wrong === undefined;
  };
}

/** The same of what is forbidden: one of several values is enough, and what cannot be read or compared may be forbidden. */
export function doubtfulAssertionOf(assertion: Assertion): AssertionTest {
  const query = parsePath(assertion.path);
  const needs = needsOf(query);
  const test = doubtfulTestOf(assertion);
  return (json, target) => {
    if (!json.parsed.ok || unusable(json, target, needs) !== null) return true;
    const { value: document } = json.parsed;
    return assertion.op === 'absent'
      ? !walk(query, document, () => true, 'certain')
      : walk(query, document, ({ value }) => test(value, target.value), 'possible');
  };
}

/** What a query needs of a document. */
interface Needs {
  readonly isSensitive: boolean;
  readonly names: ReadonlySet<string>;
}

export const needsOf = (query: Query): Needs => ({
  isSensitive: needsExactNumbers(query),
  names: namesRead(query),
});

/** A number that is read as another one, or a name that others read as another one, must not decide. */
function unusable(json: Subject, { isLarge, value }: Target, needs: Needs): string | null {
  const rounded = isLarge ? json.roundedNumber : null;
  const why = rounded === null ? unreadable(json, needs) : cannotBeCompared(rounded);
  return why ?? cannotBeRead(json.ambiguousName(() => namesIn(value)));
}

/** Why a query must not be evaluated, whatever its values are compared with. */
export function unreadable(json: Subject, { isSensitive, names }: Needs): string | null {
  const misread = isSensitive ? json.misreadNumber : null;
  return misread === null ? cannotBeRead(json.ambiguousName(() => names)) : cannotBeCompared(misread);
}

const cannotBeCompared = (number: string): string =>
  `cannot be compared: output holds ${clip(number, 40)}, which JSON readers round`;
const cannotBeRead = (ambiguous: string | null): string | null =>
  ambiguous === null ? null : `cannot be read: output ${ambiguous}`;

function whyNot(
  { op, value }: Assertion,
  query: Query,
  test: NodeTest | null,
  [document, target]: readonly [unknown, unknown],
): string | null {
  const { first, wrong } = placesOf(query, test, [document, target]);
  if (op === 'absent') return first === undefined ? null : `${DEMAND[op]}: ${inWords(first)}`;
  const demand = `${DEMAND[op]}${inDemand(value, target)}`;
  if (first === undefined) return `${demand}: ${nothingThere(query, document)}`;
  if (wrong === undefined) return null;
  const isHidden = pointerOf(value) !== null;
  return `${demand}: ${op === 'equals' ? inequality(wrong, target, isHidden) : inWords(wrong)}`;
}

/** The first place that a path leads to, and the first that is not as it has to be. */
function placesOf(query: Query, test: NodeTest | null, [document, target]: readonly [unknown, unknown]) {
  let first: Place | undefined;
  let wrong: Place | undefined;
  walk(query, document, (place) => {
    first ??= place;
    if (test === null) return true;
    if (!test(place.value, target)) wrong = place;
    return wrong !== undefined;
  });
  return { first, wrong };
}

/** What comes from `expected` is named, not shown: reasons are read by those who may not see it. */
function inDemand(value: unknown, target: unknown): string {
  const pointer = pointerOf(value);
  if (pointer !== null) return ` expected${clip(pointer, 100)}`;
  return target === undefined ? '' : ` ${describe(target)}`;
}

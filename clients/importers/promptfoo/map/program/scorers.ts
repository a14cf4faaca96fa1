import { escaped, foldedPattern } from '../../../imports/escaped.ts';
import { holding, matching } from '../texts.ts';
import type { Mapped } from '../types.ts';
import { type Check, type Condition, type JsonCheck, MUST_BE_THERE, type TextCheck } from './checks.ts';
import { withKinds } from './kinds.ts';

/** The scorer that says the same as a condition. Undefined where none does. */
export function scorerOf(condition: Condition): Mapped | undefined {
  if ('always' in condition) return { why: condition.always ? 'passes every output' : 'passes no output' };
  return simpleText(condition) ?? jsonPath(condition) ?? lookingAhead(condition);
}

const textOf = (condition: Condition): TextCheck | undefined =>
  'check' in condition && !('assertion' in condition.check) ? condition.check : undefined;

/** One check, or several that one list of texts says. */
function simpleText(condition: Condition): Mapped | undefined {
  const isNot = 'not' in condition;
  const check = textOf(isNot ? condition.not : condition);
  if (check === undefined) return textList(condition);
  if ('holds' in check) return holding([check.holds], isNot ? 'none' : 'all', check);
  if ('equals' in check) {
    if (!isNot) return { scorer: { type: 'exact_match', config: {} }, expected: check.equals };
    return matching(`^${escaped(check.equals)}$`, '', false);
  }
  return matching(check.pattern, check.flags, !isNot);
}

function textList(condition: Condition): Mapped | undefined {
  const isAll = 'all' in condition;
  const parts = isAll ? condition.all : 'any' in condition ? condition.any : [];
  const isNone = isAll && parts.every((part) => 'not' in part);
  const checks = parts.map((part) => textOf('not' in part && isNone ? part.not : part));
  const held = checks.flatMap((check) => (check !== undefined && 'holds' in check ? [check] : []));
  const isSame = held.length === parts.length && new Set(held.map(({ isFolded }) => isFolded)).size === 1;
  if (!isSame || held[0] === undefined) return undefined;
  return holding(
    held.map(({ holds }) => holds),
    isNone ? 'none' : isAll ? 'all' : 'any',
    held[0],
  );
}

/** All assertions of `json_path` have to hold. */
function jsonPath(condition: Condition): Mapped | undefined {
  const parts = 'all' in condition ? condition.all : [condition];
  const checks = parts.flatMap((part) => jsonCheckOf(part) ?? []);
  const found = checks.length < parts.length ? undefined : withKinds(checks);
  if (found === undefined) return undefined;
  return {
    scorer: { type: 'json_path', config: { assertions: found.map(({ assertion }) => assertion) } },
    differences: [...new Set(found.flatMap(({ differences }) => differences))],
  };
}

function jsonCheckOf(condition: Condition): JsonCheck | undefined {
  if ('any' in condition) return oneOfTexts(condition.any);
  if ('check' in condition) return 'assertion' in condition.check ? condition.check : undefined;
  const denied = 'not' in condition && 'check' in condition.not ? condition.not.check : undefined;
  if (denied === undefined || !('assertion' in denied) || denied.opposite === undefined) return undefined;
  return { assertion: denied.opposite, differences: [...denied.differences, MUST_BE_THERE] };
}

/** `x === 'a' || x === 'b'`. */
function oneOfTexts(conditions: readonly Condition[]): JsonCheck | undefined {
  const checks = conditions.map((one) => ('any' in one ? undefined : jsonCheckOf(one)));
  const paths = new Set(checks.map((check) => check?.assertion.path));
  const isText = checks.every(
    (check) => check?.assertion.op === 'equals' && typeof check.assertion.value === 'string',
  );
  const [path] = paths;
  if (!isText || paths.size !== 1 || path === undefined) return undefined;
  const texts = checks.map((check) => escaped(String(check?.assertion.value)));
  return {
    assertion: { path, op: 'matches', value: `^(?:${texts.join('|')})$` },
    differences: checks.flatMap((check) => check?.differences ?? []),
  };
}

/** Any other words about a text: one pattern that looks ahead for each of them. */
function lookingAhead(condition: Condition): Mapped | undefined {
  const flags = new Set(flagsIn(condition));
  const [only = ''] = flags;
  if (flags.size > 1 || (/[imsu]/.test(only) && hasLiterals(condition))) return undefined;
  const pattern = aheadOf(condition);
  return pattern === undefined || only.includes('m') ? undefined : matching(`^${pattern}`, only, true);
}

function* checksIn(condition: Condition): Generator<Check> {
  if ('check' in condition) yield condition.check;
  else if ('not' in condition) yield* checksIn(condition.not);
  else if (!('always' in condition))
    for (const one of 'all' in condition ? condition.all : condition.any) yield* checksIn(one);
}

const flagsIn = (condition: Condition): string[] =>
  [...checksIn(condition)].flatMap((check) => ('flags' in check ? [check.flags] : []));
const hasLiterals = (condition: Condition): boolean =>
  [...checksIn(condition)].some((check) => !('flags' in check));

function aheadOf(condition: Condition): string | undefined {
  if ('check' in condition) {
    const source = 'assertion' in condition.check ? undefined : sourceOf(condition.check);
    return source === undefined ? undefined : `(?=${source})`;
  }
  if ('always' in condition) return undefined;
  if ('not' in condition) {
    const inner = aheadOf(condition.not);
    return inner && `(?!${inner})`;
  }
  const parts = ('all' in condition ? condition.all : condition.any).map(aheadOf);
  if (parts.includes(undefined)) return undefined;
  return 'all' in condition ? parts.join('') : `(?:${parts.join('|')})`;
}

/** Groups of several patterns would be counted together. */
function sourceOf(check: TextCheck): string | undefined {
  if ('equals' in check) return `${escaped(check.equals)}$`;
  if ('holds' in check) {
    const text = check.isFolded ? foldedPattern(check.holds) : escaped(check.holds);
    return text && `[^]*?${text}`;
  }
  if (/\\(?:[1-9]|k<)/.test(check.pattern)) return undefined;
  return `[^]*?(?:${check.pattern})`;
}

import type { Call, Trace } from '../../../../../shared/scoring/kit/trace.ts';
import type { Other, Pattern, Rule } from '../../../../../shared/scoring/trajectory/config.ts';
import { listOf, sidesOf } from '../../../../../shared/scoring/trajectory/parts.ts';

type Values = readonly unknown[];
type Certainty = 'may' | 'surely';

/** Of the paths that are drawn: `$`, `$.k`, `$.k[*]`. */
function at(path: string, document: unknown): Values {
  if (document === undefined) return [];
  if (path === '$') return [document];
  const [, name = '', all] = /^\$\.(\w+)(\[\*\])?$/.exec(path) ?? [];
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document);
  const value = isObject ? Reflect.get(document, name) : undefined;
  if (value === undefined) return [];
  if (all === undefined) return [value];
  return Array.isArray(value) ? value : [];
}

const asNumber = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
};

function holds(
  value: unknown,
  { op, value: target }: { op: string; value?: unknown },
  certainty: Certainty,
): boolean {
  const number = certainty === 'may' ? asNumber(value) : value;
  if (typeof number === 'number' && typeof target === 'number')
    return op === 'equals' ? number === target : op === 'gte' ? number >= target : number <= target;
  if (certainty === 'surely') return op === 'equals' && value === target;
  return op !== 'equals' || typeof value !== typeof target || value === target;
}

function asserts(document: unknown, assertions: Pattern['assertions'], certainty: Certainty): boolean {
  return (assertions ?? []).every((assertion) => {
    const values = at(assertion.path, document);
    return certainty === 'may'
      ? values.some((value) => holds(value, assertion, certainty))
      : values.length > 0 && values.every((value) => holds(value, assertion, certainty));
  });
}

const isNamed = (patterns: string | readonly string[] | undefined, tool: string): boolean =>
  patterns !== undefined &&
  listOf<string>(patterns).some((pattern) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(tool));

function fits(call: Call, pattern: Pattern, certainty: Certainty): boolean {
  const { tool, except, failed, assertions, result } = pattern;
  if (!isNamed(tool, call.tool) || isNamed(except, call.tool)) return false;
  const hasFailed = call.failed === true;
  if (failed !== undefined && failed !== hasFailed) return false;
  if (certainty === 'surely' && failed === undefined && hasFailed) return false;
  const isMay = certainty === 'may';
  if (
    assertions !== undefined &&
    !(call.arguments === undefined ? isMay : asserts(call.arguments, assertions, certainty))
  )
    return false;
  return (
    result === undefined || (call.result === undefined ? isMay : asserts(call.result, result, certainty))
  );
}

const textOf = (value: unknown): string =>
  typeof value === 'number'
    ? `number ${value}`
    : /^(?:0|[1-9]\d*)$/.test(String(value)) && typeof value === 'string'
      ? `number ${value}`
      : JSON.stringify(value);

/** Each combination of the values at the paths, or null where one has none. */
function tuples(call: Call, paths: readonly { path: string; isInResult: boolean }[]): string[] | null {
  let found: string[] = [''];
  for (const { path, isInResult } of paths) {
    const values = at(path, isInResult ? call.result : call.arguments);
    found = found.flatMap((head) => values.map((value) => `${head}|${textOf(value)}`));
  }
  return found.length === 0 ? null : found;
}

const whenPaths = ({ same = [] }: Other) =>
  same.map((one) => ({ path: sidesOf(one).path, isInResult: false }));
const otherPaths = ({ same = [] }: Other) =>
  same.map((one) => ({ path: sidesOf(one).other, isInResult: sidesOf(one).isInResult }));

const readsResult = ({ result, same = [] }: Other): boolean =>
  result !== undefined || same.some((one) => typeof one !== 'string' && one.in_result !== undefined);

function isBefore(one: Call, call: Call, other: Other): boolean {
  if (one === call) return false;
  if (readsResult(other)) return (one.since ?? one.step + 1) <= call.step;
  return other.same_step ? one.step <= call.step : one.step < call.step;
}

const isAfter = (one: Call, call: Call, { same_step }: Other): boolean =>
  one !== call && (same_step ? one.step >= call.step : one.step > call.step);

/** The most pairs, found by trying all. */
function mostPairs(choices: readonly (readonly Call[])[], taken: ReadonlySet<Call> = new Set()): number {
  const [first, ...rest] = choices;
  if (first === undefined) return 0;
  const ways = first
    .filter((one) => !taken.has(one))
    .map((one) => 1 + mostPairs(rest, new Set([...taken, one])));
  return Math.max(mostPairs(rest, taken), ...ways);
}

/** Whether a trace keeps a rule, as it is defined. */
export function keeps(trace: Trace, rule: Rule): boolean {
  const when = trace.filter((call) =>
    listOf<Pattern>(rule.when).some((pattern) => fits(call, pattern, 'may')),
  );
  if (rule.at_most !== undefined) return keepsCount(when, rule, rule.at_most);
  if (rule.never_after !== undefined) {
    return listOf<Other>(rule.never_after).every((other) =>
      when.every((call) =>
        trace.every((one) => {
          const isLater = other.same_step ? one.step > call.step : one.step >= call.step;
          if (one === call || !isLater || !fits(one, other, 'may')) return true;
          const [own, others] = [tuples(call, whenPaths(other)), tuples(one, otherPaths(other))];
          return own !== null && others !== null && !own.some((key) => others.includes(key));
        }),
      ),
    );
  }
  const isOnTime = rule.before === undefined ? isAfter : isBefore;
  const others = listOf<Other>(rule.before ?? rule.after ?? []);
  const serving = (call: Call, other: Other, key: string): Call[] =>
    trace.filter(
      (one) =>
        isOnTime(one, call, other) &&
        fits(one, other, 'surely') &&
        tuples(one, otherPaths(other))?.includes(key) === true,
    );
  const [first] = others;
  if (first?.own) {
    const choices = when.map((call) => {
      const [key] = tuples(call, whenPaths(first)) ?? [];
      return key === undefined ? [] : serving(call, first, key);
    });
    return mostPairs(choices) === when.length;
  }
  return when.every((call) =>
    others.some((other) => {
      const keys = tuples(call, whenPaths(other));
      return keys?.every((key) => serving(call, other, key).length > 0) === true;
    }),
  );
}

function keepsCount(when: readonly Call[], { per = 'trace', sum }: Rule, most: number): boolean {
  const amounts = when.map((call) => {
    if (sum === undefined) return 1;
    const values = at(sum, call.arguments).map((value) => (value === '01' ? undefined : asNumber(value)));
    if (values.length === 0 || values.includes(undefined)) return Number.POSITIVE_INFINITY;
    return values.reduce<number>((total, value = 0) => total + Math.max(0, value), 0);
  });
  const groupsOf = (call: Call): string[] | null => {
    if (per === 'trace') return ['trace'];
    if (per === 'step') return [String(call.step)];
    return tuples(
      call,
      listOf<string>(per).map((path) => ({ path, isInResult: false })),
    );
  };
  const groups = new Set(when.flatMap((call) => groupsOf(call) ?? []));
  return (
    [...groups, null].every((group) => {
      const isIn = (call: Call) => groupsOf(call)?.includes(group ?? '') ?? true;
      const total = when.reduce((so, call, index) => so + (isIn(call) ? (amounts[index] ?? 0) : 0), 0);
      return total <= most || (amounts.includes(Number.POSITIVE_INFINITY) && total === 0);
    }) &&
    (!amounts.includes(Number.POSITIVE_INFINITY) || when.length === 0)
  );
}

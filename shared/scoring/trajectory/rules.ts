import type { ValuesAt } from '../jsonPath/values.ts';
import type { JudgedCall } from './judgedCall.ts';
import { type Keys, valuesOf } from './keys.ts';
import { fits, type Matcher } from './matcher.ts';
import type { OtherPlan, RulePlan } from './rulePlan.ts';

/** How a trace keeps a rule. */
export interface RuleResult {
  readonly plan: RulePlan;
  /** How many calls `when` took. */
  readonly applied: number;
  /** In the order of the trace. None: the rule is kept. */
  readonly broken: readonly JudgedCall[];
  /** Of `own`: by call, the `when` call that it serves. */
  readonly serves: ReadonlyMap<JudgedCall, JudgedCall>;
  /** Of `at_most`: the first group that is too large. */
  readonly group?: Group | undefined;
}

/** Calls that are counted together. */
interface Group {
  readonly calls: readonly JudgedCall[];
  /** Of `per`: what they have in common. */
  readonly key: string | undefined;
  /** How many they are, or their sum. Null where that is not known. */
  readonly total: number | null;
}

export function judgeRules(calls: readonly JudgedCall[], plans: readonly RulePlan[]): RuleResult[] {
  const known = new Map<Matcher, readonly JudgedCall[]>();
  const fitting: Fitting = (matcher) => {
    const fit = known.get(matcher) ?? calls.filter((call) => fits(call, matcher));
    known.set(matcher, fit);
    return fit;
  };
  return plans.map((plan) => {
    const when = whenCalls(calls, plan.when, fitting);
    const { rule, otherPlans } = plan;
    const result = { plan, applied: when.length, serves: NONE_SERVED };
    if (rule.at_most !== undefined) return { ...result, ...tooMany(when, plan, rule.at_most) };
    if (rule.never_after !== undefined) {
      const reaches = otherPlans.map((other) => followersOf(other, fitting(other.matcher)));
      return { ...result, broken: when.filter((call) => reaches.some((follows) => follows(call))) };
    }
    const isBefore = rule.before !== undefined;
    const [first] = otherPlans;
    if (first?.config.own) return { ...result, ...unserved(when, first, fitting(first.matcher), isBefore) };
    const served = otherPlans.map((other) => serversOf(other, fitting(other.matcher), isBefore));
    return { ...result, broken: when.filter((call) => !served.some((serves) => serves(call))) };
  });
}

type Fitting = (matcher: Matcher) => readonly JudgedCall[];

const NONE_SERVED: ReadonlyMap<JudgedCall, JudgedCall> = new Map();

function whenCalls(calls: readonly JudgedCall[], when: readonly Matcher[], fitting: Fitting) {
  const [only, ...more] = when;
  if (only !== undefined && more.length === 0) return fitting(only);
  const taken = new Set(when.flatMap(fitting));
  return calls.filter((call) => taken.has(call));
}

/** The same for calls without `same`. */
const EVERY = [''];
const keysOf = (keys: Keys | undefined, call: JudgedCall): readonly string[] | null =>
  keys === undefined ? EVERY : keys.of(call);

/** Time runs backwards where calls have to come after. */
const timeOf = ({ call }: JudgedCall, isBefore: boolean): number => (isBefore ? call.step : -call.step);

/** From when on a call serves others. */
function opensAt(other: JudgedCall, { config, readsResult }: OtherPlan, isBefore: boolean): number {
  if (isBefore && readsResult) return other.call.since ?? other.call.step + 1;
  return timeOf(other, isBefore) + (config.same_step ? 0 : 1);
}

/** By value, the two calls that open first: no call is its own partner. */
class Openings {
  readonly #byKey = new Map<string, [first: number, by: JudgedCall, second: number]>();

  add(key: string, call: JudgedCall, opens: number): void {
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, [opens, call, Number.POSITIVE_INFINITY]);
    else if (opens < known[0]) this.#byKey.set(key, [opens, call, known[0]]);
    else if (opens < known[2]) known[2] = opens;
  }

  /** Whether a call other than this one has the value, and is open at the time. */
  isOpen(key: string, call: JudgedCall, time: number): boolean {
    const known = this.#byKey.get(key);
    return known !== undefined && (known[1] === call ? known[2] : known[0]) <= time;
  }
}

/** Of `before` and `after`: whether each value of a call has one that fits. */
function serversOf(other: OtherPlan, fitting: readonly JudgedCall[], isBefore: boolean) {
  const openings = new Openings();
  for (const call of fitting) {
    const opens = opensAt(call, other, isBefore);
    for (const key of keysOf(other.same?.other, call) ?? []) openings.add(key, call, opens);
  }
  return (call: JudgedCall): boolean => {
    const keys = keysOf(other.same?.when, call);
    const time = timeOf(call, isBefore);
    return keys?.every((key) => openings.isOpen(key, call, time)) === true;
  };
}

const ANY = 'any';
const UNKNOWN = 'unknown';

/** Of `never_after`: whether a call that fits comes at once or later, with a value in common or one that is not known. */
function followersOf(other: OtherPlan, fitting: readonly JudgedCall[]) {
  const [byKey, byKind] = [new Openings(), new Openings()];
  for (const call of fitting) {
    const opens = timeOf(call, false) + (other.config.same_step ? 1 : 0);
    const keys = keysOf(other.same?.other, call);
    byKind.add(ANY, call, opens);
    if (keys === null) byKind.add(UNKNOWN, call, opens);
    for (const key of keys ?? []) byKey.add(key, call, opens);
  }
  return (call: JudgedCall): boolean => {
    const keys = keysOf(other.same?.when, call);
    const time = timeOf(call, false);
    if (keys === null) return byKind.isOpen(ANY, call, time);
    return byKind.isOpen(UNKNOWN, call, time) || keys.some((key) => byKey.isOpen(key, call, time));
  };
}

/** Of `own`: the first that is open serves. What is open stays so, so that no other pairing serves more. */
function unserved(
  when: readonly JudgedCall[],
  other: OtherPlan,
  fitting: readonly JudgedCall[],
  isBefore: boolean,
): Pick<RuleResult, 'broken' | 'serves'> {
  const byTime = (opens: (call: JudgedCall) => number) => (one: JudgedCall, next: JudgedCall) =>
    opens(one) - opens(next);
  const openFrom = (call: JudgedCall): number => opensAt(call, other, isBefore);
  const free = new Map<string, JudgedCall[]>();
  for (const call of fitting.toSorted(byTime(openFrom)).reverse()) {
    for (const key of keysOf(other.same?.other, call) ?? []) {
      const known = free.get(key);
      if (known === undefined) free.set(key, [call]);
      else known.push(call);
    }
  }
  const serves = new Map<JudgedCall, JudgedCall>();
  const broken = new Set<JudgedCall>();
  for (const call of when.toSorted(byTime((one) => timeOf(one, isBefore)))) {
    const [key] = keysOf(other.same?.when, call) ?? [];
    const queue = key === undefined ? undefined : free.get(key);
    const next = queue?.at(-1);
    if (next === undefined || openFrom(next) > timeOf(call, isBefore)) broken.add(call);
    else serves.set(queue?.pop() ?? next, call);
  }
  return { broken: when.filter((call) => broken.has(call)), serves };
}

/** A decimal fraction is not added up to its last digit. */
const EXACTNESS = 1 + 1e-12;

/** Of `at_most`. A call whose group is not known is in each of them. */
function tooMany(
  when: readonly JudgedCall[],
  { rule, groups, amounts }: RulePlan,
  most: number,
): Pick<RuleResult, 'broken' | 'group'> {
  const keysIn = (call: JudgedCall): readonly string[] | null =>
    rule.per === 'step' ? [String(call.call.step)] : groups === null ? EVERY : groups.of(call);
  const totals = new Map<string, number>();
  let unknown = 0;
  let unreadable: JudgedCall | undefined;
  for (const call of when) {
    const amount = amounts === null ? 1 : sumOf(call, amounts);
    if (amount === null) {
      unreadable ??= call;
      continue;
    }
    const keys = keysIn(call);
    if (keys === null) unknown += amount;
    for (const key of keys ?? []) totals.set(key, (totals.get(key) ?? 0) + amount);
  }
  const exceeds = (total: number): boolean => total > most * EXACTNESS;
  const large = [...totals].filter(([, total]) => exceeds(total + unknown));
  const names = new Set(large.map(([key]) => key));
  const isOf = (call: JudgedCall, isIn: (key: string) => boolean) => keysIn(call)?.some(isIn) ?? true;
  const [first] = large;
  if (unreadable !== undefined)
    return { broken: [unreadable], group: { calls: [unreadable], key: undefined, total: null } };
  if (first === undefined && !exceeds(unknown)) return { broken: [] };
  return {
    broken: when.filter((call) => isOf(call, (key) => names.has(key))),
    group: {
      calls: when.filter((call) => isOf(call, (key) => key === first?.[0])),
      key: first?.[0],
      total: (first?.[1] ?? 0) + unknown,
    },
  };
}

/** Its digits are those that a number keeps. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const DIGITS_MAX = 15;

/** Of the numbers of a call. Null where one is not known. One below 0 takes nothing off. */
function sumOf(call: JudgedCall, amounts: ValuesAt): number | null {
  const values = valuesOf(call, undefined, amounts);
  let sum = 0;
  for (const value of values) {
    const isText = typeof value === 'string' && value.length < 100 && NUMBER.test(value);
    const isExact = isText && value.replace(/\D/g, '').length <= DIGITS_MAX;
    const number = isExact ? Number(value) : value;
    if (typeof number !== 'number' || Math.abs(number) > Number.MAX_SAFE_INTEGER) return null;
    sum += Math.max(0, number);
  }
  return values.length === 0 ? null : sum;
}

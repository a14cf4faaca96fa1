import { parsePath } from '../jsonPath/parser.ts';
import { clip, nameSome } from '../kit/text.ts';
import { toolName } from '../trace/excerpt.ts';
import type { Pattern, Rule } from './config.ts';
import { isOfTool } from './glob.ts';
import type { JudgedCall } from './judgedCall.ts';
import { Keys } from './keys.ts';
import { fits, whyUnfit } from './matcher.ts';
import { listOf } from './parts.ts';
import type { OtherPlan } from './rulePlan.ts';
import type { RuleResult } from './rules.ts';

const RULES_MAX = 3;
const RULE_LENGTH_MAX = 100;
const VALUES_MAX = 3;
const VALUE_LENGTH_MAX = 40;

/** Of at most three broken rules: the first call of each, and why it breaks the rule. No result is shown. */
export function rulesInWords(calls: readonly JudgedCall[], results: readonly RuleResult[]): string[] {
  const broken = results.filter((result) => result.broken.length > 0);
  const reasons = broken
    .slice(0, RULES_MAX)
    .map((result) => `${clip(result.plan.rule.name, RULE_LENGTH_MAX)}: ${whyBroken(calls, result)}`);
  return broken.length > RULES_MAX ? [...reasons, `${broken.length - RULES_MAX} more rules`] : reasons;
}

function whyBroken(calls: readonly JudgedCall[], result: RuleResult): string {
  const [call] = result.broken;
  const { rule, otherPlans } = result.plan;
  if (rule.at_most !== undefined) return whyTooMany(result, rule.at_most);
  const [other] = otherPlans;
  if (call === undefined || other === undefined) return '';
  if (rule.never_after !== undefined) return whyFollowed(calls, call, result);
  const keys = other.same?.when;
  if (keys?.of(call) === null) return `${named(call, readBy(rule, call))} has no ${namesOf(keys)} to compare`;
  return whyUnserved(calls, { call, other, result });
}

/** With the last of the calls that must not come. */
function whyFollowed(calls: readonly JudgedCall[], call: JudgedCall, { plan }: RuleResult): string {
  for (const other of plan.otherPlans) {
    const { matcher, same, config } = other;
    const callKeys = same?.when.of(call) ?? null;
    for (const follower of calls.toReversed()) {
      const distance = follower.call.step - call.call.step;
      if (follower === call || distance < (config.same_step ? 1 : 0) || !fits(follower, matcher)) continue;
      const followerKeys = same?.other.of(follower) ?? null;
      const common = callKeys?.find((key) => followerKeys?.includes(key));
      if (callKeys !== null && followerKeys !== null && common === undefined) continue;
      const shown = same && common !== undefined ? shownKey(same.other, common) : [];
      return `${named(follower, shown)} ${distance === 0 ? 'at once with' : 'after'} ${named(call)}`;
    }
  }
  return named(call);
}

interface Unserved {
  readonly call: JudgedCall;
  readonly other: OtherPlan;
  readonly result: RuleResult;
}

/** With the last call that did not do. */
function whyUnserved(calls: readonly JudgedCall[], unserved: Unserved): string {
  const { call, other, result } = unserved;
  const { rule, otherPlans } = result.plan;
  const isBefore = rule.before !== undefined;
  const distanceTo = (one: JudgedCall) => (one.call.step - call.call.step) * (isBefore ? -1 : 1);
  const candidates = calls.filter((one) => one !== call && isOfTool(other.matcher, one.call.tool));
  const inTime = candidates.filter((one) => distanceTo(one) >= (other.config.same_step ? 0 : 1));
  const served = new Set(
    inTime.filter((one) => fits(one, other.matcher)).flatMap((one) => other.same?.other.of(one) ?? []),
  );
  const lacking = other.same?.when.of(call)?.find((key) => other.config.own || !served.has(key));
  const callName = named(call, [...shownKey(other.same?.when, lacking), ...readBy(rule, call)]);
  const tools = [...new Set(otherPlans.flatMap(({ matcher }) => matcher.tools.map(toolName)))];
  const lack = `${callName} has no ${nameSome(tools)} ${isBefore ? 'before' : 'after'} it`;
  const last = inTime.at(-1) ?? candidates.findLast((one) => distanceTo(one) === 0) ?? candidates.at(-1);
  return last === undefined ? lack : `${lack}; ${named(last)} ${whyNot(last, distanceTo(last), unserved)}`;
}

function whyNot(candidate: JudgedCall, distance: number, { call, other, result }: Unserved): string {
  const { matcher, config, same, readsResult } = other;
  const isBefore = result.plan.rule.before !== undefined;
  if (distance < 0) return isBefore ? 'comes later' : 'comes earlier';
  if (distance === 0 && !config.same_step) return 'was made at once';
  const served = result.serves.get(candidate);
  if (served !== undefined) return `serves call ${served.call.at}`;
  const why = whyUnfit(candidate, matcher);
  if (why === 'failed') return candidate.call.failed ? 'failed' : 'did not fail';
  if (why === 'arguments') return 'has other arguments';
  if (why === 'no result' || (readsResult && candidate.result === undefined)) return 'has no result here';
  if (why === 'result') return 'has another result';
  if (isBefore && readsResult && (candidate.call.since ?? 0) > call.call.step) return 'has its result later';
  const keys = same?.other.of(candidate);
  const shown = shownKey(same?.other, keys?.[0]).join(', ');
  if (keys === null) return `has no ${namesOf(same?.other)} to compare`;
  return shown === '' ? 'has another result' : `has ${shown}`;
}

function whyTooMany({ plan, group }: RuleResult, most: number): string {
  const { rule, groups } = plan;
  const [first] = group?.calls ?? [];
  if (group === undefined || first === undefined) return '';
  if (group.total === null) return `${named(first)} has no ${nameAt(rule.sum ?? '$')} to add`;
  const shown = shownKey(groups ?? undefined, group.key).join(', ');
  const shared = shown === '' ? '' : ` with ${shown}`;
  const places = group.calls.map(({ call }) => call.at).sort((one, other) => one - other);
  const numbers = `(${places.length === 1 ? 'call' : 'calls'} ${nameSome(places.map(String))})`;
  if (rule.sum !== undefined)
    return `${nameAt(rule.sum)} ${Number(group.total.toPrecision(15))}${shared} ${numbers}, at most ${most}`;
  const tools = [...new Set(group.calls.map(({ call }) => toolName(call.tool)))].sort();
  const times = group.total === 1 ? 'once' : `${group.total} times`;
  return `${nameSome(tools)} ${times}${rule.per === 'step' ? ' at once' : shared} ${numbers}, at most ${most}`;
}

/** Such as `refund (call 4, order "A1", amount 240)`. */
const named = ({ call }: JudgedCall, shown: readonly string[] = []): string =>
  `${toolName(call.tool)} (${[`call ${call.at}`, ...new Set(shown)].slice(0, VALUES_MAX + 1).join(', ')})`;

/** What a call has at the paths of the assertions that took it. */
const readBy = ({ when }: Rule, call: JudgedCall): string[] =>
  listOf<Pattern>(when)
    .flatMap(({ assertions = [] }) => assertions)
    .flatMap(({ path }) => {
      const keys = new Keys([{ path, isInResult: false }], 'may');
      return shownKey(keys, keys.of(call)?.[0]);
    });

/** The values of a key, without those of results. */
function shownKey(keys: Keys | undefined, key: string | undefined): string[] {
  if (keys === undefined || key === undefined) return [];
  const texts: readonly string[] = keys.paths.length === 1 ? [key] : JSON.parse(key);
  return keys.paths.flatMap(({ path, isInResult }, index) =>
    isInResult ? [] : [`${nameAt(path)} ${clip(texts[index] ?? '', VALUE_LENGTH_MAX)}`],
  );
}

const namesOf = (keys: Keys | undefined): string =>
  (keys?.paths ?? []).map(({ path }) => nameAt(path)).join(', ');

/** The last name in a path. */
function nameAt(path: string): string {
  const selectors = parsePath(path).segments.flatMap((segment) => segment.selectors);
  const last = selectors.findLast(({ kind }) => kind === 'name');
  return clip(last?.kind === 'name' ? last.name : path, VALUE_LENGTH_MAX);
}

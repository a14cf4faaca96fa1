import { dualSidedOutcome, precisionRecallOf } from '../compare/precisionRecall.ts';
import { type ScorerOutput, scorerOutput, showList } from '../kit/debugOutput.ts';
import type { Outcome } from '../kit/definition.ts';
import { cut, nameSome, toReason } from '../kit/text.ts';
import { toolName } from '../trace/excerpt.ts';
import type { Config } from './config.ts';
import type { Judgement } from './judge.ts';
import type { JudgedCall } from './judgedCall.ts';
import type { RuleResult } from './rules.ts';
import { rulesInWords } from './ruleWords.ts';

const LISTED_MAX = 20;

export function outcomeOf(judgement: Judgement, config: Config, dualSided: boolean): Outcome {
  const { forbidden, rules, most, fewest } = judgement;
  const isTooMany = config.max_calls !== undefined && most > config.max_calls;
  const isTooFew = fewest < config.min_calls;
  const brokenRules = rules.filter((result) => result.broken.length > 0);
  // What has to come after a call lacks: no error undoes the other deeds.
  const isDone = brokenRules.some(({ plan }) => plan.rule.after === undefined);
  const byDeed = forbidden.length > 0 || isTooMany || isDone ? 'by_deed' : undefined;
  const broken = byDeed ?? (isTooFew || brokenRules.length > 0 ? 'by_lack' : undefined);
  const reasons = reasonsOf(judgement, config, { isTooMany, isTooFew });
  const output = outputOf(judgement, config);
  const neverPasses = broken && ({ neverPasses: broken } as const);
  if (dualSided) {
    const sides = broken ? NOTHING : sidesOf(judgement);
    const outcome = dualSidedOutcome(sides, output, toReason(reasons.join('; ')));
    return { ...outcome, ...neverPasses, reason: toReason(outcome.reason) };
  }
  const score = broken ? 0 : scoreOf(judgement, config);
  const reason = toReason(reasons.length > 0 ? reasons.join('; ') : inWords(judgement));
  return { score, reason, output, errored: false, ...neverPasses };
}

function scoreOf({ filled, required, covered, due }: Judgement, { partial }: Config): number {
  if (filled === required && covered === due) return 1;
  return partial ? (filled + covered) / (due + required) : 0;
}

const NOTHING = { precision: 0, recall: 0, truePositives: 0, falsePositives: 0, falseNegatives: 0 };

/** Where there is nothing to divide by, nothing is wrong. */
const sidesOf = ({ filled, required, covered, due }: Judgement) => ({
  ...precisionRecallOf({ rightGiven: covered, given: due, found: filled, expected: required }),
  precision: due === 0 ? 1 : covered / due,
  recall: required === 0 ? 1 : filled / required,
});

const inWords = ({ required, calls }: Judgement): string =>
  required === 0
    ? `no call is missing or surplus, of ${calls.length}`
    : `all expected calls were made: ${required}`;

interface Bounds {
  readonly isTooMany: boolean;
  readonly isTooFew: boolean;
}

function reasonsOf(judgement: Judgement, config: Config, { isTooMany, isTooFew }: Bounds): string[] {
  const { forbidden, most, fewest, missing, surplus, outOfOrder, malformed } = judgement;
  const reasons: string[] = [];
  if (forbidden.length > 0) reasons.push(`forbidden: ${named(forbidden.map(({ call }) => call))}`);
  if (isTooMany) reasons.push(`${countOf(most)}, at most ${config.max_calls}`);
  if (isTooFew) reasons.push(`${countOf(fewest)}, at least ${config.min_calls}`);
  reasons.push(...rulesInWords(judgement.calls, judgement.rules));
  if (outOfOrder !== undefined) reasons.push(`out of order: ${named([outOfOrder])}`);
  else {
    const tools = missing.flatMap(({ place, times }) => Array.from({ length: times }, () => place.tool));
    if (tools.length > 0) reasons.push(`missing: ${nameSome(tools.slice(0, 3).map(toolName), tools.length)}`);
    if (surplus.length > 0) reasons.push(`surplus: ${named(surplus)}`);
  }
  const [first] = malformed;
  if (first !== undefined) reasons.push(`call ${first.call.at} has arguments that are no JSON object`);
  return reasons;
}

const countOf = (count: number): string => (count === 1 ? '1 call' : `${count} calls`);

const named = (calls: readonly JudgedCall[]): string =>
  nameSome(
    calls.slice(0, 3).map(({ call }) => `${toolName(call.tool)} (call ${call.at})`),
    calls.length,
  );

interface Listed {
  readonly tool: string;
  readonly [field: string]: unknown;
}

function outputOf(judgement: Judgement, { order }: Config): ScorerOutput {
  const { required, filled, due, covered, calls, failedCalls, malformed, outOfOrder } = judgement;
  const missing = listed(
    judgement.missing.map(({ place, times }) => ({ tool: place.tool, place: place.name, times })),
  );
  const surplus = listed(
    judgement.surplus.map(({ call }) => ({ tool: call.tool, call: call.at, ...argumentsOf(call) })),
  );
  const forbidden = listed(
    judgement.forbidden.map(({ call, rule }) => ({ tool: call.call.tool, call: call.call.at, rule })),
  );
  const rules = listedRules(judgement.rules);
  return scorerOutput(
    {
      order,
      required,
      filled,
      due,
      covered,
      calls: calls.length,
      failed_calls: failedCalls,
      malformed_calls: malformed.length,
      missing: missing.value,
      surplus: surplus.value,
      forbidden: forbidden.value,
      out_of_order: outOfOrder ? { tool: outOfOrder.call.tool, call: outOfOrder.call.at } : null,
      ...(rules && { rules: rules.value }),
    },
    missing,
    surplus,
    forbidden,
    ...(rules ? [rules] : []),
  );
}

const argumentsOf = ({ arguments: members, text }: JudgedCall['call']): object => {
  const value = members ?? text;
  return value === undefined ? {} : { arguments: value };
};

function listed(entries: readonly Listed[]) {
  const shown = showList(entries.slice(0, LISTED_MAX), (entry, length) => ({
    ...entry,
    tool: cut(entry.tool, length),
    ...(entry.arguments !== undefined && { arguments: cut(JSON.stringify(entry.arguments), length) }),
  }));
  return { value: shown.value, truncated: shown.truncated || entries.length > LISTED_MAX };
}

/** Undefined for a scorer without rules. */
function listedRules(results: readonly RuleResult[]) {
  if (results.length === 0) return undefined;
  const entries = results.map(({ plan, applied, broken }) => ({
    name: plan.rule.name,
    applied,
    broken: broken.slice(0, LISTED_MAX).map(({ call }) => ({ call: call.at, tool: call.tool })),
  }));
  const shown = showList(entries, ({ name, applied, broken }, length) => ({
    name: cut(name, length),
    applied,
    broken: broken.map(({ call, tool }) => ({ call, tool: cut(tool, length) })),
  }));
  return { ...shown, truncated: shown.truncated || results.some(({ broken }) => broken.length > LISTED_MAX) };
}

import type { Trace } from '../kit/trace.ts';
import type { Config } from './config.ts';
import { JudgedCall } from './judgedCall.ts';
import { fits } from './matcher.ts';
import { type Fitting, fittingOf, type Paired, pairAnyOrder, pairInOrder } from './pair.ts';
import { mayBeExtra } from './parts.ts';
import type { Place, Plan } from './plan.ts';
import { judgeRules, type RuleResult } from './rules.ts';

interface Hit {
  readonly call: JudgedCall;
  /** Which rule of `forbidden`, from 0 on. */
  readonly rule: number;
}

/** How a trace does against a plan. Calls are named in an order of their own, which is that of no list. */
export interface Judgement {
  readonly calls: readonly JudgedCall[];
  readonly filled: number;
  readonly required: number;
  readonly covered: number;
  readonly due: number;
  readonly missing: readonly { readonly place: Place; readonly times: number }[];
  readonly surplus: readonly JudgedCall[];
  readonly forbidden: readonly Hit[];
  readonly rules: readonly RuleResult[];
  /** The first call that is at the wrong time, where all would be right in any order. */
  readonly outOfOrder: JudgedCall | undefined;
  readonly malformed: readonly JudgedCall[];
  readonly failedCalls: number;
  /** Of the calls that count, and of these with the failed ones. */
  readonly fewest: number;
  readonly most: number;
}

export function judge(trace: Trace, plan: Plan, config: Config): Judgement {
  const isSeen = (nested: true | undefined) => config.agents === 'all' || !nested;
  const calls = trace.map(
    (call) => new JudgedCall(call, isSeen(call.nested) && (config.count_failed || !call.failed)),
  );
  const fitting = fittingOf(calls, plan, (tool) => mayBeExtra(config, tool));
  const isOrdered = config.order === 'in_order';
  const paired = isOrdered ? pairInOrder(calls, plan, fitting) : pairAnyOrder(calls, plan, fitting);
  const due = calls.filter(({ isDue }) => isDue).length;
  const isComplete = ({ filled, covered }: Paired) => filled === plan.required && covered === due;
  const isOutOfOrder = isOrdered && !isComplete(paired) && isComplete(pairAnyOrder(calls, plan, fitting));
  const places = plan.stages.flat();
  return {
    calls,
    filled: paired.filled,
    required: plan.required,
    covered: paired.covered,
    due,
    missing: places
      .map((place, index) => ({ place, times: paired.lacking[index] ?? 0 }))
      .filter(({ times }) => times > 0)
      .sort((one, other) => compare(one.place.tool, other.place.tool)),
    surplus: calls.filter(({ isDue }, index) => isDue && !paired.isPaired[index]).sort(byTool),
    forbidden: hitsOf(calls, plan),
    rules: judgeRules(calls, plan.rules),
    outOfOrder: isOutOfOrder ? firstMisplaced(calls, paired, fitting) : undefined,
    malformed: calls.filter(({ call, isCounted }) => call.malformed && isCounted).sort(byTool),
    failedCalls: trace.filter(({ failed }) => failed).length,
    fewest: calls.filter(({ isCounted }) => isCounted).length,
    most: trace.filter(({ nested }) => isSeen(nested)).length,
  };
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** So that which names a reason says does not depend on the order of calls that were made at once. */
const byTool = ({ call: one }: JudgedCall, { call: other }: JudgedCall): number =>
  compare(one.tool, other.tool) || one.at - other.at;

function hitsOf(calls: readonly JudgedCall[], { bans }: Plan): Hit[] {
  if (bans.length === 0) return [];
  return calls
    .flatMap((call): Hit[] => {
      const rule = bans.findIndex((ban) => fits(call, ban));
      return rule === -1 ? [] : [{ call, rule }];
    })
    .sort((one, other) => byTool(one.call, other.call));
}

/** A due one before one that could fill what is missing. */
function firstMisplaced(
  calls: readonly JudgedCall[],
  paired: Paired,
  fitting: Fitting,
): JudgedCall | undefined {
  const isFree = (index: number) => paired.isPaired[index] === false;
  return (
    calls.find(({ isDue }, index) => isDue && isFree(index)) ??
    calls.find(
      (_, index) => isFree(index) && fitting[index]?.some((place) => (paired.lacking[place] ?? 0) > 0),
    )
  );
}

import { canonicalText } from '../digest/documents.ts';
import type { ScorerOptions } from '../kit/definition.ts';
import { type Effect, gravest, ofBar, ofOptionalBar, ofSets } from '../verdict/strictness.ts';
import type { Config, Requested, Wish } from './config.ts';
import { isGroup, standsAlone } from './parts.ts';
import { ofRules } from './ruleEffect.ts';

/** What a change does to the traces that pass: `same` and `stricter` let none pass that failed before. */
export function effectOf(before: Config, after: Config, { dualSided }: ScorerOptions): Effect {
  const scoresParts = dualSided || (before.partial && after.partial);
  return gravest([
    ofSets(before.forbidden, after.forbidden),
    ofRules(before.rules ?? [], after.rules ?? []),
    ofOptionalBar(negative(before.max_calls), negative(after.max_calls)),
    ofBar(before.min_calls, after.min_calls),
    ofBar(Number(before.partial) * -1, Number(after.partial) * -1),
    ofBar(Number(before.order === 'in_order'), Number(after.order === 'in_order')),
    unlessScored(ofExtra(before.allow_extra, after.allow_extra), scoresParts),
    ofCalls(before, after, { scoresParts, dualSided }),
    before.count_failed === after.count_failed && before.agents === after.agents ? 'same' : 'may be weaker',
  ]);
}

const negative = (bound: number | undefined): number | undefined =>
  bound === undefined ? undefined : -bound;

/** More calls that are due, or wanted, may raise a score that counts each. */
const unlessScored = (effect: Effect, scoresParts: boolean): Effect =>
  effect !== 'same' && scoresParts ? 'may be weaker' : effect;

/** Which extra calls are allowed: all, those of some tools, or none. */
function ofExtra(before: Config['allow_extra'], after: Config['allow_extra']): Effect {
  const [was, is] = [before, after].map((extra) => (extra === false ? [] : extra));
  if (was === true || is === true) return was === is ? 'same' : is === true ? 'weaker' : 'stricter';
  const effect = ofSets(was ?? [], is ?? []);
  return effect === 'weaker' ? 'stricter' : effect === 'stricter' ? 'weaker' : effect;
}

interface Scoring {
  readonly scoresParts: boolean;
  readonly dualSided: boolean;
}

function ofCalls(before: Config, after: Config, scoring: Scoring): Effect {
  if (before.calls === undefined || after.calls === undefined) {
    const isJudgedAnew = standsAlone(after, scoring.dualSided) && !standsAlone(before, scoring.dualSided);
    return before.calls === after.calls && !isJudgedAnew ? 'same' : 'may be weaker';
  }
  const isOrdered = before.order === 'in_order' && after.order === 'in_order';
  const [was, is] = [before.calls, after.calls].map((calls) => inNormalOrder(calls, isOrdered));
  if (was === undefined || is === undefined || was.length !== is.length) return 'may be weaker';
  return gravest(
    was.map((wish, index) => ofWish(wish, is[index] ?? [], scoring, after.order === 'in_order')),
  );
}

/** With what has no order sorted by what is wanted, how often aside. */
function inNormalOrder(calls: readonly Wish[], isOrdered: boolean): Wish[] {
  const wishes = calls.map((wish): Wish => (isGroup(wish) ? wish.toSorted(byText) : wish));
  return isOrdered ? wishes : wishes.toSorted((one, other) => compare(textOf(one), textOf(other)));
}

const withoutTimes = ({ min: _, max: __, ...otherFields }: Requested): object => otherFields;
const timesOf = ({ min = -1, max = -1 }: Requested): string => `${min} ${max}`.padStart(12);
const textOfRequested = (expectedCall: Requested): string =>
  `${canonicalText(withoutTimes(expectedCall))} ${timesOf(expectedCall)}`;
const textOf = (wish: Wish): string =>
  isGroup(wish) ? `[${wish.map(textOfRequested)}]` : textOfRequested(wish);
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
const byText = (one: Requested, other: Requested): number =>
  compare(textOfRequested(one), textOfRequested(other));

function ofWish(before: Wish, after: Wish, scoring: Scoring, isOrdered: boolean): Effect {
  if (isGroup(before) || isGroup(after)) {
    if (!isGroup(before) || !isGroup(after) || before.length !== after.length) return 'may be weaker';
    return gravest(
      before.map((expectedCall, index) => ofRequested(expectedCall, after[index], scoring, isOrdered)),
    );
  }
  return ofRequested(before, after, scoring, isOrdered);
}

/** With both written on both sides; else one moves with the other. */
function ofRequested(
  before: Requested,
  after: Requested | undefined,
  { scoresParts, dualSided }: Scoring,
  isOrdered: boolean,
): Effect {
  if (after === undefined || canonicalText(withoutTimes(before)) !== canonicalText(withoutTimes(after))) {
    return 'may be weaker';
  }
  if (before.min === after.min && before.max === after.max) return 'same';
  const isWritten = [before.min, before.max, after.min, after.max].every((times) => times !== undefined);
  if (!isWritten) return 'may be weaker';
  const ofMin = unlessScored(ofBar(before.min ?? 0, after.min ?? 0), scoresParts);
  // In order, fewer places may be filled otherwise: with more precision, and less recall.
  const ofMax = unlessScored(ofBar(-(before.max ?? 0), -(after.max ?? 0)), dualSided && isOrdered);
  return gravest([ofMin, ofMax]);
}

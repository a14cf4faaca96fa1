import type { Config, Other, Pattern, Requested, Rule, Same, Wish } from './config.ts';

export const isGroup = (wish: Wish): wish is readonly Requested[] => Array.isArray(wish);
export const members = (wish: Wish): readonly Requested[] => (isGroup(wish) ? wish : [wish]);

export const mayBeExtra = ({ allow_extra }: Pick<Config, 'allow_extra'>, tool: string): boolean =>
  typeof allow_extra === 'boolean' ? allow_extra : allow_extra.includes(tool);

/** Without expected calls, here and in the case, it means: no calls but these, any but these, or any that keep the rules. */
export const standsAlone = (
  { calls, allow_extra, forbidden, rules }: Config,
  dualSided: boolean,
): boolean => {
  const isBounded = allow_extra !== true || forbidden.length > 0 || rules !== undefined;
  return calls === undefined && allow_extra !== false && isBounded && !dualSided;
};

export const minOf = ({ min = 1 }: Requested): number => min;

/** How many calls fill an expected one; without limit where more of the tool are allowed anyway. */
export function maxOf(
  expectedCall: Requested,
  config: Pick<Config, 'allow_extra'>,
  isInGroup: boolean,
): number {
  if (expectedCall.max !== undefined) return expectedCall.max;
  if (!isInGroup && mayBeExtra(config, expectedCall.tool)) return Number.POSITIVE_INFINITY;
  return Math.max(minOf(expectedCall), 1);
}

/** How many calls have to be made. */
export const requiredIn = (wishes: readonly Wish[]): number =>
  wishes.flatMap(members).reduce((sum, expectedCall) => sum + minOf(expectedCall), 0);

export const asPattern = (forbidden: string | Pattern): Pattern =>
  typeof forbidden === 'string' ? { tool: forbidden } : forbidden;

export const listOf = <Item>(one: Item | readonly Item[]): readonly Item[] =>
  Array.isArray(one) ? one : [one as Item];

/** The other calls that a rule names, and how they have to come. */
export const othersOf = ({ before, after, never_after }: Rule): readonly Other[] =>
  listOf<Other>(before ?? after ?? never_after ?? []);

/** A path of `same`, in the `when` call and in the other one. */
export const sidesOf = (same: Same) =>
  typeof same === 'string'
    ? { path: same, other: same, isInResult: false }
    : { path: same.path, other: same.in ?? same.in_result ?? same.path, isInResult: same.in === undefined };

export const readsResult = ({ result, same = [] }: Other): boolean =>
  result !== undefined || same.some((one) => sidesOf(one).isInResult);

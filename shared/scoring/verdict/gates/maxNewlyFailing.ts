import type { StatusLetter } from '../kept.ts';
import { restoreName, shortenName } from '../shortNames.ts';
import { ofOptionalBar } from '../strictness.ts';
import { type Gate, statusOf } from './gate.ts';
import { type Compares, comparedShares, NO_BASELINE, notComparable } from './relative.ts';

type Figures = readonly [count: number, ...Compares, ...keys: string[]] | readonly [];

/** How many cases fail that passed in the baseline, however many others pass now. */
export const maxNewlyFailing: Gate<readonly ['newly', StatusLetter, required: number, ...Figures]> = {
  kind: 'newly',
  isRelative: true,

  /** More than may fail is a failure, however little is compared. */
  results({ settings, compared }) {
    const required = settings.gates.max_newly_failing;
    if (required === undefined) return [];
    if (compared === undefined) return [['newly', 'i', required]];
    const failed = compared.withErroredFailed;
    const fails = compared.withErroredPassed.counts.newly_failing > required;
    const mayFail = failed.counts.newly_failing > required || !compared.asJudged.comparable;
    const keys = compared.newlyFailingKeys(failed).map(shortenName);
    const figures = [failed.counts.newly_failing, ...comparedShares(compared, settings), ...keys] as const;
    return [['newly', fails ? 'f' : mayFail ? 'i' : 'p', required, ...figures]];
  },

  answer([, letter, required, observed, share = 1, minShare = 0, assumed = 0, ...keys]) {
    const entry = { gate: 'max_newly_failing', ...statusOf(letter), observed: observed ?? null, required };
    if (observed === undefined) return { ...entry, reason: NO_BASELINE };
    return {
      ...entry,
      ...(keys.length > 0 && { cases: keys.map(restoreName) }),
      ...(letter === 'i' && notComparable([share, minShare, assumed])),
    };
  },

  shares: () => [],

  effect: ({ max_newly_failing: before }, { max_newly_failing: after }) =>
    ofOptionalBar(before && -before, after && -after),

  demands: () => [],
};

import type { GatedCase, Gating } from '../gating.ts';
import { NAMED_CASES_MAX, type StatusLetter } from '../kept.ts';
import { restoreName, shortenName } from '../shortNames.ts';
import { type Gate, statusOf } from './gate.ts';

const requiredCases = ({ heaviestFirst }: Gating): readonly GatedCase[] =>
  heaviestFirst.filter((one) => one.mustPass);

/** A field of cases, not of the suite: what a push changes of it is in the plan of its case. */
export const mustPass: Gate<readonly ['must', StatusLetter, open: number, ...keys: string[]]> = {
  kind: 'must',

  /** Names cases that failed or are missing before those that could not be judged, each heaviest first. */
  results(gating) {
    const required = requiredCases(gating);
    if (required.length === 0) return [];
    const open = required.filter(({ passed }) => !passed);
    const [errored, failed] = [open.filter((one) => one.errored), open.filter((one) => !one.errored)];
    const status = failed.length > 0 ? 'f' : open.length > 0 ? 'i' : 'p';
    const named = [...failed, ...errored].slice(0, NAMED_CASES_MAX);
    return [['must', status, open.length, ...named.map(({ key }) => shortenName(key))]];
  },

  answer([, letter, observed, ...keys]) {
    const cases = keys.length > 0 && { cases: keys.map(restoreName) };
    return { gate: 'must_pass', ...statusOf(letter), observed, required: 0, ...cases };
  },

  requiredCases,
  shares: () => [],
  effect: () => 'same',
  demands: () => [],
};

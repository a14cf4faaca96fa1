import { describe, expect, test } from '@jest/globals';
import { type RepeatedVerdict, reliabilityOf } from '../../../../shared/domain/reliability/reliability.ts';
import { Random } from '../../../faults/random.ts';

const pair = (first: RepeatedVerdict['first'], second: RepeatedVerdict['second'], sameOutputs = false) => ({
  first,
  second,
  sameOutputs,
});
const pairs = (disagreed: number, commits: number) =>
  Array.from({ length: commits }, (_, index) => pair('cleared', index < disagreed ? 'aborted' : 'cleared'));

test('without a pair there is no figure', () => {
  expect(reliabilityOf([])).toBeNull();
});

test('each row counts its commits, and an inconclusive run takes its commit out of all rows', () => {
  expect(
    reliabilityOf([
      pair('cleared', 'cleared', true),
      pair('cleared', 'aborted'),
      pair('aborted', 'aborted', true),
      pair('aborted', 'cleared', true),
      pair('aborted', 'inconclusive', true),
      pair('inconclusive', 'cleared'),
    ]),
  ).toEqual({
    commits_judged_again: 4,
    disagreed: 2,
    lower: null,
    upper: null,
    cleared_first: { commits: 2, disagreed: 1 },
    aborted_first: { commits: 2, disagreed: 1 },
    same_outputs: { commits: 3, disagreed: 1 },
    inconclusive: 2,
  });
});

test.each([
  [0, 10, 0, 0.277533],
  [1, 10, 0.017876, 0.40415],
  [2, 23, 0.02418, 0.26796],
  [10, 10, 0.722467, 1],
])(
  '%i of %i commits that disagreed give Wilson’s interval from %d to %d',
  (disagreed, commits, lower, upper) => {
    const reliability = reliabilityOf(pairs(disagreed, commits));
    expect(reliability?.lower).toBeCloseTo(lower, 6);
    expect(reliability?.upper).toBeCloseTo(upper, 6);
  },
);

test('nine commits show no interval', () => {
  expect(reliabilityOf(pairs(1, 9))).toMatchObject({ disagreed: 1, lower: null, upper: null });
});

describe('the interval holds the true share of contradictions', () => {
  const TRIALS = 2_000;
  const cells = [10, 20, 50, 100].flatMap((commits) =>
    [0.01, 0.05, 0.1, 0.3].map((flip) => ({ commits, flip })),
  );

  /** Each verdict of a commit is flipped by itself. */
  function coverage({ commits, flip }: (typeof cells)[number]): number {
    const random = new Random(commits * 1_000 + flip * 100);
    const verdict = (isGood: boolean) => (isGood !== random.chance(flip) ? 'cleared' : 'aborted');
    const truth = 2 * flip * (1 - flip);
    let held = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const drawn = Array.from({ length: commits }, () => {
        const isGood = random.chance(0.8);
        return pair(verdict(isGood), verdict(isGood));
      });
      const { lower, upper } = reliabilityOf(drawn) ?? {};
      if ((lower ?? 1) <= truth && truth <= (upper ?? 0)) held++;
    }
    return held / TRIALS;
  }

  test('in 91 % of the trials of each number of commits and chance to flip, and in 94 % on average', () => {
    const shares = cells.map(coverage);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.91);
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThanOrEqual(0.94);
  });
});

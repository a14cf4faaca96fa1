import { countVotes, type Vote, type VoteRule } from '../../shared/scoring/judging/votes.ts';
import { reaches } from '../../shared/scoring/verdict/tolerance.ts';
import { Random } from '../../test/faults/random.ts';
import type { Row } from '../result.ts';

const THRESHOLD = 0.7;
const FIVE = [0, 0.25, 0.5, 0.75, 1];
/** Percent of the outputs that get another verdict when they are judged again, and calls an output. */
const PUBLISHED = [
  { scale: 'no scale', levels: [], deviation: 0.1, flips: [8.1, 5, 4.1], calls: [1, 1.33, 1.65] },
  { scale: 'no scale', levels: [], deviation: 0.15, flips: [14.7, 8.4, 7], calls: [1, 1.38, 1.74] },
  { scale: 'five levels', levels: FIVE, deviation: 0.1, flips: [6.2, 4.5, 3.8], calls: [1, 1.44, 1.88] },
  { scale: 'five levels', levels: FIVE, deviation: 0.15, flips: [10.7, 6.1, 5.2], calls: [1, 1.49, 1.98] },
  {
    scale: 'three levels',
    levels: [0, 0.5, 1],
    deviation: 0.1,
    flips: [10.2, 5.4, 4.1],
    calls: [1, 1.97, 2.9],
  },
  {
    scale: 'three levels',
    levels: [0, 0.5, 1],
    deviation: 0.15,
    flips: [18.7, 10.4, 7.1],
    calls: [1, 2.05, 3.1],
  },
  { scale: 'two levels', levels: [0, 1], deviation: 0.1, flips: [3.9, 1.8, 1.1], calls: [1, 2.04, 3.1] },
  { scale: 'two levels', levels: [0, 1], deviation: 0.15, flips: [7.4, 4, 2.7], calls: [1, 2.07, 3.1] },
] as const;
const VOTES = [1, 3, 5] as const;

/** One in five is within 0.15 of the bar; of the clear-cut ones two thirds are good. */
function drawOutput(random: Random): number {
  if (random.chance(0.2)) return THRESHOLD + 0.15 * (2 * random.next() - 1);
  return random.chance(2 / 3) ? 1 - 0.125 * random.next() : 0.45 * random.next();
}

/** Normally distributed, by Box and Muller. */
const noise = (random: Random, deviation: number): number =>
  deviation * Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

function voteOn(quality: number, { levels, threshold }: VoteRule, deviation: number, random: Random): Vote {
  const seen = quality + noise(random, deviation);
  const nearest = (one: number, other: number) =>
    Math.abs(other - seen) < Math.abs(one - seen) ? other : one;
  const score = levels.length === 0 ? seen : levels.reduce(nearest);
  return { score, passed: reaches(score, threshold) };
}

function judge(quality: number, rule: VoteRule, deviation: number, random: Random) {
  const cast: Vote[] = [];
  for (;;) {
    const counted = countVotes(cast, 0, rule);
    if (typeof counted === 'object') return { passed: counted.decidedBy.passed, calls: cast.length };
    cast.push(voteOn(quality, rule, deviation, random));
  }
}

/** How often votes next to the bar still differ, how many calls they take, and how far that is from what is published. */
export function voteRows(outputs: number): Row[] {
  let [furthestFlips, furthestCalls] = [0, 0];
  const rows = PUBLISHED.flatMap(({ scale, levels, deviation, flips, calls }) =>
    VOTES.flatMap((votes, place): Row[] => {
      const rule = { votes, threshold: THRESHOLD, precisionThreshold: null, recallThreshold: null, levels };
      const random = new Random(votes);
      let [flipped, callCount] = [0, 0];
      for (let output = 0; output < outputs; output++) {
        const quality = drawOutput(random);
        const first = judge(quality, rule, deviation, random);
        const again = judge(quality, rule, deviation, random);
        if (first.passed !== again.passed) flipped++;
        callCount += first.calls;
      }
      const shares = [(100 * flipped) / outputs, callCount / outputs] as const;
      furthestFlips = Math.max(furthestFlips, Math.abs(shares[0] - (flips[place] ?? 0)));
      furthestCalls = Math.max(furthestCalls, Math.abs(shares[1] - (calls[place] ?? 0)));
      const setting = `${votes} ${votes === 1 ? 'vote' : 'votes'}, ${scale}, deviation ${deviation}`;
      return [
        { metric: `verdicts that flip: ${setting}`, value: rounded(shares[0]), unit: '%' },
        { metric: `judge calls an output: ${setting}`, value: rounded(shares[1]), unit: '' },
      ];
    }),
  );
  return [
    ...rows,
    {
      metric: 'flips, furthest from docs/scorers.md',
      value: furthestFlips,
      unit: 'points',
      bound: { atMost: 0.5 },
    },
    { metric: 'judge calls, furthest from it', value: furthestCalls, unit: '', bound: { atMost: 0.06 } },
  ];
}

const rounded = (value: number): number => Math.round(100 * value) / 100;

import { describe, expect, test } from '@jest/globals';
import { countVotes, type Vote, type VoteRule } from '../../../../shared/scoring/judging/votes.ts';
import { reaches } from '../../../../shared/scoring/verdict/tolerance.ts';

const ruleOf = (given: Partial<VoteRule>): VoteRule => ({
  votes: 3,
  threshold: 0.7,
  precisionThreshold: null,
  recallThreshold: null,
  levels: [],
  ...given,
});

const voteOf = (score: number, { threshold }: VoteRule): Vote => ({
  score,
  passed: reaches(score, threshold),
});

/** Asks until the votes decide. `null` in place of a score: an error. */
function play(answers: readonly (number | null)[], rule: VoteRule) {
  const cast: Vote[] = [];
  for (let calls = 0; ; calls++) {
    const counted = countVotes(cast, calls - cast.length, rule);
    if (counted === 'undecided') return { calls, decided: 'error' };
    if (counted !== 'ask')
      return { calls, cast: cast.length, decided: counted.decidedBy.score, passed: counted.decidedBy.passed };
    const answer = answers[calls];
    if (answer === undefined) throw new Error('More votes are asked for than the vector has');
    if (answer !== null) cast.push(voteOf(answer, rule));
  }
}

describe('of three votes at a threshold of 0.7', () => {
  test.each([
    [[0.95], 1, 0.95],
    [[0.851], 1, 0.851],
    [[0.85, 0.9], 2, 0.85],
    [[0.65, 0.8, 0.75], 3, 0.75],
    [[0.65, 0.6], 2, 0.6],
    [[0.72, null, 0.74], 3, 0.72],
    [[0.72, null, 0.1], 3, 'error'],
    [[0.72, null, null], 3, 'error'],
    [[null], 1, 'error'],
  ])('the answers %j take %d calls, and %p decides', (answers, calls, decided) => {
    const passed = typeof decided === 'number' ? { passed: decided >= 0.7 } : {};
    expect(play(answers, ruleOf({}))).toMatchObject({ calls, decided, ...passed });
  });

  test('with five levels only those beside the threshold take a further vote', () => {
    const rule = ruleOf({ levels: [0, 0.25, 0.5, 0.75, 1] });
    const calls = rule.levels.map((score) => play([score, score], rule).calls);
    expect(calls).toEqual([1, 1, 2, 2, 1]);
  });

  test('of five, no further vote is cast once the rest cannot decide', () => {
    expect(play([0.72, null, null, null], ruleOf({ votes: 5 }))).toEqual({ calls: 4, decided: 'error' });
  });
});

test('with two levels each first vote is near; a scale that only passes has none that is', () => {
  const both = ruleOf({ levels: [0, 1], threshold: 0.5 });
  expect(play([1, 1], both)).toMatchObject({ calls: 2, passed: true });
  expect(play([1, 0, 1], both)).toMatchObject({ calls: 3, passed: true });
  expect(play([0, 1, 0], both)).toMatchObject({ calls: 3, passed: false, decided: 0 });
  expect(play([0.5], ruleOf({ levels: [0.5, 1], threshold: 0.3 }))).toMatchObject({ calls: 1, passed: true });
});

test('a dual-sided vote is near the bar where its score or a side with a threshold is', () => {
  const vote = { score: 0.95, passed: true, precisionRecall: { precision: 0.9, recall: 1 } };
  const near = (rule: Partial<VoteRule>) =>
    countVotes([vote], 0, ruleOf({ threshold: 0.5, ...rule })) === 'ask';
  expect(near({})).toBe(false);
  expect(near({ precisionThreshold: 0.8 })).toBe(true);
  expect(near({ recallThreshold: 0.8 })).toBe(false);
  expect(near({ recallThreshold: 0.85 })).toBe(true);
});

/** All sequences of so many levels. */
function* sequences(levels: readonly number[], length: number): Generator<number[]> {
  if (length === 0) yield [];
  else for (const rest of sequences(levels, length - 1)) for (const level of levels) yield [level, ...rest];
}

test('on every scale of two to five levels a case passes exactly when most of all its votes would', () => {
  for (const count of [2, 3, 4, 5]) {
    const levels = Array.from({ length: count }, (_, index) => index / (count - 1));
    for (const threshold of [0, 0.3, 0.5, 0.7, 1]) {
      for (const votes of [1, 3, 5]) {
        const rule = ruleOf({ levels, threshold, votes });
        for (const scores of sequences(levels, votes)) {
          const { calls, passed } = play(scores, rule);
          const passes = scores.filter((score) => reaches(score, threshold)).length;
          const isNear = votes > 1 && calls > 1;
          if (passed !== (isNear ? 2 * passes > votes : reaches(scores[0] ?? 0, threshold)))
            throw new Error(`${scores} at ${threshold} of ${levels}: ${passed}`);
        }
      }
    }
  }
});

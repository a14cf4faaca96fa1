import { expect, test } from '@jest/globals';
import { type Reliability, reliabilityWords } from '../../../../clients/gate/report/reliability.ts';

const RELIABILITY: Reliability = {
  commits_judged_again: 23,
  disagreed: 2,
  lower: 0.02418,
  upper: 0.26796,
  cleared_first: { commits: 19, disagreed: 1 },
  aborted_first: { commits: 4, disagreed: 1 },
  same_outputs: { commits: 5, disagreed: 0 },
  inconclusive: 0,
};

test.each<[Partial<Reliability>, string]>([
  [
    {},
    'Judged again by the clock: 2 of 23 commits got the other verdict (2 to 27 %); of 4 that were aborted first, 1.',
  ],
  [
    { aborted_first: { commits: 1, disagreed: 0 }, inconclusive: 1 },
    'Judged again by the clock: 2 of 23 commits got the other verdict (2 to 27 %); of 1 that was aborted first, 0. 1 more commit had an inconclusive run.',
  ],
  [
    { aborted_first: { commits: 0, disagreed: 0 } },
    'Judged again by the clock: 2 of 23 commits got the other verdict (2 to 27 %).',
  ],
  [
    { commits_judged_again: 3, disagreed: 0, lower: null, upper: null, inconclusive: 2 },
    '3 commits judged again, 0 disagreed: too few for a figure. 2 more commits had an inconclusive run.',
  ],
])('the line of %j', (fields, words) => {
  expect(reliabilityWords({ ...RELIABILITY, ...fields })).toBe(words);
});

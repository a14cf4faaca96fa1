import type { SuitesRevisionAnswer } from '../../sdk/index.ts';
import { counted } from './numbers.ts';

export type Reliability = NonNullable<SuitesRevisionAnswer['reliability']>;

const percent = (value: number): string => (value * 100).toFixed(0);

/** How often the bar got the other verdict for one commit, where a clock judged one again. */
export function reliabilityWords(reliability: Reliability): string {
  const { commits_judged_again: commits, disagreed, lower, upper, aborted_first, inconclusive } = reliability;
  const apart = inconclusive > 0 ? ` ${counted(inconclusive, 'more commit')} had an inconclusive run.` : '';
  if (lower === null || upper === null)
    return `${counted(commits, 'commit')} judged again, ${disagreed} disagreed: too few for a figure.${apart}`;
  const range = `${percent(lower)} to ${percent(upper)} %`;
  const ofAborted =
    aborted_first.commits > 0
      ? `; of ${aborted_first.commits} that ${aborted_first.commits === 1 ? 'was' : 'were'} aborted first, ${aborted_first.disagreed}`
      : '';
  return `Judged again by the clock: ${disagreed} of ${counted(commits, 'commit')} got the other verdict (${range})${ofAborted}.${apart}`;
}

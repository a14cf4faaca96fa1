import { saidBy } from '../reliability/said.ts';
import type { LogEnd } from '../runs/loggedCommits.ts';
import type { PendingRunStore } from './ports.ts';

/** The same store. Each pending run that it moves to its end is logged, once. */
export const loggedConclusions = <Store extends PendingRunStore>(store: Store, logEnd: LogEnd): Store => ({
  ...store,
  async conclude(evaluation, verdict) {
    const isEnd = await store.conclude(evaluation, verdict);
    if (isEnd) logEnd(evaluation.run.id, saidBy(verdict));
    return isEnd;
  },
});

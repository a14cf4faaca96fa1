import { type Said, saidBy } from '../reliability/said.ts';
import type { RunStore } from './ports.ts';

export type LogEnd = (runId: string, verdict: Said) => void;

/** The same store. Each run that it stores with a verdict is logged. */
export const loggedCommits = (runs: RunStore, logEnd: LogEnd): RunStore => ({
  ...runs,
  async commit(finished) {
    const stored = await runs.commit(finished);
    if (stored.outcome === 'stored') logEnd(stored.run.id, saidBy(stored.run));
    return stored;
  },
});

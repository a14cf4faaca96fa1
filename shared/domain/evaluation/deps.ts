import type { WorkQueue } from '../messages.ts';
import type { Ambient } from '../ports.ts';
import type { Sleep } from './heartbeat.ts';
import type { JudgeKeys } from './judging/keyring.ts';
import type { Judge } from './judging/ports.ts';
import type { EvaluationStore, PlanningStore } from './ports.ts';
import type { WithSlot } from './slots/slots.ts';

export interface EvaluateDeps extends Ambient, JudgeKeys {
  readonly evaluations: EvaluationStore;
  readonly planning: PlanningStore;
  readonly queue: WorkQueue;
  readonly judge: Judge;
  readonly withSlot: WithSlot;
  readonly sleep: Sleep;
  readonly random: () => number;
  readonly newDelimiter: () => string;
}

/** All calls that a case may make were made, some of them in earlier deliveries of its chunk. */
export class CallsExhausted extends Error {
  readonly code = 'CALLS_EXHAUSTED';

  constructor() {
    super('All provider calls of this case were made');
    this.name = 'CallsExhausted';
  }
}

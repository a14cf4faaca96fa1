import {
  GIVE_UP_AFTER_MS,
  GIVE_UP_AT_LAST_AFTER_MS,
  GIVE_UP_BEHIND_OTHERS_AFTER_MS,
  MARK_BEFORE_MS,
  NUDGES_MIN,
  QUEUE_ORDER_MS,
} from '../limits.ts';

/** What a sweep knows of a pending run. In ms since 1970. */
export interface SilentRun {
  /** When a chunk of the run was last worked on, put back or ended, or is to be asked for; at first, when the run was accepted. */
  readonly aliveAtMs: number;
  /** When messages for its chunks were last sent; 0 for never. */
  readonly sentAtMs: number;
  /** How often, and when, the evaluator was reminded of it; 0 for never. */
  readonly nudges: number;
  readonly nudgedAtMs: number;
}

export interface Moment {
  readonly nowMs: number;
  readonly nudgeAfterMs: number;
  /** What was sent for the run's organisation before this moment was delivered. */
  readonly deliveredUntilMs: number;
  /** Whether the run may wait behind others of its organisation for judge slots. */
  readonly isBehindOthers: boolean;
}

/** `mark`: to know whether a message of the run still waits, the queue must be marked. */
export type Decision = 'leave' | 'mark' | 'give_up' | { readonly nudges: number };

/** Whether a message that was sent at a moment may still wait in the queue. */
export const mayWait = (sentAtMs: number, { deliveredUntilMs }: Pick<Moment, 'deliveredUntilMs'>): boolean =>
  sentAtMs > deliveredUntilMs - QUEUE_ORDER_MS;

/** What waits in the queue is neither asked for again nor given up, as long as it can be evaluated at all. */
export function decide(run: SilentRun, moment: Moment): Decision {
  const { nowMs, nudgeAfterMs, isBehindOthers } = moment;
  const { aliveAtMs, nudgedAtMs, sentAtMs } = run;
  const silentMs = nowMs - aliveAtMs;
  if (silentMs < nudgeAfterMs - MARK_BEFORE_MS) return 'leave';
  if (mayWait(Math.max(aliveAtMs, nudgedAtMs, sentAtMs), moment)) {
    return silentMs >= GIVE_UP_AT_LAST_AFTER_MS ? 'give_up' : 'mark';
  }
  if (silentMs < nudgeAfterMs) return 'leave';
  const isFirst = aliveAtMs > nudgedAtMs || nudgeAfterMs === 0;
  const nudges = isFirst ? 0 : run.nudges;
  const unaskedMs = nowMs - Math.max(aliveAtMs, nudgedAtMs);
  const patienceMs = isBehindOthers ? GIVE_UP_BEHIND_OTHERS_AFTER_MS : GIVE_UP_AFTER_MS;
  const isLost = silentMs >= patienceMs && nudges >= NUDGES_MIN;
  if (isLost && unaskedMs >= nudgeAfterMs) return 'give_up';
  return unaskedMs < nudgeAfterMs * 2 ** nudges ? 'leave' : { nudges: nudges + 1 };
}

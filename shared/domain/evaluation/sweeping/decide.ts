import {
  BUSY_FACTOR,
  GIVE_UP_AFTER_MS,
  GIVE_UP_AT_LAST_AFTER_MS,
  GIVE_UP_BUSY_AFTER_MS,
  REMINDERS_MIN,
} from '../limits.ts';

/** What a sweep knows of a pending run. In ms since 1970. */
export interface SilentRun {
  /** When a chunk of the run was last worked on, put back or ended, or is to be asked for; at first, when the run was accepted. */
  readonly aliveAtMs: number;
  /** How often, and when, the evaluator was reminded of it; 0 for never. */
  readonly reminders: number;
  readonly remindedAtMs: number;
}

export interface Moment {
  readonly nowMs: number;
  readonly remindAfterMs: number;
  /** The run's message may wait behind others: the queue is not empty, or judge slots of its organisation are in use. */
  readonly isBusy: boolean;
}

export type Decision = 'leave' | 'give_up' | { readonly reminders: number };

/** Whether the message of a silent run is lost is not known: while it may wait behind others, patience is longer. */
export function decide(run: SilentRun, { nowMs, remindAfterMs, isBusy }: Moment): Decision {
  const { aliveAtMs, remindedAtMs } = run;
  const silentMs = nowMs - aliveAtMs;
  const unremindedMs = nowMs - Math.max(aliveAtMs, remindedAtMs);
  const intervalMs = isBusy ? BUSY_FACTOR * remindAfterMs : remindAfterMs;
  const isFirst = aliveAtMs > remindedAtMs || remindAfterMs === 0;
  const reminders = isFirst ? 0 : run.reminders;
  const isLost =
    silentMs >= (isBusy ? GIVE_UP_BUSY_AFTER_MS : GIVE_UP_AFTER_MS) && reminders >= REMINDERS_MIN;
  if (isLost && unremindedMs >= intervalMs) return 'give_up';
  if (isBusy && silentMs >= GIVE_UP_AT_LAST_AFTER_MS) return 'give_up';
  return unremindedMs < intervalMs * 2 ** reminders ? 'leave' : { reminders: reminders + 1 };
}

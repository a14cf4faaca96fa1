/** Every bound of an evaluation. What follows from another bound is computed from it. */
import { DAY_MS, MINUTE_MS } from '../time.ts';

/** Lambda's limit for one invocation. */
export const EVALUATOR_SECONDS_MAX = 900;

/** How often a message is delivered, and how many evaluators may fail at a chunk, before the chunk is given up. */
export const DELIVERIES_MAX = 5;
export const TRIES_MAX = DELIVERIES_MAX;

/** Of one vote: a question to the judge and three repetitions. They are counted in the table, so that a crash adds none. */
export const CALLS_PER_CASE_MAX = 4;
/** The longest that JUDGE_CALL_TIMEOUT_MS may be. */
export const CALL_MS_MAX = 60_000;
/** The longest wait that a provider's `Retry-After` is followed for. */
export const RETRY_AFTER_MS_MAX = 30_000;
export const BACKOFF_BASE_MS = 1_000;
const RETRIES_MAX = CALLS_PER_CASE_MAX - 1;
/** The longest wait between two calls: `Retry-After`, and a quarter of the longest backoff on top. */
const RETRY_WAIT_MS_MAX = RETRY_AFTER_MS_MAX + (BACKOFF_BASE_MS * 2 ** (RETRIES_MAX - 1)) / 4;

export const caseMsMax = (callMs: number): number =>
  CALLS_PER_CASE_MAX * callMs + RETRIES_MAX * RETRY_WAIT_MS_MAX;

/** Judge calls of an organisation that may be under way at a provider, in all functions together. */
export const SLOTS_MAX = 20;
/** How much the clocks of two functions may differ, with a slow write in between. */
const CLOCKS_MS = 30_000;
/** How often a holder renews what it holds: its chunk, its seats, the slots that its calls use one after the other. */
export const HEARTBEAT_MS = 30_000;
/** The oldest lease that a call may begin on: renewed with the last heartbeat, and the writes before a call are slow. */
export const SLOT_FRESH_MS = HEARTBEAT_MS + CLOCKS_MS / 3;
/** Longer than a call that begins at the last moment, so that only a holder that died loses its slot. */
export const SLOT_LEASE_MS = SLOT_FRESH_MS + CALL_MS_MAX + CLOCKS_MS;
/** How long a call waits while other calls of its function get slots. */
export const SLOT_WAIT_MS_MAX = 60_000;
/** How many calls wait in one function. Chunks of further calls go back to the queue. */
export const SLOT_WAITERS_MAX = 10 * SLOTS_MAX;

/**
 * Evaluators that may work for an organisation at a provider, so that no backlog takes all evaluators. One could
 * use all slots; the second uses those that the first no longer needs.
 */
export const SEATS_MAX = 2;
/** How often an evaluator that could use more slots than its share asks whether the other seat is taken. */
export const SHARE_LOOK_MS = 2_000;

/** Claims are prolonged up to the end of the invocation. */
export const HEARTBEATS_MAX = (EVALUATOR_SECONDS_MAX * 1_000) / HEARTBEAT_MS;
/** Two heartbeats may fail before another evaluator can claim the chunk. */
export const CLAIM_MS = 3 * HEARTBEAT_MS;

/** From a run's creation: how long its chunks may wait for judge slots. A verdict a day later is of no use to a gate. */
export const SLOT_PATIENCE_MS = DAY_MS;
/** A chunk that was put back comes again after so long or up to half less, so that chunks do not come together. */
export const UNFINISHED_WAIT_SECONDS = 2;
export const NO_SLOT_WAIT_SECONDS = 30;
/** The same for a chunk without a seat: evaluators with a seat take it from a list long before, unless they all died. */
export const SEAT_WAIT_SECONDS = 240;

/** After this a chunk begins no case: it is put back with those that are left. */
export const CHUNK_TAKES_CASES_MS = 10 * MINUTE_MS;
/** After this it begins no call either: one that waits for a slot first would outlast the invocation. */
export const CHUNK_TAKES_CALLS_MS =
  EVALUATOR_SECONDS_MAX * 1_000 - (SLOT_WAIT_MS_MAX + CALL_MS_MAX) - CALL_MS_MAX - CLOCKS_MS;

/** Chunks that an evaluator works at at once, if none of them needs a slot that it lacks. */
export const CHUNKS_AT_ONCE_MAX = 10;
/** How often one is looked for where others take the chunks that are found. */
export const LOOKS_MAX = 10;
/** An evaluator with slots to spare looks for a chunk that waits: soon after it took one, else less and less often. */
export const NEXT_SOON_MS = 100;
export const NEXT_FIRST_MS = 1_000;
export const NEXT_MS_MAX = 4_000;

/** A message that finds its chunk claimed comes back 4 times after 30 s: it outlasts the claim of a holder that died. */
export const HELD_SECONDS = 30;
export const HELD_MAX = Math.ceil(CLAIM_MS / 1_000 / HELD_SECONDS) + 1;

/** The first reminder of a run without progress; each further one takes twice as long. */
export const REMIND_AFTER_MS = 3 * MINUTE_MS;
/** A run without progress is ended after an hour, but only after four reminders: the service may have been off. */
export const GIVE_UP_AFTER_MS = 60 * MINUTE_MS;
export const REMINDERS_MIN = 4;
/** While the run may wait behind others, in the queue or for judge slots: so many times as long between reminders. */
export const BUSY_FACTOR = 10;
export const GIVE_UP_BUSY_AFTER_MS = DAY_MS;
/** What a run needs for its evaluation expires after three days. */
export const GIVE_UP_AT_LAST_AFTER_MS = 2 * DAY_MS;
/** Of one sweep of one shard while the queue is not empty, one an organisation: reminders must not double a backlog. */
export const BUSY_REMINDERS_MAX = 50;

/** How long a sweep works: the next one, a minute after it, goes on. */
export const SWEEP_WORK_MS = 50_000;

/** How the queue drives the evaluator: the same on a laptop and on AWS. */
import { DELIVERIES_MAX, EVALUATOR_SECONDS_MAX } from '../domain/evaluation/limits.ts';

/** A chunk begins no case after 10 minutes and no call after 11.5, which takes 3 minutes at most, with its wait for a slot. */
export const EVALUATOR_TIMEOUT_SECONDS = EVALUATOR_SECONDS_MAX;

/** Each message has an invocation's whole time: ten judged chunks at once could outlast it waiting for each other. */
export const EVALUATOR_BATCH_SIZE = 1;

/** AWS's advice, so that no message is delivered while it is being handled. */
export const VISIBILITY_TIMEOUT_SECONDS = 6 * EVALUATOR_TIMEOUT_SECONDS;

export const RECEIVES_MAX = DELIVERIES_MAX;

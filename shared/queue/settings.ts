/** How the queue drives the evaluator: the same on a laptop and on AWS. */
import { DELIVERIES_MAX, EVALUATOR_SECONDS_MAX } from '../domain/evaluation/limits.ts';

/** A case takes 14 minutes at most: four calls of 60 s, each after 120 s for a slot, and 93 s between. */
export const EVALUATOR_TIMEOUT_SECONDS = EVALUATOR_SECONDS_MAX;

/** Each message has an invocation's whole time: ten judged chunks at once could outlast it waiting for each other. */
export const EVALUATOR_BATCH_SIZE = 1;

/** AWS's advice, so that no message is delivered while it is being handled. */
export const VISIBILITY_TIMEOUT_SECONDS = 6 * EVALUATOR_TIMEOUT_SECONDS;

export const RECEIVES_MAX = DELIVERIES_MAX;

/** An HTTP API gives up after 30 s, whatever the function's timeout. */
export const API_TIMEOUT_SECONDS = 29;

/** MB of each kind of Lambda function: what a deployment gives and what the costs of a run are reckoned with. */
export const FUNCTION_MEMORY_MB = {
  api: 512,
  /** It waits for the models most of its time, which costs by memory. */
  evaluator: 256,
  scheduled: 256,
} as const;

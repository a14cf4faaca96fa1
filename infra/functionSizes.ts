/** Below the 30 s after which an HTTP API answers with an error. */
export const API_TIMEOUT_SECONDS = 29;

/** MB of each kind of Lambda function, for deployments and for the cost bench. */
export const FUNCTION_MEMORY_MB = {
  api: 512,
  /** A judged run of 10,000 cases takes up to 270. Most of the time is waiting for models, which is billed by memory. */
  evaluator: 384,
  scheduled: 256,
  /** Most of its time is its own work: twice the memory is twice the processor. */
  reportOverage: 512,
} as const;

export { Evalgate } from './client.ts';
export {
  ConflictError,
  ConnectionError,
  CredentialError,
  EvalgateError,
  NotFoundError,
  RateLimitError,
  RequestError,
  ServiceError,
  TimeoutError,
  UsageLimitError,
} from './errors.ts';
export type * from './generated/types.ts';
export type { List, Page } from './lists.ts';
export type { CallOptions, KeyedOptions } from './transport/operation.ts';
export type { CredentialSource, Options, Service } from './transport/settings.ts';
export { type Failure, GateNotCleared, type Outcome } from './verdict.ts';
export { durationMs, type RunOptions, type WaitOptions } from './wait.ts';

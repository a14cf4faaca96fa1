import type { ApiRequest } from './apiMessages.ts';

/** What tests change about the simulated provider. All of it may change at any time. */
export interface ProviderHooks {
  /**
   * `down`: every request gets a 500. `drop`: a request is carried out and its answer is lost. `stall`: no answer
   * comes. `unauthorised`: no secret key is accepted.
   */
  fault: 'down' | 'drop' | 'stall' | 'unauthorised' | undefined;
  /** False: a request with a known idempotency key is carried out again. */
  keepsIdempotencyKeys: boolean;
  /** Awaited before a request is carried out, and again before its answer is sent. May throw the first time. */
  delay: (when: 'received' | 'answered', request: ApiRequest) => Promise<void>;
}

export const noHooks = (): ProviderHooks => ({
  fault: undefined,
  keepsIdempotencyKeys: true,
  delay: async () => {},
});

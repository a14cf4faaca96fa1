import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Contract } from '../contracts/base/contract.ts';
import { AppError } from '../domain/errors.ts';
import {
  createRateLimiter,
  RATE_LIMITS,
  type RateClass,
  type RateLimiter,
  type Standing,
} from '../domain/rateLimits.ts';
import { countMetric, describeError } from '../runtime/log.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { rateLimitStore } from '../storage/accounts/rateLimits.ts';
import { clientAddress } from './clientAddress.ts';
import { countedAddress } from './countedAddress.ts';

export interface RateLimitGate {
  /** Counts while the credential is checked. Beyond the limit the answer is 429, whatever the credential. */
  countAndLookUp<T>(event: APIGatewayProxyEventV2, lookUp: () => Promise<T>): Promise<T>;
  /** The rate limit headers of every answer, whether the request was counted or not. */
  headers(event: APIGatewayProxyEventV2): Record<string, string>;
}

const limiters = new WeakMap<Runtime, RateLimiter>();

function limiterOf(runtime: Runtime): RateLimiter {
  const { table, now, log, config } = runtime;
  const onUnavailable = (error: unknown, requests: number): void =>
    log('error', 'rate_limit_unavailable', {
      ...describeError(error),
      ...countMetric(config.metricsNamespace, 'RateLimitUnavailable', requests, now()),
    });
  const store = rateLimitStore(table);
  const waitMs = config.rateLimitWaitMs;
  const limiter = limiters.get(runtime) ?? createRateLimiter({ store, now, waitMs, onUnavailable });
  limiters.set(runtime, limiter);
  return limiter;
}

export function rateLimitGate({ rateClass }: Contract, runtime: Runtime): RateLimitGate {
  if (rateClass === 'none' || runtime.config.rateLimits !== 'on') return UNLIMITED;
  const limiter = limiterOf(runtime);
  const standings = new WeakMap<APIGatewayProxyEventV2, Standing>();

  /** An event without an address was an invocation of the function itself, past the API. */
  function addressOf(event: APIGatewayProxyEventV2): string | undefined {
    const address = clientAddress(event, runtime.config.originSecrets);
    return address === undefined ? undefined : countedAddress(address);
  }

  async function count(event: APIGatewayProxyEventV2, address: string): Promise<void> {
    const standing = await limiter.count(rateClass as RateClass, address);
    standings.set(event, standing);
    if (!standing.accepted) throw tooMany(rateClass as RateClass, standing);
  }

  return {
    async countAndLookUp(event, lookUp) {
      const address = addressOf(event);
      if (address === undefined) return lookUp();
      // An address that is certainly refused costs no read of the table.
      const mayPass = limiter.look(rateClass, address).accepted;
      const counted = count(event, address);
      if (!mayPass) return counted.then(lookUp);
      const [standing, lookedUp] = await Promise.allSettled([counted, lookUp()]);
      if (standing.status === 'rejected') throw standing.reason;
      if (lookedUp.status === 'rejected') throw lookedUp.reason;
      return lookedUp.value;
    },
    headers(event) {
      const address = addressOf(event);
      if (address === undefined) return {};
      // A request that was not counted passes.
      const uncounted = { ...limiter.look(rateClass, address), accepted: true };
      return headersOf(rateClass, standings.get(event) ?? uncounted);
    },
  };
}

const UNLIMITED: RateLimitGate = { countAndLookUp: (_, lookUp) => lookUp(), headers: () => ({}) };

function tooMany(rateClass: RateClass, { resetSeconds }: Standing): AppError {
  const { requests, windowMs } = RATE_LIMITS[rateClass];
  const limit = `${requests} requests in ${windowMs / 1_000} seconds`;
  return new AppError(
    'RATE_LIMITED',
    `This address may send ${limit} here: try again in ${resetSeconds} seconds, as the header Retry-After states.`,
    { retry_after_seconds: resetSeconds },
  );
}

const headersOf = (rateClass: RateClass, { remaining, resetSeconds }: Standing) => ({
  'ratelimit-limit': String(RATE_LIMITS[rateClass].requests),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(resetSeconds),
});

import type { DeployedFunction } from './deployed.ts';
import { type Environment, type Host, startEnvironment } from './functionProcess.ts';

export interface LambdaFunction {
  invoke(event: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

/** Concurrent invocations of one function, few enough for a laptop. */
const ENVIRONMENTS_MAX = 2;
/** Idle environments of all functions, one for each on average, 40 MB each. */
const WARM_MAX = 128;

/** The idle environments, the longest unused first. */
export interface WarmPool {
  add(environment: Environment): void;
  take(environment: Environment): void;
}

/** Shared by all functions. Above the limit it ends the longest unused environment. */
export function warmPool(max = WARM_MAX): WarmPool {
  const warm = new Set<Environment>();
  return {
    add(environment) {
      warm.add(environment);
      const [oldest] = warm;
      if (oldest === undefined || warm.size <= max) return;
      warm.delete(oldest);
      void oldest.stop();
    },
    take: (environment) => void warm.delete(environment),
  };
}

/** A function with its environments: started when an invocation finds none free, kept for the next ones. */
export function lambdaFunction(fn: DeployedFunction, host: Host, pool = warmPool()): LambdaFunction {
  const environments = new Set<Environment>();
  const idle: Environment[] = [];
  const waiting: ((environment: Environment) => void)[] = [];

  function start(): Environment {
    const environment = startEnvironment(fn, host);
    environments.add(environment);
    return environment;
  }

  async function acquire(): Promise<Environment> {
    for (let free = idle.pop(); free !== undefined; free = idle.pop()) {
      pool.take(free);
      if (free.isAlive()) return free;
      environments.delete(free);
    }
    if (environments.size < ENVIRONMENTS_MAX) return start();
    return new Promise((resolve) => waiting.push(resolve));
  }

  function release(environment: Environment): void {
    const next = waiting.shift();
    if (!environment.isAlive()) {
      environments.delete(environment);
      next?.(start());
    } else if (next === undefined) {
      idle.push(environment);
      pool.add(environment);
    } else {
      next(environment);
    }
  }

  return {
    async invoke(event) {
      const environment = await acquire();
      try {
        return await environment.invoke(event);
      } finally {
        release(environment);
      }
    },
    async stop() {
      await Promise.all([...environments].map((environment) => environment.stop()));
    },
  };
}

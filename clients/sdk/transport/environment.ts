/** What the client reads of the answer to a request. */
export interface Response {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly text: () => Promise<string>;
}

/** What the client takes from the runtime. A test may bring its own. */
export interface Environment {
  readonly fetch: (url: string, request: RequestInit) => Promise<Response>;
  readonly gzip: (text: string) => Promise<ArrayBuffer | Uint8Array<ArrayBuffer>>;
  /** In ms since 1970. */
  readonly now: () => number;
  /** Resolves after the time; rejects with the signal's reason when that comes first. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls back after the time, unless it is cancelled by what this returns. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** From 0 to 1. */
  readonly random: () => number;
  /** A variable of the process, where there is one. */
  readonly variable: (name: string) => string | undefined;
}

interface Process {
  readonly env: Readonly<Record<string, string | undefined>>;
}
const { process } = globalThis as { process?: Process };

/** An option, or the variable that stands for it. */
export function required<T>({ variable }: Environment, option: string, name: string, value?: T): T | string {
  const given = value ?? variable(name);
  if (given) return given;
  throw new TypeError(`No ${option}: set it, or ${name}.`);
}

const after: Environment['after'] = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

export const ENVIRONMENT: Environment = {
  fetch: (url, request) => fetch(url, request),
  gzip: (text) =>
    new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const cancel = after(ms, resolve);
      signal?.addEventListener('abort', () => {
        cancel();
        reject(signal.reason);
      });
    }),
  after,
  random: Math.random,
  variable: (name) => process?.env[name],
};

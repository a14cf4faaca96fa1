import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll } from '@jest/globals';
import { Evalgate } from '../../../clients/sdk/index.ts';
import type { Options } from '../../../clients/sdk/transport/settings.ts';
import { listening } from '../../support/listening.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  /** Unpacked. */
  readonly body: string;
}

type Answer = (response: ServerResponse, request: Seen) => void;

export interface Hostile {
  readonly url: string;
  readonly seen: Seen[];
  /** What the next requests get, one each; the last one stays. */
  answers(...answers: Answer[]): void;
  stop(): Promise<void>;
}

/** A server that answers as the test says, or not at all. */
export async function startHostile(): Promise<Hostile> {
  const seen: Seen[] = [];
  let queue: Answer[] = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const body = String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body });
    const answer = queue.length > 1 ? queue.shift() : queue[0];
    answer?.(response, seen.at(-1)!);
  });
  const { url, stop } = await listening(server);
  return {
    url,
    seen,
    answers: (...answers) => {
      seen.length = 0;
      queue = answers;
    },
    stop,
  };
}

/** One for all tests of a file. */
export function useHostile(): Hostile {
  const server = {} as Hostile;
  beforeAll(async () => void Object.assign(server, await startHostile()));
  afterAll(() => server.stop());
  return server;
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
export const error = (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  json(status, { error: { code, message: `It is ${code}.` } }, headers);
export const html =
  (status: number, page: string): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end(page);
export const cut: Answer = (response) => void response.destroy();
/** Begins an answer of 100 bytes and ends the connection. */
export const truncated: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"data":');
  setImmediate(() => response.destroy());
};

export const silent: Answer = () => undefined;
export const begun: Answer = (response) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":');

/** Time that passes only in pauses, and where a test says that a timeout ends. */
export function ownTime() {
  const state = { nowMs: 1_000_000 };
  const pauses: number[] = [];
  const timers = new Map<() => void, number>();
  /** Ends the timeouts until a time, the earliest first. */
  function passUntil(ms: number): void {
    for (const [callback, dueMs] of [...timers].sort(([, one], [, other]) => one - other)) {
      if (dueMs > ms || !timers.delete(callback)) continue;
      state.nowMs = Math.max(state.nowMs, dueMs);
      callback();
    }
  }
  return {
    state,
    pauses,
    /** Those that have not been cancelled, with their ends. */
    timers,
    /** Lets time pass until the first timeout ends. */
    expire: () => passUntil(Math.min(...timers.values())),
    environment: {
      now: () => state.nowMs,
      random: () => 0.5,
      async sleep(ms: number, signal?: AbortSignal) {
        signal?.throwIfAborted();
        pauses.push(ms);
        const endMs = state.nowMs + ms;
        passUntil(endMs);
        signal?.throwIfAborted();
        state.nowMs = endMs;
      },
      after(ms: number, callback: () => void) {
        timers.set(callback, state.nowMs + ms);
        return () => void timers.delete(callback);
      },
      variable: () => undefined,
    },
  };
}

export function clientOf(url: string, options: Options = {}) {
  const time = ownTime();
  const environment = { ...time.environment, ...options.environment };
  const gate = new Evalgate({ url, apiKey: 'egk_test', ...options, environment });
  return { gate, time };
}

/** What a promise rejects with. */
export const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => {
      throw new Error(`resolved with ${JSON.stringify(value)}`);
    },
    // biome-ignore lint/suspicious/noExplicitAny: an error is for the test to judge
    (reason): any => reason,
  );

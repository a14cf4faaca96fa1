import { ConnectionError, type EvalgateError, TimeoutError } from '../errors.ts';
import type { Answer } from './answer.ts';
import type { Environment } from './environment.ts';

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | ArrayBuffer | Uint8Array<ArrayBuffer> | undefined;
}

export interface Bounds {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Throws the signal's reason, or a `TimeoutError`, when either comes before the end. */
export async function bounded<T>(
  { after }: Environment,
  { timeoutMs, signal }: Bounds,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timer = new AbortController();
  const either = signal ? AbortSignal.any([timer.signal, signal]) : timer.signal;
  const message = `No answer within ${Math.ceil(timeoutMs / 1_000)} s.`;
  const cancel = after(timeoutMs, () => timer.abort(new TimeoutError(message, { code: 'TIMEOUT' })));
  try {
    return await new Promise<T>((resolve, reject) => {
      either.throwIfAborted();
      either.onabort = () => reject(either.reason);
      act(either).then(resolve, reject);
    });
  } finally {
    cancel();
  }
}

/** The port is closed, or there is no such host. */
const NOT_SENT = /REFUSED|NOTFOUND|EAI_/;

/** One request and its answer, whatever the status. Redirects are not followed: the credential would go there, too. */
export async function attempt(
  environment: Environment,
  { url, ...request }: Sent,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const sent = { ...request, redirect: 'manual', signal } as RequestInit;
    const response = await environment.fetch(url, sent);
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    // Node hides the reason in the cause.
    const { cause = error } = error as { cause?: unknown };
    const { message, code } = cause as Partial<EvalgateError>;
    const lost = `The connection to ${new URL(url).host} failed: ${message || code}.`;
    const isSent = !NOT_SENT.test(`${code}`);
    throw new ConnectionError(lost, { code: isSent ? 'CONNECTION_LOST' : 'NOT_CONNECTED' }, error);
  }
}

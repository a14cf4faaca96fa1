import { issuesOf } from '../../gate/problems/issues.ts';
import { ERROR_HINTS } from '../../sdk/generated/errorHints.ts';
import { ConnectionError, EvalgateError, TimeoutError } from '../../sdk/index.ts';

/** A request that failed, in words. */
export interface Problem {
  /** The service's code, or `HTTP_<status>` where something else answered. */
  readonly code: string;
  /** What is the matter, and what to do. */
  readonly words: string;
  /** Finds the request in the service's log. */
  readonly requestId?: string | undefined;
  /** It is asked again by itself: when, in ms since 1970. */
  readonly againAtMs?: number | undefined;
  /** Asking again may help. */
  readonly mayRetry: boolean;
  /** Fields that the service refused: path → what is wrong. */
  readonly fields: ReadonlyMap<string, string>;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

const OFFLINE_AGAIN_MS = 15_000;
const LIMITED_AGAIN_MS = 5_000;

/** What answered in the service's place. A status says nothing of the session then. */
const FOREIGN: Readonly<Record<number, string>> = {
  200: 'Something on the way answered in place of evalgate, such as the sign-in page of a network. Open another page to sign in there, then try again.',
  403: 'A firewall or a proxy on the way refused the request. Try from another network, or ask who runs this one.',
  404: 'What answered is not evalgate. Check the address of this page.',
  413: 'It is too large for something on the way to the service.',
  429: 'The entrance of the service limits requests at the moment. Wait a little, then try again.',
};

const foreignWords = (status: number): string =>
  FOREIGN[status] ??
  (status >= 500
    ? `The entrance of the service answered HTTP ${status}: the service did not. Wait a moment, then try again.`
    : `Something on the way answered HTTP ${status} in place of evalgate. Try again.`);

/** In place of what the service says: a reader of pages knows no credentials and ids. */
const OWN: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'The service knows no such API key: it was mistyped, was revoked or has ended.',
  NOT_FOUND:
    'There is nothing here that you may see: it was deleted, never existed, or belongs to another organisation.',
  REAUTHENTICATION_REQUIRED:
    'It was not done: you have to sign in again for it. What you typed is still here.',
  INTERNAL_ERROR: 'The service failed. Try again; if it stays, report the request id.',
};

const fieldsOf = (error: EvalgateError): ReadonlyMap<string, string> =>
  new Map(issuesOf(error).map(({ path, message }) => [path, message]));

function lost(code: string, nowMs: number): Problem {
  const words = navigator.onLine ? 'The service cannot be reached.' : 'You are offline.';
  return { code, words, mayRetry: true, againAtMs: nowMs + OFFLINE_AGAIN_MS, fields: new Map() };
}

const withHint = (message: string, code: string): string =>
  [message, ERROR_HINTS[code]].filter(Boolean).join(' ');

/** Of anything that was thrown. */
export function problemOf(error: unknown, nowMs = Date.now()): Problem {
  if (!(error instanceof EvalgateError)) {
    // Such as a part of the page that did not load.
    if (!navigator.onLine) return lost('OFFLINE', nowMs);
    const words = 'This page failed. Reload it; if it stays, report what you did.';
    return { code: 'PAGE_FAILED', words, mayRetry: true, fields: new Map() };
  }
  if (error instanceof TimeoutError)
    return { code: error.code, words: `${error.message} Try again.`, mayRetry: true, fields: new Map() };
  if (error instanceof ConnectionError) return lost(error.code, nowMs);
  const { code, status = 0, message, details, requestId, retryAfterSeconds } = error;
  const known = { code, requestId, details, fields: fieldsOf(error) };
  if (status === 429) {
    const againAtMs = nowMs + (retryAfterSeconds ? retryAfterSeconds * 1_000 : LIMITED_AGAIN_MS);
    return { ...known, words: 'Too many requests at once.', againAtMs, mayRetry: true };
  }
  if (code === `HTTP_${status}`) return { ...known, words: foreignWords(status), mayRetry: true };
  return { ...known, words: OWN[code] ?? withHint(message, code), mayRetry: status >= 500 };
}

/** A success that is no answer of the service. */
export const notOurs = (): EvalgateError =>
  new EvalgateError('Not an answer of evalgate.', { code: 'HTTP_200', status: 200 });

import { ConnectionError, type EvalgateError, errorOf } from '../errors.ts';
import type { Response } from './environment.ts';

/** What came over the wire. */
export interface Answer extends Pick<Response, 'status' | 'headers'> {
  readonly text: string;
}

const QUOTED_MAX = 200;

interface Envelope {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error that an answer stands for, also where it did not come from the service. */
export function errorOfAnswer({ status, headers, text }: Answer): EvalgateError {
  const { code, message, details } = (parsed(text) as Envelope | null | undefined)?.error ?? {};
  const place = headers.get('location');
  const foreign = place ? `a redirect, not followed, to ${place}` : `not from evalgate: ${text.trim()}`;
  return errorOf((code && message) || `HTTP ${status}, ${foreign.slice(0, QUOTED_MAX)}`, {
    status,
    code: code ?? `HTTP_${status}`,
    details,
    requestId: (details?.request_id ?? headers.get('apigw-requestid') ?? undefined) as string | undefined,
    // A date is as good as nothing: the service sends seconds.
    retryAfterSeconds: Number(headers.get('retry-after')) || undefined,
  });
}

/** Makes errors of what GitHub answered, where GitHub was asked: they name GitHub, and not evalgate. */
export function errorOfGithub({ status, headers, text }: Answer): EvalgateError {
  const { message } = (parsed(text) ?? {}) as { readonly message?: unknown };
  const place = headers.get('location');
  // Its page for people says nothing that the status does not.
  const answerText = place
    ? `a redirect, not followed, to ${place}`
    : String(message ?? text.replace(/^\s*<.*/s, '')).trim();
  return errorOf(`GitHub answered HTTP ${status}${answerText && `: ${answerText.slice(0, QUOTED_MAX)}`}`, {
    status,
    code: `GITHUB_${status}`,
    retryAfterSeconds: Number(headers.get('retry-after')) || undefined,
  });
}

/** The body of a success. Throws for what is none, such as the page of a proxy. */
export function bodyOf(answer: Answer, errorOf: (answer: Answer) => EvalgateError): unknown {
  const { status, headers, text } = answer;
  const body = parsed(text);
  if (body !== undefined || status === 204) return body;
  if (/json/i.test(headers.get('content-type') ?? '')) {
    throw new ConnectionError('The answer was cut off.', { code: 'CONNECTION_LOST' });
  }
  throw errorOf(answer);
}

/** A field of the body. Without it something else than evalgate answered. */
export function fieldOf(body: unknown, name: string): unknown {
  const field = (body as Readonly<Record<string, unknown>> | null)?.[name];
  if (field !== undefined) return field;
  throw errorOf(`not from evalgate: no ${name}`, { status: 200, code: 'HTTP_200' });
}

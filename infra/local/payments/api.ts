import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { findOperation, READS, WRITES, type Write } from './operations.ts';
import { type Form, parseForm } from './pages/form.ts';
import type { View } from './resources/change.ts';
import { ProviderError } from './resources/providerError.ts';
import { KEPT_ANSWER_MS, type KeptAnswer, type PaymentStore } from './resources/store.ts';

interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface ApiDependencies {
  readonly store: PaymentStore;
  readonly now: () => number;
  readonly baseUrl: () => string;
  readonly deliverAgain: (eventId: string) => Promise<number>;
  /** After every change: it may have brought events to deliver, or let them go. */
  readonly changed: () => void;
}

export type PaymentApi = (request: ApiRequest) => Promise<ApiAnswer>;

const IDEMPOTENCY_KEY_MAX = 255;

export function createPaymentApi(dependencies: ApiDependencies): PaymentApi {
  return async (request) => {
    const requestId = `req_${randomBytes(12).toString('hex')}`;
    const { status, headers, body } = await answer(dependencies, request, requestId).catch(refusal);
    const version = one(request.headers['stripe-version']);
    const key = one(request.headers['idempotency-key']);
    return {
      status,
      headers: {
        'content-type': 'application/json',
        'request-id': requestId,
        ...(version === undefined ? {} : { 'stripe-version': version }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      body,
    };
  };
}

async function answer(
  dependencies: ApiDependencies,
  request: ApiRequest,
  requestId: string,
): Promise<ApiAnswer> {
  const { store, now, baseUrl, deliverAgain } = dependencies;
  const { method, path } = request;
  authenticate(store.read().secretKey, one(request.headers.authorization));
  const [, eventId] = /^\/simulation\/events\/(\w+)\/deliver$/.exec(path) ?? [];
  if (method === 'POST' && eventId !== undefined) return ok({ status: await deliverAgain(eventId) });

  const read = findOperation(READS, method, path);
  if (read !== undefined) {
    const view: View = { state: store.read(), nowMs: now(), baseUrl: baseUrl() };
    return ok(read.operation.prepare(parseForm(request.query), read.id)(view));
  }
  const write = findOperation(WRITES, method, path);
  if (write === undefined) {
    throw new ProviderError(404, `Unrecognized request URL (${method}: ${path}).`);
  }
  const form = parseForm(method === 'DELETE' ? request.query : request.body);
  const written = perform(dependencies, { ...write, form, request, requestId });
  dependencies.changed();
  return written;
}

interface Writing {
  readonly operation: Write;
  readonly id: string;
  readonly form: Form;
  readonly request: ApiRequest;
  readonly requestId: string;
}

/** Under an idempotency key what was answered first is answered again, a 500 as well, and nothing is done. */
function perform({ store, now, baseUrl }: ApiDependencies, writing: Writing): ApiAnswer {
  const { operation, id, form, request, requestId } = writing;
  const run = operation.prepare(form, id);
  const key = request.method === 'POST' ? one(request.headers['idempotency-key']) : undefined;
  if (key !== undefined && key.length > IDEMPOTENCY_KEY_MAX) {
    throw new ProviderError(400, `Idempotency keys have at most ${IDEMPOTENCY_KEY_MAX} characters.`);
  }
  const fingerprint = sha256(`${request.method} ${request.path} ${JSON.stringify(form)}`).toString('hex');
  const earlier = store
    .read()
    .keptAnswers.find((kept) => kept.key === key && kept.atMs > now() - KEPT_ANSWER_MS);
  if (earlier !== undefined) return replay(earlier, fingerprint);

  return store.change((state) => {
    const nowMs = now();
    const context = {
      state,
      nowMs,
      baseUrl: baseUrl(),
      request: { id: requestId, idempotency_key: key ?? null },
    };
    // An operation changes the state only when nothing can go wrong any more.
    const { status, headers, body } = attempt(() => {
      if (request.path.startsWith('/v1/') && state.failuresDue > 0) {
        state.failuresDue--;
        throw new ProviderError(500, 'The simulated provider was told to fail.', { type: 'api_error' });
      }
      return run(context);
    });
    if (key !== undefined) state.keptAnswers.push({ key, fingerprint, atMs: nowMs, status, body });
    return { status, headers, body: structuredClone(body) };
  });
}

function attempt(run: () => object): ApiAnswer {
  try {
    return ok(run());
  } catch (error) {
    return refusal(error);
  }
}

function replay({ key, fingerprint, status, body }: KeptAnswer, wanted: string): ApiAnswer {
  if (fingerprint === wanted) return { status, headers: { 'idempotent-replayed': 'true' }, body };
  throw new ProviderError(
    400,
    'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
      `Try using a key other than '${key}' if you meant to execute a different request.`,
    { type: 'idempotency_error' },
  );
}

function authenticate(secretKey: string, authorization: string | undefined): void {
  if (authorization === undefined) {
    throw new ProviderError(
      401,
      "You did not provide an API key. Send it as 'Authorization: Bearer <secret key>'.",
    );
  }
  const [, scheme = '', credential = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(authorization) ?? [];
  const isBasic = scheme.toLowerCase() === 'basic';
  const given = isBasic ? Buffer.from(credential, 'base64').toString().split(':')[0] : credential;
  if (timingSafeEqual(sha256(given ?? ''), sha256(secretKey))) return;
  throw new ProviderError(401, 'Invalid API Key provided.');
}

function refusal(error: unknown): ApiAnswer {
  if (!(error instanceof ProviderError)) throw error;
  return { status: error.status, headers: { 'stripe-should-retry': 'false' }, body: error.toBody() };
}

const ok = (body: object): ApiAnswer => ({ status: 200, headers: {}, body });
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}

import { createHash } from 'node:crypto';
import { type ApiAnswer, type ApiRequest, headerOf, ok, refusal } from './apiMessages.ts';
import type { Form } from './form.ts';
import type { ProviderHooks } from './hooks.ts';
import type { Write } from './operations.ts';
import { ProviderError } from './resources/providerError.ts';
import type { PaymentsState } from './resources/store.ts';
import { KEPT_ANSWER_MS, type KeptAnswer, type PaymentStore } from './resources/store.ts';

export interface WriteDependencies {
  readonly store: PaymentStore;
  readonly now: () => number;
  readonly baseUrl: () => string;
  readonly hooks: ProviderHooks;
}

export interface Writing {
  readonly operation: Write;
  readonly id: string;
  readonly form: Form;
  readonly request: ApiRequest;
  readonly requestId: string;
}

const IDEMPOTENCY_KEY_MAX = 255;

/** Under a known idempotency key the first answer is given again, a 500 as well, and nothing is carried out. */
export function writeOnce({ store, now, baseUrl, hooks }: WriteDependencies, writing: Writing): ApiAnswer {
  const { operation, id, form, request, requestId } = writing;
  const run = operation.prepare(form, id);
  const key = request.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined;
  if (key !== undefined && key.length > IDEMPOTENCY_KEY_MAX) {
    throw new ProviderError(400, `Idempotency keys have at most ${IDEMPOTENCY_KEY_MAX} characters.`);
  }
  const fingerprint = fingerprintOf(request, form);
  const earlier = store
    .read()
    .keptAnswers.find((kept) => kept.key === key && kept.atMs > now() - KEPT_ANSWER_MS);
  if (earlier !== undefined && hooks.keepsIdempotencyKeys) return replay(earlier, fingerprint);

  return store.change((state) => {
    const nowMs = now();
    const context = {
      state,
      nowMs,
      baseUrl: baseUrl(),
      request: { id: requestId, idempotency_key: key ?? null },
    };
    // Operations throw before they change the state.
    const { status, headers, body } = attempt(() => {
      if (hooks.fault === 'down' || takeFailure(state, request)) throw failure();
      return run(context);
    });
    if (key !== undefined) state.keptAnswers.push({ key, fingerprint, atMs: nowMs, status, body });
    return { status, headers, body: structuredClone(body) };
  });
}

export const failure = (): ProviderError =>
  new ProviderError(500, 'The simulated provider was told to fail.', { type: 'api_error' });

/** Whether one of the failures that `/simulation/failures` asked for falls on this request. */
function takeFailure(state: PaymentsState, { path }: ApiRequest): boolean {
  if (!path.startsWith('/v1/') || state.failuresDue === 0) return false;
  state.failuresDue--;
  return true;
}

function attempt(run: () => object): ApiAnswer {
  try {
    return ok(run());
  } catch (error) {
    return refusal(error);
  }
}

const fingerprintOf = ({ method, path }: ApiRequest, form: Form): string =>
  createHash('sha256')
    .update(`${method} ${path} ${JSON.stringify(form)}`)
    .digest('hex');

function replay({ key, fingerprint, status, body }: KeptAnswer, wanted: string): ApiAnswer {
  if (fingerprint === wanted) return { status, headers: { 'idempotent-replayed': 'true' }, body };
  throw new ProviderError(
    400,
    'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
      `Try using a key other than '${key}' if you meant to execute a different request.`,
    { type: 'idempotency_error' },
  );
}

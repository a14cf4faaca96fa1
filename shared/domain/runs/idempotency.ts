import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { IdempotencyClaim, IdempotencyStore } from './ports.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Equal objects give the same text, whatever the order of their fields. A list never equals an object. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(canonical)];
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return ['object', ...fields.map(([name, inner]) => [name, canonical(inner)])];
}

interface Deps {
  readonly idempotency: IdempotencyStore;
  readonly newId: () => string;
}

interface KeyedRequest {
  readonly key: string | undefined;
  readonly projectId: string | null;
  readonly body: unknown;
}

/**
 * Calls `act` once for an idempotency key. Keys belong to the organisation, or to the one project that the
 * credential is bound to, so that no credential meets the keys of runs it may not see. A repeated request with the
 * same body gets `replay` of the first run. With another body, or while the first request is under way, it is an
 * error.
 */
export async function once<T>(
  { idempotency, newId }: Deps,
  orgId: string,
  request: KeyedRequest,
  {
    act,
    replay,
  }: { act: (claim: IdempotencyClaim | undefined) => Promise<T>; replay: (runId: string) => Promise<T> },
): Promise<{ outcome: T; replayed: boolean }> {
  if (request.key === undefined) return { outcome: await act(undefined), replayed: false };
  const claim = {
    id: newId(),
    keySha256: sha256(JSON.stringify([request.projectId, request.key])),
    bodySha256: sha256(JSON.stringify(canonical(request.body))),
  };
  const answer = await idempotency.claim(orgId, claim);
  if (answer.kind === 'done') return { outcome: await replay(answer.runId), replayed: true };
  if (answer.kind !== 'claimed') {
    const { keyRefusal } = await import('./refusals/idempotencyKey.ts');
    throw keyRefusal(answer.kind);
  }
  try {
    return { outcome: await act(claim), replayed: false };
  } catch (error) {
    // Nothing was stored: the corrected request may use the same key. A claim that can't be given back expires.
    if (error instanceof AppError) await idempotency.release(orgId, claim);
    throw error;
  }
}

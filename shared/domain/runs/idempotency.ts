import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { IdempotencyClaim, IdempotencyStore } from './ports.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Objects that say the same are the same body, whatever the order of their fields; a list is never an object. */
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
  /** The one project that the credential is bound to. */
  readonly projectId: string | null;
  readonly body: unknown;
}

/**
 * Does `act` once for a key of an organisation, or of the one project that a credential is bound to: who may not see
 * a run shall not learn of its key, nor take it. A repeated request with the same body gets `replay` of the run
 * that the first one stored; with another body it is an error, and so it is while the first is under way.
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
  if (answer.kind !== 'claimed') throw refusal(answer.kind);
  try {
    return { outcome: await act(claim), replayed: false };
  } catch (error) {
    // Refused before anything was stored: the same key may be used for the corrected request. A claim that
    // can't be given back expires.
    if (error instanceof AppError) await idempotency.release(orgId, claim);
    throw error;
  }
}

function refusal(kind: 'other_body' | 'in_progress'): AppError {
  if (kind === 'in_progress') return keyInProgress();
  return new AppError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used with another body in the last 24 hours: send a new key with a new request.',
  );
}

export function keyInProgress(): AppError {
  return new AppError(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first request with this Idempotency-Key is still running: repeat it in a few seconds.',
  );
}

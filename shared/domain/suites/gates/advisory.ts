import type { EvalCase } from '../../../contracts/cases.ts';
import { invalidField } from '../../errors.ts';
import { DAY_MS, timestamp } from '../../time.ts';

const ADVISORY_DAYS_MAX = 90;

type Ruled = Pick<EvalCase, 'must_pass' | 'advisory'>;

interface Change {
  /** The case as it was. */
  readonly before?: Ruled;
  readonly sent: { readonly advisory?: EvalCase['advisory'] | undefined };
  readonly nowMs: number;
}

/**
 * The case with its advisory as it is stored. 400 for one that must pass and is advisory, and for a new `expires_at` in
 * the past or too far ahead: a case may go on holding one that has run out.
 */
export function withAdvisory<T extends Ruled>(ruled: T, { before, sent, nowMs }: Change): T {
  const { must_pass, advisory } = ruled;
  if (advisory === null) return ruled;
  if (must_pass) {
    const path = sent.advisory == null ? 'must_pass' : 'advisory';
    throw invalidField(
      path,
      'a case that must pass cannot be advisory: set advisory to null or must_pass to false',
    );
  }
  const expiresMs = Date.parse(advisory.expires_at);
  const expires_at = timestamp(expiresMs);
  if (expires_at !== before?.advisory?.expires_at) checkExpiry(expiresMs, nowMs);
  return { ...ruled, advisory: { ...advisory, expires_at } };
}

function checkExpiry(expiresMs: number, nowMs: number): void {
  const path = 'advisory.expires_at';
  if (expiresMs <= nowMs) throw invalidField(path, 'must be in the future');
  if (expiresMs > nowMs + ADVISORY_DAYS_MAX * DAY_MS)
    throw invalidField(path, `at most ${ADVISORY_DAYS_MAX} days ahead`);
}

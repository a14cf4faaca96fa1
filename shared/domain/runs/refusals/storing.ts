import type { StoredOutcome, StoredRun } from '../ports.ts';
import type { QuotaGuard } from './quota.ts';

/** The stored run, or the error for the caller when nothing was stored: its sentences are read with the first. */
export async function storedOrThrow(
  deps: { readonly quotaGuard: QuotaGuard },
  terms: Parameters<QuotaGuard['refusal']>[0],
  answer: StoredOutcome,
): Promise<StoredRun> {
  if (answer.outcome === 'stored') return answer.run;
  const { notStored } = await import('./notStored.ts');
  throw await notStored(deps, terms, answer);
}

import type { TokenVerifier } from '../domain/accounts/ports.ts';
import { lazily } from '../domain/caches/lazily.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** The code for tokens and sessions is loaded with the first one: most callers send API keys. */
export function lazyTokenVerifier(runtime: Pick<Runtime, 'config' | 'now' | 'isFromHere'>): TokenVerifier {
  const verifier = lazily(async () => (await import('./sessions/tokensAndSessions.ts')).verifierOf(runtime));
  return { verify: async (presented) => (await verifier()).verify(presented) };
}

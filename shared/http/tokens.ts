import type { TokenVerifier } from '../domain/accounts/ports.ts';
import { lazily } from '../domain/caches/lazily.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** The code for tokens is loaded with the first token: most callers send API keys. */
export function lazyTokenVerifier({ config, now }: Pick<Runtime, 'config' | 'now'>): TokenVerifier {
  const { tokenKeys, tokenIssuer } = config;
  // A deployment without signing keys has issued no token.
  if (tokenKeys === undefined) return { verify: async () => undefined };

  const verifier = lazily(async () => {
    const [{ tokenVerifier }, { tokenKeysFromConfig }] = await Promise.all([
      import('../tokens/verifier.ts'),
      import('../vault/tokenKeys.ts'),
    ]);
    return tokenVerifier(await tokenKeysFromConfig(tokenKeys), { issuer: tokenIssuer, now });
  });

  return { verify: async (token) => (await verifier()).verify(token) };
}

import type { TokenVerifier } from '../domain/accounts/ports.ts';
import { lazily } from '../domain/lazily.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Everything that tokens need is loaded when the first one comes: most callers send API keys. */
export function lazyTokenVerifier({ config, now }: Pick<Runtime, 'config' | 'now'>): TokenVerifier {
  const { tokenKeys, tokenIssuer } = config;
  // A deployment without keys has made no token.
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

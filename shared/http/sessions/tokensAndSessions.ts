import type { TokenVerifier } from '../../domain/accounts/ports.ts';
import { AppError, invalidField } from '../../domain/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type SessionTimes, tokenVerifier } from '../../tokens/verifier.ts';
import { tokenKeysFromConfig } from '../../vault/tokenKeys.ts';
import { type SentCookies, sessionIn } from './cookies.ts';

const JSON_TYPE = /^application\/json *(;|$)/i;

/** Forms of other pages can send what is no JSON. */
function requireJson({ headers, body = '' }: SentCookies): void {
  if (body === '' || JSON_TYPE.test(headers['content-type'] ?? '')) return;
  throw invalidField('body', 'must be sent as Content-Type: application/json');
}

function requireReauthentication({ isRecent }: SessionTimes): void {
  if (isRecent) return;
  throw new AppError(
    'REAUTHENTICATION_REQUIRED',
    'This session gave its API key more than ten minutes ago: send the key to POST /v1/auth/session again.',
  );
}

export async function verifierOf({ config, now }: Pick<Runtime, 'config' | 'now'>): Promise<TokenVerifier> {
  const { tokenKeys, tokenIssuer: issuer } = config;
  // A deployment without signing keys has issued no token.
  if (tokenKeys === undefined) return { verify: async () => undefined };
  const { verify } = tokenVerifier(await tokenKeysFromConfig(tokenKeys), { issuer, now });
  return {
    async verify(presented) {
      if (presented.kind === 'token') return verify(presented.token, 'token');
      const token = sessionIn(presented.sent);
      const claims = token === undefined ? undefined : await verify(token, 'session');
      if (claims?.times === undefined) return undefined;
      requireJson(presented.sent);
      const { times, ...others } = claims;
      return {
        ...others,
        session: {
          openedAtMs: times.openedAtMs,
          requireReauthentication: () => requireReauthentication(times),
        },
      };
    },
  };
}

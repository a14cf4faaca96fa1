import type { TokenCredential } from '../../contracts/base/credentials.ts';
import type { SentRequest, TokenVerifier } from '../../domain/accounts/ports.ts';
import { AppError } from '../../domain/errors.ts';
import { REAUTHENTICATION_SECONDS } from '../../domain/limits.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type SessionTimes, tokenVerifier } from '../../tokens/verifier.ts';
import { tokenKeysFromConfig } from '../../vault/tokenKeys.ts';
import { cookieIn, requireJson } from './cookies.ts';

/** `isFromHere`: on one's own machine a key counts as long as its session. */
function requireReauthentication(
  { authAgeSeconds }: SessionTimes,
  { type }: TokenCredential,
  isFromHere: boolean,
): void {
  const isKept = isFromHere && type === 'session';
  if (authAgeSeconds !== undefined && (isKept || authAgeSeconds <= REAUTHENTICATION_SECONDS)) return;
  throw new AppError(
    'REAUTHENTICATION_REQUIRED',
    type === 'person'
      ? 'This needs a sign-in of the last ten minutes: sign in again. If you just did, the provider sends no auth_time: ask your administrator to turn that on.'
      : 'This session gave its API key more than ten minutes ago: send the key to POST /v1/auth/session again.',
  );
}

type Deps = Pick<Runtime, 'config' | 'now' | 'isFromHere'>;

export async function verifierOf({ config, now, isFromHere }: Deps): Promise<TokenVerifier> {
  const { tokenKeys, tokenIssuer: issuer } = config;
  // A deployment without signing keys has issued no token.
  if (tokenKeys === undefined) return { verify: async () => undefined };
  const mayKeep = ({ headers, requestContext: context }: SentRequest): boolean => {
    if (isFromHere === undefined || context === undefined) return false;
    const { protocol, sourceIp } = context.http;
    return isFromHere({ headers, httpVersion: protocol.replace('HTTP/', ''), remoteAddress: sourceIp });
  };
  const { verify } = tokenVerifier(await tokenKeysFromConfig(tokenKeys), { issuer, now });
  return {
    async verify(presented) {
      if (presented.kind === 'token') return verify(presented.token, 'token');
      const token = cookieIn(presented.sent, 'session');
      const claims = token === undefined ? undefined : await verify(token, 'session');
      if (claims?.times === undefined) return undefined;
      requireJson(presented.sent);
      const { times, ...otherClaims } = claims;
      return {
        ...otherClaims,
        session: {
          openedAtMs: times.openedAtMs,
          requireReauthentication: () =>
            requireReauthentication(times, claims.credential, mayKeep(presented.sent)),
        },
      };
    },
  };
}

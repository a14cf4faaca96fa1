import { createSession } from '../../shared/contracts/credentials/sessions.ts';
import { openSession } from '../../shared/domain/accounts/sessions.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cookieToSet } from '../../shared/http/sessions/cookies.ts';
import { tokenIssuer } from '../../shared/tokens/issuer.ts';
import { tokenKeysFromConfig } from '../../shared/vault/tokenKeys.ts';

export const handler = endpoint(createSession, {
  dependencies: ({ config, now, newId }) => ({
    tokens: tokenIssuer(() => tokenKeysFromConfig(config.tokenKeys), {
      issuer: config.tokenIssuer,
      now,
      newId,
    }),
  }),
  handle: async ({ principal, rawHeaders }, deps) => {
    const cookie = cookieToSet(rawHeaders);
    const { token, expires_at, seconds } = await openSession(deps, principal);
    return { status: 201, cookies: [cookie(token, seconds)], body: { data: { expires_at } } };
  },
});

import { deleteSession } from '../../shared/contracts/credentials/sessions.ts';
import { endSessions } from '../../shared/domain/accounts/sessions.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cookieToSet } from '../../shared/http/sessions/cookies.ts';
import { apiKeyStore } from '../../shared/storage/accounts/apiKeys.ts';
import { personStore } from '../../shared/storage/accounts/persons.ts';

export const handler = endpoint(deleteSession, {
  stores: { apiKeys: apiKeyStore, persons: personStore },
  handle: async ({ principal, rawHeaders }, deps) => {
    const cookie = cookieToSet(rawHeaders);
    await endSessions(deps, principal);
    return { status: 204, cookies: [cookie('', 0)] };
  },
});

import { endPersonSessions as contract } from '../../shared/contracts/credentials/signIn.ts';
import { actorOf } from '../../shared/domain/principal.ts';
import { endPersonSessions } from '../../shared/domain/signIn/configure.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { personStore } from '../../shared/storage/accounts/persons.ts';
import { signInStore } from '../../shared/storage/accounts/signIns.ts';

export const handler = endpoint(contract, {
  stores: { signIns: signInStore, persons: personStore },
  handle: async ({ principal, query }, deps) => {
    await endPersonSessions(deps, principal, query.subject);
    deps.log('info', 'person_sessions_ended', { ...actorOf(principal), subject: query.subject ?? null });
    return { status: 204 };
  },
});

import { beginSignIn as contract } from '../../shared/contracts/credentials/signIn.ts';
import { beginSignIn } from '../../shared/domain/signIn/flow.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cookieToSet, requireOwnPage, type SentCookies } from '../../shared/http/sessions/cookies.ts';
import { verifierOf } from '../../shared/http/sessions/tokensAndSessions.ts';
import { baseUrlFromEnv } from '../../shared/runtime/baseUrl.ts';
import { signInStore } from '../../shared/storage/accounts/signIns.ts';
import { issuerTokensFromConfig, passesFromConfig } from '../../shared/tokens/fromConfig.ts';
import { passSeconds } from '../../shared/tokens/passes.ts';

export const handler = endpoint(contract, {
  stores: { signIns: signInStore },
  dependencies: (runtime) => ({
    issuerTokens: issuerTokensFromConfig(runtime),
    passes: passesFromConfig(runtime),
    sessions: {
      verify: async (sent: SentCookies) => (await verifierOf(runtime)).verify({ kind: 'session', sent }),
    },
    baseUrl: () => baseUrlFromEnv(process.env),
  }),
  handle: async ({ rawHeaders: headers, cookies, body }, deps) => {
    requireOwnPage(headers);
    const cookie = cookieToSet(headers, 'signIn');
    // Who has to come back: a page that waits for it is this person's.
    const present = body.fresh ? await deps.sessions.verify({ headers, cookies }) : undefined;
    const person = present?.credential.type === 'person' ? present.credential : undefined;
    const expects = person && { issuer: person.issuer, subject: person.subject };
    const { begun, ...answer } = await beginSignIn(deps, body, expects);
    const pass = await deps.passes.make('signIn', begun);
    return { status: 200, cookies: [cookie(pass, passSeconds('signIn'))], body: { data: answer } };
  },
});

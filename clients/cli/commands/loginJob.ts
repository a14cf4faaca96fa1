import { EXIT } from '../../gate/problems/exitCodes.ts';
import { type Context, clientOf } from '../context.ts';
import { credentialsFile, keepCredential } from '../credentials.ts';
import { fingerprint, ID_TOKEN, readIdToken } from '../idToken.ts';
import { nowMs, variable } from '../io.ts';
import { Problem } from '../problem.ts';

/** Keeps the token that the ID token of a CI job is exchanged for, so that a job of several commands exchanges once. */
export async function logInJob(context: Context, url: string, scope: 'run' | 'suites'): Promise<number> {
  const { io, terminal, facts, globals } = context;
  const idToken = readIdToken(io, globals.idTokenEnv);
  if (idToken === undefined) throw new Problem('There is no ID token of a job.');
  facts.url = url;
  facts.from = ID_TOKEN;
  let token = '';
  const onToken = (newToken: string): void => {
    token = newToken;
  };
  const gate = clientOf(context, { url, credential: { type: 'id_token', idToken, onToken }, scope });
  const { organisation, expires_at } = await gate.auth.whoami({ signal: io.signal });
  const endsAt = expires_at ?? new Date(nowMs(io)).toISOString();
  keepCredential(io, url, { token, expires_at: endsAt, id_token: fingerprint(idToken) });
  terminal.say(
    `Logged in to ${url} as ${organisation.name} (scope ${scope}) until ${endsAt}. Kept in ${credentialsFile(io)}`,
  );
  if (variable(io, 'EVALGATE_API_KEY')) terminal.warn('EVALGATE_API_KEY is set, and goes before this login.');
  return EXIT.done;
}

import { createHash, randomBytes } from 'node:crypto';
import { EXIT } from '../../gate/problems/exitCodes.ts';
import { OPERATIONS } from '../../sdk/generated/operations.ts';
import { operationOf } from '../../sdk/transport/operation.ts';
import { createSender } from '../client.ts';
import { type Context, clientOf } from '../context.ts';
import { credentialsFile, keepCredential, readCredentials } from '../credentials.ts';
import { variable } from '../io.ts';
import { openInBrowser } from '../output/openInBrowser.ts';
import { Problem } from '../problem.ts';
import { waitForBrowser } from './waitForBrowser.ts';

const SECRET_BYTES = 32;
const secret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

interface Exchanged {
  readonly data: { readonly token: string; readonly expires_at: string };
}

/** Keeps a token that the person allows in a browser, where the dashboard gives a code for it to this machine (RFC 8252). */
export async function logInPerson(context: Context, url: string, scope?: string): Promise<number> {
  const { io, terminal, facts } = context;
  // Before somebody signs in for a file that can't be read.
  readCredentials(io);
  const [verifier, state] = [secret(), secret()];
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const code = await waitForBrowser(context, state, async (port) => {
    const query = new URLSearchParams({ port: `${port}`, challenge, state, ...(scope && { scope }) });
    const page = `${url}/app/cli?${query}`;
    terminal.say('Sign in, and allow this command line, in the browser:');
    terminal.data(`${page}\n`);
    terminal.say('Without a browser on this machine: Ctrl-C, then evalgate login --with-key');
    await openInBrowser(page);
  });
  facts.url = url;
  facts.from = 'the browser';
  const { body } = await createSender(io, { url })(
    operationOf(`${OPERATIONS.auth.token} public`),
    { names: [], body: { code, code_verifier: verifier } },
    { signal: io.signal, retries: 0 },
  );
  const { token, expires_at } = (body as Exchanged).data;
  const gate = clientOf(context, { url, credential: { type: 'key', apiKey: token, from: 'the browser' } });
  const who = await gate.auth.whoami({ signal: io.signal });
  const { organisation, credential } = who;
  if (credential.type !== 'person') throw new Problem('The service gave a token of no person.');
  keepCredential(io, url, { token, expires_at, organisation: organisation.id });
  terminal.say(
    `Logged in to ${url} as ${credential.label} of ${organisation.name} (scope ${who.scope}) until ${expires_at}. Kept in ${credentialsFile(io)}`,
  );
  if (variable(io, 'EVALGATE_API_KEY')) terminal.warn('EVALGATE_API_KEY is set, and goes before this login.');
  return EXIT.done;
}

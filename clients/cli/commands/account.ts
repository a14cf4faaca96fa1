import { EXIT } from '../../gate/problems/exitCodes.ts';
import { safeJson, terminalLine } from '../../gate/report/escape.ts';
import { credentialWords, isJob } from '../../gate/report/review/credential.ts';
import { written } from '../../gate/report/words.ts';
import type { ApiKeysCreateBody, AuthWhoamiAnswer, Credential } from '../../sdk/index.ts';
import { type Context, clientOf, connect, type Handler } from '../context.ts';
import {
  credentialsFile,
  dropCredential,
  keepCredential,
  type Login,
  readCredentials,
} from '../credentials.ts';
import { readText } from '../input/readText.ts';
import { variable } from '../io.ts';
import { askSecret, askText } from '../output/ask.ts';
import { fields, printOne } from '../output/print.ts';
import { Problem } from '../problem.ts';
import { serviceUrl } from '../settings/serviceUrl.ts';
import { checkedKey, namedService } from '../settings/settings.ts';

const NO_URL = new Problem('No service is named.', 'Give --url https://…, or set EVALGATE_URL.');

/** Says who the credential is. */
export const whoami: Handler = async (context) => {
  const { gate, settings } = connect(context);
  const answer = await gate.auth.whoami({ signal: context.io.signal });
  printOne(context, answer, () => [fields(settings.url), ...described(answer)].join('\n'));
  return EXIT.done;
};

const isNamed = (credential: Credential): boolean => isJob(credential) || credential.type === 'person';

function described({ organisation, project, scope, credential, expires_at }: AuthWhoamiAnswer): string[] {
  return [
    fields('organisation', organisation.name, organisation.id, organisation.plan),
    ...(organisation.deletes_at ? [fields('deleted', organisation.deletes_at)] : []),
    fields('project', project ? project.slug : 'all'),
    fields('scope', scope),
    fields(
      'credential',
      isNamed(credential) ? written(credentialWords(credential), terminalLine) : credential.type,
      expires_at === null ? 'until it is revoked' : `until ${expires_at}`,
    ),
  ];
}

export interface LoginOptions {
  readonly withKey?: boolean;
  /** Of the token of a person, or of a CI job. */
  readonly scope?: Scope;
}

type Scope = NonNullable<ApiKeysCreateBody['scope']>;

/**
 * Keeps the token of a person, who allows that in a browser; or a key of the service, once that has taken it; or the token
 * of a CI job.
 */
export const login: Handler<LoginOptions> = async (context, _args, { withKey, scope }) => {
  const { io, terminal } = context;
  const isOfJob = context.globals.idTokenEnv !== undefined;
  if (isOfJob && withKey)
    throw new Problem('Both --with-key and --id-token-env name a credential.', 'Leave one of them out.');
  if (scope !== undefined && withKey) throw new Problem('A key has its own scope.', 'Leave out --scope.');
  const url = await serviceToLogIn(context);
  if (isOfJob) {
    if (scope === 'read' || scope === 'full')
      throw new Problem(`A CI job gets no scope ${scope}.`, 'Give --scope run or --scope suites.');
    return (await import('./loginJob.ts')).logInJob(context, url, scope ?? 'run');
  }
  if (!withKey && terminal.canAsk) return (await import('./loginPerson.ts')).logInPerson(context, url, scope);
  const isPiped = withKey && io.stdin.isTTY !== true;
  await signIn(context, url, isPiped ? async () => (await readText(io, '-')).trim() : undefined);
  return EXIT.done;
};

export async function signIn(
  context: Context,
  url: string,
  readKey: () => Promise<string> = () => typedKey(context),
): Promise<void> {
  const { io, terminal, facts } = context;
  readCredentials(io);
  const key = checkedKey(await readKey());
  facts.url = url;
  facts.from = 'you';
  const gate = clientOf(context, { url, credential: { type: 'key', apiKey: key, from: 'you' } });
  const { organisation, scope, credential } = await gate.auth.whoami({ signal: io.signal });
  if (credential.type !== 'api_key') {
    throw new Problem('That is a token, which ends soon.', 'Log in with an API key.');
  }
  keepCredential(io, url, { api_key: key });
  terminal.say(
    `Logged in to ${url} as ${organisation.name} (scope ${scope}). Kept in ${credentialsFile(io)}`,
  );
  if (variable(io, 'EVALGATE_API_KEY')) terminal.warn('EVALGATE_API_KEY is set, and goes before this login.');
}

/** Never the one that only evalgate.yaml names: the key would go there. */
async function serviceToLogIn({ io, globals, terminal }: Context): Promise<string> {
  const named = namedService(io, globals) ?? readCredentials(io).current;
  if (named !== undefined) return named;
  if (!terminal.canAsk) throw NO_URL;
  return serviceUrl(io, await askText(io, 'URL of the service'), 'that you gave');
}

async function typedKey({ io, terminal }: Context): Promise<string> {
  if (terminal.canAsk) return askSecret(io, 'API key');
  throw new Problem('There is no terminal to log in from.', 'evalgate login --with-key < file');
}

/** Forgets the key of a service, which stays valid. */
export const logout: Handler = async ({ io, globals, terminal }) => {
  const url = namedService(io, globals) ?? readCredentials(io).current;
  if (url === undefined) throw new Problem('You are not logged in.');
  const login = readCredentials(io).services[url];
  if (login === undefined) throw new Problem(`You are not logged in to ${url}.`);
  dropCredential(io, url);
  terminal.say(`Logged out of ${url}. ${whatIsLeft(login)}`);
  return EXIT.done;
};

function whatIsLeft(login: Login): string {
  if (login.token === undefined) return 'The key itself is still valid until it is revoked.';
  if (login.id_token !== undefined) return 'Its token ends soon.';
  return `Its token is valid until ${login.expires_at}: Sign out in the dashboard ends it at once.`;
}

/** Makes an organisation; its key is shown this once. */
export const signup: Handler<{ readonly name: string }> = async (context, _args, { name }) => {
  const { io, terminal, globals, facts } = context;
  const url = namedService(io, globals);
  if (url === undefined) throw NO_URL;
  if (readCredentials(io).services[url] !== undefined) {
    throw new Problem(`You are logged in to ${url}.`, 'To sign up another organisation: evalgate logout');
  }
  facts.url = url;
  const { organisation, api_key } = await clientOf(context, { url }).auth.signup(
    { name },
    { signal: io.signal },
  );
  if (globals.json) terminal.data(`${safeJson({ organisation, api_key }, 2)}\n`);
  else terminal.data(`${api_key.key}\n`);
  keepCredential(io, url, { api_key: api_key.key });
  terminal.say(`Signed up ${organisation.name} (${organisation.id}) at ${url}.`);
  terminal.say(`The key above is shown this once, and kept in ${credentialsFile(io)}`);
  return EXIT.done;
};

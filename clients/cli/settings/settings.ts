import { apiKeysIn } from '../../files/config/apiKeys.ts';
import type { Config } from '../../files/config/configFile.ts';
import { isOwnEvent } from '../../files/config/ownEvents.ts';
import { CONFIG_FILE } from '../../files/disk/repository.ts';
import { type Login, readCredentials } from '../credentials.ts';
import { fingerprint, ID_TOKEN_VARIABLE, type IdToken, readIdToken } from '../idToken.ts';
import { type Io, isInActions, nowMs, variable } from '../io.ts';
import { Problem } from '../problem.ts';
import { readProjectFile } from './projectFile.ts';
import { serviceUrl } from './serviceUrl.ts';

/** What stands on the command line. */
export interface Flags {
  readonly url?: string | undefined;
  readonly project?: string | undefined;
  /** The variable that holds the ID token of the job. */
  readonly idTokenEnv?: string | undefined;
}

type Source = 'flag' | 'environment' | 'file' | 'login';

interface Found {
  readonly value: string;
  readonly source: Source;
}

export type CliCredential =
  | { readonly type: 'key'; readonly apiKey: string; readonly from: string }
  | { readonly type: 'id_token'; readonly idToken: IdToken; readonly onToken?: (token: string) => void }
  | { readonly type: 'oidc'; readonly organisation: string; readonly onToken?: (token: string) => void };

export interface Settings {
  readonly url: string;
  readonly project: string | undefined;
  readonly credential: CliCredential;
}

/** Where a setting comes from, as a sentence goes on. */
export const WHERE: Readonly<Record<Source, string>> = {
  flag: 'of --url',
  environment: 'in EVALGATE_URL',
  file: `in ${CONFIG_FILE}`,
  login: 'of the login',
};

function firstOf(...candidates: readonly (readonly [Source, string | undefined])[]): Found | undefined {
  const candidate = candidates.find(([, value]) => value !== undefined && value !== '');
  return candidate && { source: candidate[0], value: candidate[1] ?? '' };
}

/** Flag, then environment, then evalgate.yaml, then login. */
export function resolveSettings(io: Io, flags: Flags): Settings {
  refuseKeys(io);
  const file = readProjectFile(io);
  const url = findUrl(io, flags, file);
  const project = firstOf(
    ['flag', flags.project],
    ['environment', variable(io, 'EVALGATE_PROJECT')],
    ['file', file.project],
  );
  const credential = findCredential(io, flags, { url, file });
  const organisation: Found | undefined =
    credential.type === 'oidc' && !variable(io, 'EVALGATE_ORG')
      ? { source: 'file', value: credential.organisation }
      : undefined;
  refuseForeignFile(io, { url, project, organisation });
  return { url: url.value, project: project?.value, credential };
}

/** They are sent, and some are printed. */
function refuseKeys(io: Io): void {
  for (const name of ['EVALGATE_PROJECT', 'EVALGATE_ORG']) {
    if (apiKeysIn(variable(io, name) ?? '').length === 0) continue;
    throw new Problem(
      `${name} holds an API key (not shown here).`,
      'The variable for it is EVALGATE_API_KEY.',
    );
  }
}

export function findUrl(io: Io, flags: Flags, file: Partial<Config>): Found {
  const named = firstOf(
    ['flag', flags.url],
    ['environment', variable(io, 'EVALGATE_URL')],
    ['file', file.url],
  );
  const url = named ?? firstOf(['login', readCredentials(io).current]);
  if (url === undefined) {
    throw new Problem(
      'No service is named.',
      'Log in (evalgate login --url https://…), or set EVALGATE_URL.',
    );
  }
  return { ...url, value: serviceUrl(io, url.value, WHERE[url.source]) };
}

interface Place {
  readonly url: Found;
  readonly file: Partial<Config>;
}

/** A key, then a login, then the ID token of the job; one that the command line names goes before a login. */
function findCredential(io: Io, { idTokenEnv }: Flags, { url, file }: Place): CliCredential {
  const key = variable(io, 'EVALGATE_API_KEY');
  if (key !== undefined && idTokenEnv !== undefined) {
    throw new Problem(
      'Both EVALGATE_API_KEY and --id-token-env name a credential.',
      'Leave one of them out.',
    );
  }
  const idToken = key === undefined ? readIdToken(io, idTokenEnv) : undefined;
  // The login's file is not needed where everything is in the environment.
  const login = key && url.source !== 'file' ? undefined : readCredentials(io).services[url.value];
  const isNamedByFileOnly = url.source === 'file' && login === undefined;
  if ((key ?? idToken) !== undefined && isNamedByFileOnly) throw namedByFileOnly(url.value);
  if (key !== undefined) return { type: 'key', apiKey: checkedKey(key), from: 'EVALGATE_API_KEY' };
  const kept = login && keptOf(io, url.value, { login, idToken, isNamed: idTokenEnv !== undefined });
  if (kept !== undefined) return { type: 'key', apiKey: checkedKey(kept), from: 'the login' };
  if (idToken !== undefined) return { type: 'id_token', idToken };
  const organisation = variable(io, 'EVALGATE_ORG') ?? file.organisation;
  if (isInActions(io) && organisation) return { type: 'oidc', organisation };
  throw isNamedByFileOnly ? namedByFileOnly(url.value) : noCredential(io, url.value);
}

interface Kept {
  readonly login: Login;
  readonly idToken: IdToken | undefined;
  /** The command line names the ID token. */
  readonly isNamed: boolean;
}

/** Undefined where the job's own ID token counts: the login was made with another one, perhaps by another job. */
function keptOf(io: Io, url: string, { login, idToken, isNamed }: Kept): string | undefined {
  if (login.token === undefined) return isNamed ? undefined : login.api_key;
  const isOfPerson = login.id_token === undefined;
  const isOfOther = idToken !== undefined && fingerprint(idToken) !== login.id_token;
  if (isOfPerson ? isNamed : isOfOther) return undefined;
  if (Date.parse(login.expires_at) > nowMs(io)) return login.token;
  throw new Problem(
    `The login to ${url} ended at ${login.expires_at}.`,
    isOfPerson
      ? 'Log in again: evalgate login'
      : `Log in again with a new ID token of the job: evalgate login --id-token-env ${ID_TOKEN_VARIABLE}`,
  );
}

/**
 * An API key or an ID token goes only to a URL that the caller named. evalgate.yaml is part of the repository: the author
 * of a pull request could name their own service there, and collect the key.
 */
const namedByFileOnly = (url: string): Problem =>
  new Problem(
    `Only ${CONFIG_FILE} names ${url}: no API key and no ID token of a job is sent there, since a pull request can edit that file.`,
    'If it is your service, set EVALGATE_URL or give --url, or log in to it: evalgate login --url <url>',
  );

function noCredential(io: Io, url: string): Problem {
  if (io.env[ID_TOKEN_VARIABLE] !== undefined)
    return new Problem(`${ID_TOKEN_VARIABLE} is empty.`, 'Did the command that requests the ID token fail?');
  if (io.env.EVALGATE_API_KEY === undefined) {
    const hint = `Log in (evalgate login), set EVALGATE_API_KEY, or in a CI job ${ID_TOKEN_VARIABLE} (GitHub Actions: EVALGATE_ORG).`;
    return new Problem(`There is no API key for ${url}.`, hint);
  }
  const hint = 'In GitHub Actions: is the secret set? Jobs of forks get none.';
  return new Problem('EVALGATE_API_KEY is empty.', hint);
}

/** The error for a key that no header can hold does not quote it. */
export function checkedKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new Problem(
    'The API key is not one word of ASCII (not shown here).',
    'Was more copied than the key?',
  );
}

/** Jobs of other events may have got evalgate.yaml from a fork, by an artifact, and run with the repository's rights. */
function refuseForeignFile(io: Io, used: Readonly<Record<string, Found | undefined>>): void {
  const event = variable(io, 'GITHUB_EVENT_NAME') ?? '';
  if (!isInActions(io) || isOwnEvent(event)) return;
  const fromFile = Object.keys(used).filter((name) => used[name]?.source === 'file');
  if (fromFile.length === 0) return;
  throw new Problem(
    `In a job of ${event || 'an unknown event'} ${CONFIG_FILE} is not trusted, and ${fromFile.join(', ')} would come from it.`,
    'Set EVALGATE_URL, EVALGATE_ORG and EVALGATE_PROJECT in the workflow.',
  );
}

/** The service to log in to: one that the caller names, never the one of evalgate.yaml. */
export function namedService(io: Io, flags: Flags): string | undefined {
  const url = firstOf(['flag', flags.url], ['environment', variable(io, 'EVALGATE_URL')]);
  return url && serviceUrl(io, url.value, WHERE[url.source]);
}

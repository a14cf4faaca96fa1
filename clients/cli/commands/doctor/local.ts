import { statSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../../files/config/configFile.ts';
import { isOwnEvent } from '../../../files/config/ownEvents.ts';
import { isLoopback } from '../../../files/config/serviceUrl.ts';
import { CONFIG_FILE, findRoot } from '../../../files/disk/repository.ts';
import { VERSION } from '../../../sdk/generated/operations.ts';
import { PROXY_VARIABLES } from '../../client.ts';
import type { Context } from '../../context.ts';
import { credentialsFile, readCredentials } from '../../credentials.ts';
import { ID_TOKEN, ID_TOKEN_VARIABLE } from '../../idToken.ts';
import { type Io, isInActions, variable } from '../../io.ts';
import { OIDC } from '../../output/explain.ts';
import { readProjectFile } from '../../settings/projectFile.ts';
import { isAroundProxies } from '../../settings/proxy.ts';
import { type CliCredential, findUrl, type Settings, WHERE } from '../../settings/settings.ts';
import type { Checks } from './checks.ts';

const NODE_MAJOR_MIN = 22;

/** What this machine shows without a request. The settings, where they are complete. */
export async function checkMachine(
  checks: Checks,
  { io, globals }: Context,
  settle: () => Settings,
): Promise<{ readonly url: string | undefined; readonly settings: Settings | undefined }> {
  const isOld = Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN;
  checks.add('program', {
    status: isOld ? 'change' : 'ok',
    message: `evalgate ${VERSION}, Node ${process.versions.node}`,
    hint: isOld ? `Install Node ${NODE_MAJOR_MIN} or later.` : undefined,
  });
  const file = await checks.run(
    CONFIG_FILE,
    () => readProjectFile(io),
    () => describeConfig(io),
  );
  checkJob(checks, io);
  checkProxy(checks, io);
  // The problem of the file is already reported.
  if (file === undefined) return { url: undefined, settings: undefined };
  const url = await checks.run(
    'service',
    () => findUrl(io, globals, file as Partial<Config>),
    (url) => {
      const isPlain = url.value.startsWith('http:') && !isLoopback(url.value);
      const plain = isPlain ? ': others on the way can read all that it sends' : '';
      return { status: isPlain ? 'note' : 'ok', message: `${url.value} ${WHERE[url.source]}${plain}` };
    },
  );
  if (url === undefined) return { url: undefined, settings: undefined };
  const settings = await checks.run('credential', settle, ({ credential, url: service }) => ({
    message: describeCredential(io, service, credential),
    hint: unusedToken(io, credential),
  }));
  return { url: url.value, settings };
}

function describeConfig({ cwd }: Io) {
  const root = findRoot(cwd);
  if (root !== undefined) return { message: path.join(root, CONFIG_FILE) };
  return {
    status: 'note' as const,
    message: 'is neither in this folder nor above it',
    hint: 'Where suites are kept in files: evalgate init',
  };
}

function describeCredential(io: Io, url: string, credential: CliCredential): string {
  if (credential.type === 'oidc') return OIDC;
  if (credential.type === 'id_token') return `${ID_TOKEN}, from ${credential.idToken.name}`;
  const { from } = credential;
  const login = from === 'the login' ? readCredentials(io).services[url] : undefined;
  const what = login?.token === undefined ? 'API key' : `token until ${login.expires_at},`;
  return `${what} from ${from}${modeOf(io, from)}`;
}

/** A key goes before an ID token, which a job may have got since. */
const unusedToken = (io: Io, { type }: CliCredential): string | undefined =>
  type === 'key' && variable(io, 'EVALGATE_API_KEY') && variable(io, ID_TOKEN_VARIABLE)
    ? `EVALGATE_API_KEY goes before ${ID_TOKEN_VARIABLE}: to use that, unset the key.`
    : undefined;

const modeOf = (io: Io, from: string): string => {
  if (from !== 'the login') return '';
  const file = credentialsFile(io);
  return ` (${file}, mode ${(statSync(file).mode & 0o777).toString(8).padStart(4, '0')})`;
};

function checkJob(checks: Checks, io: Io): void {
  if (!isInActions(io)) {
    checks.add('GitHub Actions', { message: 'this is none of its jobs' });
    return;
  }
  const event = variable(io, 'GITHUB_EVENT_NAME') ?? 'an unknown event';
  const hasToken = variable(io, 'ACTIONS_ID_TOKEN_REQUEST_URL') !== undefined;
  checks.add('GitHub Actions', {
    status: hasToken || variable(io, 'EVALGATE_API_KEY') ? 'ok' : 'change',
    message: `a job of ${event}, ${hasToken ? 'with' : 'without'} OIDC tokens; ${CONFIG_FILE} is ${isOwnEvent(event) ? '' : 'not '}trusted`,
    hint: hasToken
      ? undefined
      : 'For a login without a stored key add to the job: permissions: id-token: write. Jobs of forks get none.',
  });
}

function checkProxy(checks: Checks, io: Io): void {
  const set = PROXY_VARIABLES.filter((name) => variable(io, name) !== undefined);
  if (set.length === 0) {
    checks.add('proxy', { message: 'none is set' });
    return;
  }
  const except = variable(io, 'NO_PROXY') ?? variable(io, 'no_proxy');
  const canUse = !isAroundProxies(io);
  checks.add('proxy', {
    status: canUse ? 'note' : 'change',
    message: `requests go through that of ${set.join(', ')}${except === undefined ? '' : `, but for ${except}`}`,
    hint: canUse
      ? undefined
      : 'This version of Node uses it only with NODE_USE_ENV_PROXY=1: set that, or install Node 24.',
  });
}

import { claimsOf, workflowFileOf } from '../files/config/jobToken.ts';
import { type Connection, watched } from '../gate/connection.ts';
import { shellWord } from '../gate/report/escape.ts';
import { githubOidc } from '../sdk/githubOidc.ts';
import { Evalgate, type EvalgateError } from '../sdk/index.ts';
import type { Environment } from '../sdk/transport/environment.ts';
import type { Runner } from './job/runner.ts';
import type { Settings } from './job/settings.ts';
import type { Known, Ready } from './known.ts';

export function createClient(
  runner: Runner,
  known: Known,
  { url, apiKey, organisation }: Settings,
  scope?: 'suites',
): Evalgate {
  const environment = reportingOutages(runner);
  const onToken = (token: string): void => {
    runner.mask(token);
    const claims = claimsOf(token);
    if (typeof claims?.workflow_ref === 'string') known.claims = claims;
    else known.isLoggedIn = true;
  };
  return new Evalgate({ url, apiKey: apiKey ?? githubOidc({ organisation, scope, onToken }), environment });
}

/** A step that waits for a service looks like one that hangs: the log has a line for each outage and each limit. */
function reportingOutages({ environment, print }: Runner): Environment {
  let last: Connection = 'answered';
  const fetch = watched(environment.fetch, (connection, url, { signal }) => {
    if (connection !== last && signal?.aborted !== true) {
      const { host } = new URL(url);
      if (connection === 'lost') print(`No connection to ${host}.`);
      if (connection === 'limited') print(`${host} limits requests: trying again when it allows.`);
    }
    last = connection;
  });
  return { ...environment, fetch };
}

/** Of a request that failed, at the latest one of the login. */
export interface LoggingIn extends Pick<Ready, 'job' | 'settings'> {
  readonly known: Known;
  readonly scope?: 'suites' | undefined;
}

/** What to do about a credential that the service did not take, or that there was none. */
export function loginLines({ status, code }: EvalgateError, login: LoggingIn): readonly string[] {
  const { known, settings } = login;
  const { apiKey, url } = settings;
  const isRefused = status === 401 && code === 'UNAUTHORIZED';
  if (apiKey !== undefined) {
    return isRefused
      ? [`The input api-key is not valid at ${url}: it was revoked, has expired, or is of another service.`]
      : [];
  }
  if (code === 'NO_OIDC_TOKEN') {
    return ['Add to the job:\npermissions:\n  id-token: write', trustLine(login)];
  }
  const isLacking = code === 'SCOPE_REQUIRED' && known.isLoggedIn !== true;
  return isRefused || isLacking ? [...comparedLines(login), trustLine(login)] : [];
}

interface Conditions {
  readonly ref: string;
  /** Undefined where it is not known. */
  readonly environment: string | undefined;
  readonly workflowFile: string;
}

function conditionsOf({ job, known: { claims } }: LoggingIn): Conditions {
  const claim = (name: string): string => String(claims?.[name] ?? '');
  return {
    ref: claim('ref') || job.ref,
    environment: claims && claim('environment'),
    workflowFile: workflowFileOf(claim('workflow_ref'), claim('repository')) || job.workflowFile,
  };
}

/** What the conditions of a registration are compared with. The service does not say which registrations exist. */
function comparedLines(login: LoggingIn): readonly string[] {
  const { job } = login;
  const { ref, environment, workflowFile } = conditionsOf(login);
  const file = workflowFile === '' ? '' : `, whose file is compared: ${workflowFile}`;
  return [
    `The job is of ${job.repository}, ref ${ref}, workflow "${job.workflow}"${file}; environment ${environment ? `"${environment}"` : 'none'}.`,
    'A registration whose ref, workflow or environment is another one does not match; one that leaves a condition out takes any. See them: evalgate api GET /v1/trusted-issuers',
  ];
}

/** Pull requests and merge queues have a ref of their own each. */
const BRANCH = /^refs\/heads\/(?!gh-readonly-queue\/)./;
const OWN_FILE = /^\.github\/workflows\//;

/** The narrowest registration that lets this job in, and others of its kind. */
function trustLine(login: LoggingIn): string {
  const { job, settings, scope } = login;
  const { ref, environment, workflowFile } = conditionsOf(login);
  // No registration can name a file of another repository.
  const isForeign = workflowFile !== '' && !OWN_FILE.test(workflowFile);
  const options = [
    ...(scope === undefined ? [] : ['--scope', scope]),
    ...(BRANCH.test(ref) ? ['--ref', ref] : []),
    ...(isForeign ? [] : ['--workflow', workflowFile.replace(OWN_FILE, '') || '<file>']),
    ...(environment ? ['--environment', environment] : []),
    '--project',
    settings.project,
  ];
  const words = ['evalgate', 'trust', job.repository, ...options];
  return `The organisation has to trust the repository: ${words.map(shellWord).join(' ')}`;
}

import { ownOf } from '../../files/read/parts.ts';
import type { Connection } from '../../gate/connection.ts';
import { EXIT, exitCodeOfRefusal, isOfGithub } from '../../gate/problems/exitCodes.ts';
import { hintOfCode } from '../../gate/problems/hints.ts';
import { issuesOf, permittedSuites } from '../../gate/problems/issues.ts';
import { deepest, lostSentence } from '../../gate/problems/lostAnswers.ts';
import { type OutputLines, outputIssue } from '../../importers/outputs/outputLines.ts';
import { EvalgateError } from '../../sdk/index.ts';
import { PROXY_VARIABLES, proxyOf } from '../client.ts';
import { ID_TOKEN } from '../idToken.ts';
import type { Io } from '../io.ts';
import { Problem } from '../problem.ts';
import { isAroundProxies } from '../settings/proxy.ts';

/** A failure as the caller reads it. */
export interface Explanation {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly exitCode: number;
}

/** What a command knows of the request that failed. */
export interface Facts {
  readonly io: Io;
  readonly url?: string | undefined;
  /** Where the credential comes from. */
  readonly from?: string | undefined;
  /** Called with how each request ended. */
  readonly onConnection?: ((connection: Connection) => void) | undefined;
  /** The latest request that got an answer, such as `GET https://…`. */
  readonly answered?: string | undefined;
  /** Of a file of them, with their lines. */
  readonly outputs?: OutputLines | undefined;
  /** Whether the caller chose the request: otherwise it is one that a service of this version knows. */
  readonly isOwnRequest?: boolean | undefined;
}

/** As where a credential comes from. */
export const OIDC = "GitHub's OIDC token";

export function explain(error: unknown, facts: Facts): Explanation {
  if (error instanceof Problem) return error;
  if (error instanceof EvalgateError) return explainRefusal(error, facts);
  if (facts.answered !== undefined && isOfForm(error)) return explainForm(error, facts.answered);
  // A fault of ours says nothing of the candidate.
  const message = `Something unexpected happened: ${error instanceof Error ? error.message : String(error)}`;
  return { message, hint: 'This is a fault of evalgate: please report it.', exitCode: EXIT.noVerdict };
}

const isOfForm = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof RangeError;

/** The answer came with the form of a success, and not with the fields that one has. */
const explainForm = ({ message }: Error, request: string): Explanation => ({
  message: `The answer to ${request} is not of the form that this program reads: ${message}.`,
  hint: 'Is it an evalgate service of the version of this program? Find out: evalgate doctor',
  exitCode: EXIT.noVerdict,
});

/** A request of this program that the service does not know. No credential gets a 404 for who it is. */
function isOfLaterVersion({ code, message }: EvalgateError, { isOwnRequest, answered }: Facts): boolean {
  if (isOwnRequest === true) return false;
  const isNoRoute = message.startsWith('No such route') || /\/v1\/whoami$/.test(answered ?? '');
  return code === 'METHOD_NOT_ALLOWED' || (code === 'NOT_FOUND' && isNoRoute);
}

const explainOlder = ({ url, answered = 'this request' }: Facts): Explanation => ({
  message: `The service does not know ${answered}: it is of an older version than this program.`,
  hint: `Update the service, or use the program of its own version: ${url}/client/evalgate.tgz`,
  exitCode: EXIT.callerMustChange,
});

function explainRefusal(error: EvalgateError, facts: Facts): Explanation {
  if (isOfLaterVersion(error, facts)) return explainOlder(facts);
  const id = error.requestId ? ` (request ${error.requestId})` : '';
  return {
    message: `${[withCommands(lostSentence(error)), ...issueLines(error, facts)].join('\n  ')}${id}`,
    hint: hintOf(error, facts),
    exitCode: exitCodeOfRefusal(error),
  };
}

/** The fields that the service refused, with the lines of outputs. */
const issueLines = (error: EvalgateError, { outputs }: Facts): string[] =>
  issuesOf(error)
    .slice(0, 20)
    .map((issue) => outputIssue(outputs, issue));

function hintOf(error: EvalgateError, facts: Facts): string | undefined {
  const { status, code } = error;
  if (status === undefined) return connectionHint(error, facts);
  const hint = hintOfCode(code);
  if (hint !== undefined) return hint;
  if (code === 'PLAN_REQUIRED') return planHint(facts);
  if (isOfGithub(code)) return 'GitHub failed, and not evalgate: run the job again later.';
  if (code.startsWith('HTTP_') && (status < 400 || status === 404)) {
    return `Is ${facts.url} the URL of an evalgate service? See --url and EVALGATE_URL.`;
  }
  switch (status) {
    case 401:
      return credentialHint(facts);
    case 404:
      return suggestionsFor(error);
    case 405:
      return NO_ROUTE;
    case 413:
    case 414:
      return 'A run has at most 32 MB of outputs, gzipped 4.5 MB: send fewer or shorter outputs.';
    case 429:
      return `Too many requests for now: try again in ${error.retryAfterSeconds ?? 60} s.`;
    default:
      return status >= 500 ? 'The service failed, not the candidate: try again later.' : undefined;
  }
}

const planHint = ({ url = '' }: Facts): string =>
  /^http:\/\/(?:localhost|127\.|\[::1\])/.test(url)
    ? 'Open the checkout_url that it answers, and press Pay: a service on a laptop simulates it, and no money moves.'
    : 'Open the checkout_url that it answers.';

/** Commands that stand for requests of the service's sentences. Any other request has `evalgate api`. */
const COMMANDS = {
  'POST /v1/billing/checkout': 'evalgate api POST /v1/billing/checkout -f plan=pro',
  'POST /v1/byok-keys': 'evalgate byok add <provider>',
  'POST /v1/trusted-issuers': 'evalgate trust <owner/repo> --scope suites --ref <ref> --workflow <file>',
};

/** As somebody reads it who has a command line, and not the API. */
const withCommands = (sentence: string): string =>
  sentence.replace(
    /\b(?:GET|POST|PUT|PATCH|DELETE) \/v1\/[\w/-]+/g,
    (request) => `\`${String(ownOf(COMMANDS, request) ?? `evalgate api ${request}`)}\``,
  );

const NO_ROUTE =
  'Is the path right, or is the service of an older version than this program? Find out: evalgate doctor';

const credentialHint = ({ from, url }: Facts): string =>
  from === OIDC || from === ID_TOKEN
    ? '`evalgate doctor` shows the claims of the token of this job, and whether a clock is wrong.'
    : `The credential from ${from ?? 'the caller'} is not valid at ${url}: evalgate login.`;

/** The service names suites that the credential may run. */
function suggestionsFor(error: EvalgateError): string {
  const { message } = error;
  if (message.startsWith('No such route')) return NO_ROUTE;
  if (message === 'No such baseline.') return 'Make a run one: evalgate accept <suite> <run>';
  if (message === 'No such waiver.') return 'One that a run carries is revoked at the run that was waived.';
  const suites = permittedSuites(error);
  return suites.length === 0
    ? 'Is the name right, and --project, and may this credential see it? Find out: evalgate whoami'
    : `Suites that you may run: ${suites.join(', ')}`;
}

function connectionHint(error: EvalgateError, { io, url = '' }: Facts): string {
  const { code } = deepest(error);
  const proxy = proxyOf(io);
  const name = String(code ?? '');
  if (proxy !== undefined && isAroundProxies(io)) {
    return `${proxy} is set: this version of Node goes through that proxy only with NODE_USE_ENV_PROXY=1.`;
  }
  if (name === 'ENOTFOUND' || name === 'EAI_AGAIN') {
    return `Is ${url} right, and does this machine reach the network? See --url and EVALGATE_URL.`;
  }
  if (proxy !== undefined) return `${proxy} is set: does that proxy work, or should NO_PROXY name the host?`;
  const sentence = lostSentence(error);
  if (sentence.includes('Content-Encoding')) {
    return 'Something between here and the service changes its answers, such as a proxy: try a way around it.';
  }
  if (name.includes('SSL') || name === 'EPROTO' || sentence.includes('speak https')) {
    return `Does the service at ${url} speak https? One on this machine may have a URL of http://.`;
  }
  if (/CERT|SELF_SIGNED|VERIFY/.test(name)) {
    return 'Its certificate is not trusted: name that of your authority in NODE_EXTRA_CA_CERTS.';
  }
  if (name === 'ECONNREFUSED') return `Does the service run at ${url}?`;
  if (url.startsWith('http:')) return `Is ${url} reachable? Does it speak http, and not https?`;
  return `Is ${url} reachable? Behind a proxy set one of ${PROXY_VARIABLES.slice(0, 2).join(', ')}.`;
}

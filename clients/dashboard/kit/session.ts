import { computed, signal } from '@preact/signals';
import {
  type AuthWhoamiAnswer,
  CredentialError,
  Evalgate,
  EvalgateError,
  type Options,
} from '../../sdk/index.ts';
import { operationOf } from '../../sdk/transport/operation.ts';
import { createSend } from '../../sdk/transport/send.ts';
import { settingsOf } from '../../sdk/transport/settings.ts';
import { lastSignIn, noteSignedIn } from './kept.ts';
import { isTyped } from './leave.ts';

/** Who is signed in. Undefined: not known yet; null: there is no session. */
export const whoami = signal<AuthWhoamiAnswer | null | undefined>(undefined);

/** The person who is signed in; undefined where a key is. */
export const person = computed(() => {
  const { credential } = whoami.value ?? {};
  return credential?.type === 'person' ? credential : undefined;
});

/** Whose pages these are: what one account was answered, another one does not see. */
export const account = computed(() => {
  const { organisation, scope, project } = whoami.value ?? {};
  const { issuer, subject } = person.value ?? {};
  return organisation && [organisation.id, scope, project?.id, issuer, subject].join(' ');
});

/** Grows when `whoami` is about another sign-in than before, in whichever tab that was. */
export const signIns = signal(0);

/** What this credential may do: pages show no more than that. */
export const may = computed(() => {
  const scope = whoami.value?.scope;
  return {
    /** Run gates. */
    run: scope !== undefined && (scope as string) !== 'read',
    /** Change suites, cases and scorers. */
    edit: scope === 'suites' || scope === 'full',
    /** Keys, payments, trusted issuers, projects. */
    administrate: scope === 'full',
    /** Lists of projects and suites, cases, usage. */
    browse: scope !== undefined && scope !== 'run',
    /** Its organisation's usage: a key that is bound to a project has none to see. */
    seeUsage: whoami.value?.project === null,
    /** Trends and regressions. */
    analyse: scope !== undefined && scope !== 'run' && whoami.value?.organisation.plan !== 'free',
  };
});

const isPlainHttp = location.protocol === 'http:';

/** A session's requests carry its cookie, and no header. */
const cookieFetch = (url: string, { headers, ...request }: RequestInit): Promise<Response> => {
  const { authorization: _, ...otherHeaders } = headers as Record<string, string>;
  return fetch(url, { ...request, headers: otherHeaders, credentials: 'same-origin', cache: 'no-store' });
};

/** No request of a page is about another account than the page. */
const sessionFetch: typeof cookieFetch = async (url, request) => {
  await expectSameAccount();
  const answer = await cookieFetch(url, request);
  await expectSameAccount();
  return answer;
};

const callsBy = (fetch: typeof cookieFetch) => ({
  url: location.origin,
  apiKey: 'session',
  retries: 0,
  environment: { fetch },
});
export const BY_COOKIE = callsBy(sessionFetch);

/** Calls with the session's cookie. */
export const sdk = new Evalgate(BY_COOKIE);
export const BY_ANYBODY = callsBy(cookieFetch);
const anybody = new Evalgate(BY_ANYBODY);

/** Sessions are for browsers: the SDK has no operations of them. */
const SESSION = '/v1/auth/session';
export const sendBy = (options: Options, operation: string, body?: object) =>
  createSend(settingsOf(options))(operationOf(operation), { names: [], query: undefined, body });

/** The service says itself that there is no session: a firewall's 401 does not. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof CredentialError && error.code === 'UNAUTHORIZED';

/** There is none, or the one project of its key is deleted: it sees nothing, and a key that signs in takes its place. */
const isNoSession = (error: unknown): boolean =>
  isSignedOut(error) || (error instanceof EvalgateError && error.code === 'NOT_FOUND');

/** The sign-in that `whoami` is about. */
let known: string | null | undefined;

async function askWhoami(): Promise<void> {
  const newest = lastSignIn();
  try {
    whoami.value = newest === null ? null : await anybody.auth.whoami();
    if (newest !== known && whoami.value) signIns.value += 1;
    known = newest;
  } catch (error) {
    if (isNoSession(error)) noteSignedIn(false);
    throw error;
  }
}

/** Asks the service, unless this browser has no session for sure: a good page has no request that fails. */
export async function readWhoami(): Promise<void> {
  try {
    await askWhoami();
  } catch (error) {
    if (!isNoSession(error)) throw error;
    whoami.value = null;
  }
}

const DELETION = '/v1/organisation/deletion';

/** The SDK has no operations of it: it is no work of scripts. `named`: the organisation's name or id. */
export async function deleteOrganisation(named: string): Promise<void> {
  await sendBy(BY_COOKIE, `POST ${DELETION}`, { organisation: named });
  await readWhoami();
}

export async function restoreOrganisation(): Promise<void> {
  await sendBy(BY_COOKIE, `DELETE ${DELETION}`);
  await readWhoami();
}

function isSignedInElsewhere(): boolean {
  const newest = lastSignIn();
  return newest !== null && newest !== known;
}

/** Throws where another account signed in meanwhile, in another tab: its pages are shown instead. */
async function expectSameAccount(): Promise<void> {
  if (!whoami.peek() || !isSignedInElsewhere()) return;
  const before = account.peek();
  await readWhoami();
  if (account.peek() !== before) throw new Error('another account');
}

// A tab without a session has that of the others, too, unless what is typed would be lost.
addEventListener('storage', () => {
  if (isSignedInElsewhere() && (whoami.peek() || !isTyped())) readWhoami().catch(() => {});
});

/** What this deployment offers, as `app.json` has it. */
export interface Offers {
  readonly sign_up: 'open' | 'closed';
  readonly payments: 'on' | 'off';
  /** The id of the organisation whose persons sign in without a link. */
  readonly sign_in_organisation?: string;
}

export async function readOffers(signal: AbortSignal): Promise<Offers> {
  const answer = await fetch('/app.json', { signal });
  return (await answer.json()) as Offers;
}

/** A session has begun: whose it is. */
export async function enter(): Promise<void> {
  noteSignedIn(true);
  try {
    return await askWhoami();
  } catch (error) {
    if (!isSignedOut(error)) throw error;
  }
  const words = isPlainHttp
    ? 'The browser kept no cookie. Open the dashboard by https, or on the machine itself.'
    : 'The browser kept no cookie: allow cookies of this page.';
  throw new EvalgateError(words, { code: 'NO_COOKIE' });
}

/** Gives the key for a session's cookie: nothing of the key is kept. */
export async function signIn(key: string): Promise<void> {
  const word = key.trim();
  if (!/^[\x21-\x7e]+$/.test(word))
    throw new EvalgateError('An API key is one word, such as egk_… without blanks.', { code: 'NO_KEY' });
  await sendBy({ ...BY_COOKIE, apiKey: word, environment: {} }, `POST ${SESSION}`, {});
  await enter();
}

/** Ends all sessions of the key, or of the person, if they have not ended by now. What is shown of it is left to the caller. */
export async function signOut(): Promise<void> {
  try {
    await sendBy(BY_COOKIE, `DELETE ${SESSION}`);
  } catch (error) {
    if (!isSignedOut(error)) throw error;
  }
  noteSignedIn(false);
}

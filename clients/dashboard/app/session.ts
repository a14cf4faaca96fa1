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
import { to } from './addresses.ts';
import { maySignedIn, noteSignedIn } from './kept.ts';
import { giveUpTyped } from './leave.ts';

/** Who is signed in. Undefined: not known yet; null: there is no session. */
export const whoami = signal<AuthWhoamiAnswer | null | undefined>(undefined);

/** What this credential may do: pages show no more than that. */
export const may = computed(() => {
  const scope = whoami.value?.scope;
  return {
    /** Run gates. */
    run: scope !== undefined && (scope as string) !== 'read',
    /** Change suites, cases and scorers. */
    edit: scope === 'suites' || scope === 'full',
    /** Keys, payments, trusted repositories, projects. */
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
const sessionFetch = (url: string, { headers, ...request }: RequestInit): Promise<Response> => {
  const { authorization: _, ...others } = headers as Record<string, string>;
  return fetch(url, { ...request, headers: others, credentials: 'same-origin', cache: 'no-store' });
};

const BY_COOKIE = {
  url: location.origin,
  apiKey: 'session',
  retries: 0,
  environment: { fetch: sessionFetch },
};

/** Calls with the session's cookie. */
export const sdk = new Evalgate(BY_COOKIE);

/** Sessions are for browsers: the SDK has no operations of them. */
const SESSION = '/v1/auth/session';
const sendBy = (options: Options, operation: string, body?: object) =>
  createSend(settingsOf(options))(operationOf(operation), { names: [], query: undefined, body });

/** The service says itself that there is no session: a firewall's 401 does not. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof CredentialError && error.code === 'UNAUTHORIZED';

/** The one project of the key is deleted: its session sees nothing, and a key that signs in takes its place. */
const isBoundToNothing = (error: unknown): boolean =>
  error instanceof EvalgateError && error.code === 'NOT_FOUND';

/** Asks the service, unless this browser has no session for sure: a good page has no request that fails. */
export async function readWhoami(): Promise<void> {
  if (!maySignedIn()) {
    whoami.value = null;
    return;
  }
  try {
    whoami.value = await sdk.auth.whoami();
  } catch (error) {
    if (!isSignedOut(error) && !isBoundToNothing(error)) throw error;
    noteSignedIn(false);
    whoami.value = null;
  }
}

type Who = typeof whoami.value;

const reachOf = (who: Who): string => JSON.stringify([who?.organisation.id, who?.project?.id, who?.scope]);

/** With another session than before nothing that is shown or typed holds any more. True: the page begins anew. */
export function beginAnewUnlessSame(before: Who): boolean {
  const now = whoami.value;
  if (reachOf(before) === reachOf(now)) return false;
  giveUpTyped();
  if (before?.organisation.id === now?.organisation.id) location.reload();
  else location.replace(to.home);
  return true;
}

/** What this deployment offers before the sign-in. */
export interface Offers {
  readonly sign_up: 'open' | 'closed';
}

export async function readOffers(signal: AbortSignal): Promise<Offers> {
  const answer = await fetch('/app.json', { signal });
  return (await answer.json()) as Offers;
}

/** Gives the key for a session's cookie: nothing of the key is kept. */
export async function signIn(key: string): Promise<void> {
  const word = key.trim();
  if (!/^[\x21-\x7e]+$/.test(word))
    throw new EvalgateError('An API key is one word, such as egk_… without blanks.', { code: 'NO_KEY' });
  await sendBy({ ...BY_COOKIE, apiKey: word, environment: {} }, `POST ${SESSION}`, {});
  try {
    whoami.value = await sdk.auth.whoami();
    noteSignedIn(true);
    return;
  } catch (error) {
    if (!isSignedOut(error)) throw error;
  }
  const words = isPlainHttp
    ? 'The browser kept no cookie. Open the dashboard by https, or on the machine itself.'
    : 'The browser kept no cookie: allow cookies of this page.';
  throw new EvalgateError(words, { code: 'NO_COOKIE' });
}

/** Ends all sessions of the key. What is shown of it is left to the caller. */
export async function signOut(): Promise<void> {
  await sendBy(BY_COOKIE, `DELETE ${SESSION}`);
  noteSignedIn(false);
}

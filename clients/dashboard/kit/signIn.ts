import { EvalgateError } from '../../sdk/index.ts';
import type { Reply } from '../../sdk/transport/send.ts';
import { rememberOrganisation } from './kept.ts';
import { notOurs } from './problems.ts';
import { BY_ANYBODY, BY_COOKIE, enter, sendBy } from './session.ts';

/** What lacks it came from something else than the service. */
async function dataOf<T>(reply: Promise<Reply>): Promise<T> {
  const { data } = ((await reply).body ?? {}) as { readonly data?: T };
  if (data === undefined) throw notOurs();
  return data;
}

const isMissing = (error: unknown): boolean => error instanceof EvalgateError && error.code === 'NOT_FOUND';

const SIGN_IN = '/v1/auth/sign-in';

/** A sign-in that can go on at a provider. */
export interface Beginning {
  /** Of the provider, with all that it needs to know. */
  readonly url: string;
  /** Foreign. */
  readonly label: string;
}

/** The answer's cookie is good for ten minutes. Undefined: the organisation has no sign-in, or there is none. */
export async function beginSignIn(body: {
  readonly organisation: string;
  readonly project?: string;
  readonly fresh: boolean;
}): Promise<Beginning | undefined> {
  try {
    return await dataOf<Beginning>(sendBy(BY_ANYBODY, `POST ${SIGN_IN} public`, body));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Gives what the provider sent for a session's cookie. */
export async function finishSignIn(
  organisation: string,
  answer: { readonly code: string; readonly state: string; readonly iss?: string },
): Promise<void> {
  try {
    await sendBy(BY_ANYBODY, `POST ${SIGN_IN}/finish public`, answer);
  } catch (error) {
    // No page waits for it here, and the sentence has the cause.
    if (error instanceof EvalgateError && error.code === 'REAUTHENTICATION_REQUIRED')
      throw new EvalgateError(error.message, { code: 'NOT_FRESH' });
    throw error;
  }
  rememberOrganisation(organisation);
  await enter();
}

/** A code that the command line of the person who is signed in takes within a minute. */
export async function createCliCode(body: {
  readonly challenge: string;
  readonly scope?: string;
}): Promise<string> {
  const { code } = await dataOf<{ readonly code: string }>(sendBy(BY_COOKIE, 'POST /v1/auth/cli', body));
  return code;
}

/** The provider of the organisation's persons. */
export interface Provider {
  readonly issuer: string;
  /** Where persons begin. */
  readonly sign_in_url: string;
}

/** Null: the organisation has none. */
export async function readProvider(): Promise<Provider | null> {
  try {
    return await dataOf<Provider>(sendBy(BY_COOKIE, 'GET /v1/sign-in'));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

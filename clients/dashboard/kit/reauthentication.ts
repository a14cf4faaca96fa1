import { signal } from '@preact/signals';
import { EvalgateError } from '../../sdk/index.ts';
import { account, isSignedOut, signIns, whoami } from './session.ts';

/** Why the reader has to sign in again while a page stays as it is. */
type Reason = 'ended' | 'sensitive';

interface Question {
  readonly reason: Reason;
  readonly settle: (isSignedIn: boolean) => void;
}

/** The question that is open. */
export const openQuestion = signal<Question | undefined>(undefined);
let answer: Promise<boolean> | undefined;

/** Requests that fail at the same time ask once. */
function askToSignIn(reason: Reason): Promise<boolean> {
  answer ??= new Promise<boolean>((resolve) => {
    openQuestion.value = { reason, settle: resolve };
  }).finally(() => {
    openQuestion.value = undefined;
    answer = undefined;
  });
  return answer;
}

// The page is another one's: what it waited for is not sent.
account.subscribe(() => openQuestion.peek()?.settle(false));
// The same account has signed in, here or in another tab.
signIns.subscribe(() => openQuestion.peek()?.settle(true));

function reasonOf(error: unknown): Reason | undefined {
  if (!(error instanceof EvalgateError)) return undefined;
  if (error.code === 'REAUTHENTICATION_REQUIRED') return 'sensitive';
  // Without a session before, the frame of the page leads to the sign-in.
  return isSignedOut(error) && whoami.peek() ? 'ended' : undefined;
}

/** Sends a request; where the session ended, or is too old for it, sends it once more after the same account signed in again. */
export async function withSession<T>(request: () => Promise<T>): Promise<T> {
  const before = account.peek();
  try {
    return await request();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined || !(await askToSignIn(reason)) || account.peek() !== before) throw error;
    return request();
  }
}

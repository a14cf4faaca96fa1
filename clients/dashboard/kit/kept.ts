/** All that the dashboard keeps in this browser: nothing of a key, a token or an answer. */
const PROJECT = 'evalgate.project';
const SIGNED_IN = 'evalgate.signed-in';

/** Undefined where the browser keeps nothing. */
function read(name: string): string | null | undefined {
  try {
    return localStorage.getItem(name);
  } catch {
    return undefined;
  }
}

function write(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // It is only a convenience.
  }
}

/** The slug of the project that was looked at last. */
export const lastProject = (): string | undefined => read(PROJECT) ?? undefined;
export const rememberProject = (slug: string): void => write(PROJECT, slug);

/** When somebody signed in, in whichever tab. Null where this browser has no session: none was begun, or it was ended. */
export const lastSignIn = (): string | null | undefined => read(SIGNED_IN);
export const noteSignedIn = (isSignedIn: boolean): void =>
  write(SIGNED_IN, isSignedIn ? `${Date.now()}` : undefined);

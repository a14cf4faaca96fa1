/** All that the dashboard keeps in this browser: nothing of a key, a token or an answer. */
const PROJECT = 'evalgate.project';
const SIGNED_IN = 'evalgate.signed-in';
const ORGANISATION = 'evalgate.organisation';
/** In this tab only. */
const BEGUN = 'evalgate.begun';

type Place = 'localStorage' | 'sessionStorage';

/** Undefined where the browser keeps nothing. */
function read(name: string, place: Place = 'localStorage'): string | null | undefined {
  try {
    return window[place].getItem(name);
  } catch {
    return undefined;
  }
}

function write(name: string, value: string | undefined, place: Place = 'localStorage'): void {
  try {
    if (value === undefined) window[place].removeItem(name);
    else window[place].setItem(name, value);
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

/** The id of the organisation whose provider this browser signs in with. */
export const lastOrganisation = (): string | undefined => read(ORGANISATION) ?? undefined;
export const rememberOrganisation = (id: string | undefined): void => write(ORGANISATION, id);

/** A sign-in that this tab left for a provider. */
export interface BegunSignIn {
  readonly organisation: string;
  /** The address of the dashboard that it leads to. */
  readonly next: string;
  /** It is of a tab of its own, which another one waits for. */
  readonly isFresh: boolean;
}

export const noteBegun = (begun: BegunSignIn): void => write(BEGUN, JSON.stringify(begun), 'sessionStorage');

/** The one that this tab began last; it is forgotten. */
export function takeBegun(): BegunSignIn | undefined {
  const text = read(BEGUN, 'sessionStorage');
  write(BEGUN, undefined, 'sessionStorage');
  try {
    return text ? (JSON.parse(text) as BegunSignIn) : undefined;
  } catch {
    return undefined;
  }
}

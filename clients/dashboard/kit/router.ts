import { signal } from '@preact/signals';
import { mayLeave } from './leave.ts';
import { returnTo } from './scroll.ts';

/** Where the reader is. What is filtered, searched and opened stands in the query, so that a link gives the same view. */
export interface Address {
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface PageProps {
  /** Of the pattern of the page's address. */
  readonly params: Readonly<Record<string, string>>;
}

const ROOT = '/app';

/** Where a provider sends the browser back to after a sign-in. */
const RETURN = /^\/app\/signed-in\//;

/** What the provider has added to the address is taken out before anything reads, shows or requests it. */
function takenOut(): URLSearchParams {
  const { pathname, search, hash } = location;
  if (!RETURN.test(pathname)) return new URLSearchParams();
  if (search + hash !== '') history.replaceState(history.state, '', pathname);
  return new URLSearchParams(search);
}

let ofProvider = takenOut();

/** What a provider sent the browser back with, once. */
export function takeProviderAnswer(): URLSearchParams {
  const taken = ofProvider;
  ofProvider = new URLSearchParams();
  return taken;
}

const here = (): Address => ({
  path: location.pathname,
  query: new URLSearchParams(location.search),
});

export const address = signal<Address>(here());

/** Grows with each page that was gone to, so that the next heading knows that it has to take the focus. */
export const visits = signal(0);

/** How many steps the entry is from the first one of this tab. */
const stepOf = (state: unknown): number => (state as { readonly step?: number } | null)?.step ?? 0;
/** How far down the reader was on leaving the entry. */
const topOf = (state: unknown): number | undefined => (state as { readonly top?: number } | null)?.top;
let step = stepOf(history.state);

interface Going {
  /** Back does not lead to where the reader is now. */
  readonly replaces?: boolean;
}

/** Goes to an address of the dashboard, unless typed text would be lost and the reader stays. */
export function navigate(to: string, { replaces = false }: Going = {}): void {
  const url = new URL(to, location.href);
  const isOtherPage = url.pathname !== location.pathname;
  if (isOtherPage && !mayLeave()) return;
  returnTo(undefined);
  if (!replaces) {
    history.replaceState({ step, top: scrollY }, '');
    step += 1;
  }
  history[replaces ? 'replaceState' : 'pushState']({ step }, '', url);
  address.value = here();
  if (!isOtherPage) return;
  visits.value += 1;
  scrollTo(0, 0);
}

/** The same page with other fields of the query; undefined and '' take one away. */
export function withQuery(
  fields: Readonly<Record<string, string | undefined>>,
  { path, query }: Address = address.value,
): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(fields)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next.size === 0 ? path : `${path}?${next}`;
}

/** The page of a list that the address names. */
export function pageIn({ query }: Address, name = 'page'): number {
  return Math.max(1, Number.parseInt(query.get(name) ?? '1', 10) || 1);
}

/** The address of another page of a list. */
export const toPage =
  (name = 'page') =>
  (page: number): string =>
    withQuery({ [name]: page === 1 ? undefined : `${page}` });

/** Only an address of the dashboard: a link must not lead elsewhere through the sign-in. */
export function isOwnAddress(to: string): boolean {
  if (to !== ROOT && !/^\/app[/?]/.test(to)) return false;
  const url = URL.parse(to, location.origin);
  return url?.origin === location.origin && (url.pathname === ROOT || url.pathname.startsWith(`${ROOT}/`));
}

/** Values of `:name` in a pattern such as `/app/runs/:run`; undefined where the path is another one. */
export function paramsOf(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const expected = pattern.split('/');
  const given = path.replace(/\/$/, '').split('/');
  if (expected.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    const value = given[index] ?? '';
    if (!segment.startsWith(':')) {
      if (segment !== value) return undefined;
      continue;
    }
    const decoded = decodedSegment(value);
    if (!decoded) return undefined;
    params[segment.slice(1)] = decoded;
  }
  return params;
}

function decodedSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Links within the dashboard load no page; new tabs, downloads and other addresses are the browser's. */
function followLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  const to = link.pathname + link.search;
  if (link.hash || !isOwnAddress(to)) return;
  event.preventDefault();
  navigate(to);
}

/** The browser has gone there already: who stays goes back. */
function followHistory({ state }: PopStateEvent): void {
  if (state === null) {
    // A link within the page, such as to its content, has made an entry.
    step += 1;
    history.replaceState({ step }, '');
    return;
  }
  const isOtherPage = location.pathname !== address.value.path;
  if (isOtherPage && !mayLeave()) {
    history.go(step - stepOf(state));
    return;
  }
  step = stepOf(state);
  if (location.pathname + location.search === address.value.path + searchOf(address.value)) return;
  address.value = here();
  if (isOtherPage) visits.value += 1;
  returnTo(topOf(state));
}

const searchOf = ({ query }: Address): string => (query.size === 0 ? '' : `?${query}`);

export function startRouter(): void {
  history.replaceState({ step }, '');
  document.addEventListener('click', followLink);
  addEventListener('popstate', followHistory);
}

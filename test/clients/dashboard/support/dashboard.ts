import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { type Api, api, browserUrl, sharedServiceUrl } from '../../../support/api.ts';
import { launchBrowser, PAGE_HANG_MS } from '../../../support/chromium.ts';
import { REPOSITORY_DIR } from '../../../support/processes.ts';
import { eventually } from '../../../support/service.ts';

export interface Account {
  /** Of scope full, for all projects. */
  readonly key: string;
  readonly client: Api;
}

/** A new organisation. */
export async function newAccount(name = 'Acme Robotics'): Promise<Account> {
  const url = sharedServiceUrl();
  const { body } = await api(url)('POST', '/v1/auth/signup', { name });
  const { key } = body.data.api_key;
  return { key, client: api(url, key) };
}

/** Another key of the organisation. */
export async function newKey({ client }: Account, fields: object = {}): Promise<{ id: string; key: string }> {
  return (await client('POST', '/v1/api-keys', { name: 'Ada', scope: 'full', ...fields })).body.data;
}

export interface Dashboard {
  readonly url: string;
  /** The tab, with nothing of an earlier test in it. */
  readonly page: () => Page;
  /** Opens a path of the dashboard, and waits until it is settled. */
  readonly open: (path: string) => Promise<Page>;
  /** Begins a session as the sign-in does, and opens a path, by default the first page. */
  readonly signIn: (key: string, path?: string) => Promise<Page>;
  /** Waits until the page shows all that it asked for. */
  readonly settle: () => Promise<void>;
  /** Another origin that the test leads to, such as a provider. */
  readonly expectOrigin: (origin: string) => void;
  /** A console line that the test brings about. */
  readonly expectLine: (line: RegExp) => void;
  /** The paths under `/v1` that were asked for since the last call. */
  readonly asked: () => string[];
  /** Answers of no success since the last call. */
  readonly failed: () => string[];
}

/** A script without a return value is given as a text: nothing of the tests' compiler gets into the page. */
const IS_SHOWN = `new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(
  document.querySelector('h1') !== null && document.querySelector('.loading') === null))))`;

/** What the sign-in notes beside the cookie. */
const SIGNED_IN = { name: 'evalgate.signed-in', value: '1' };

/** What a tab did. */
interface Tab {
  readonly page: Page;
  readonly underWay: Set<Request>;
  readonly lines: string[];
  readonly foreign: string[];
  readonly asked: string[];
  readonly failed: string[];
}

async function newTab(browser: Browser, url: string, stored: readonly (typeof SIGNED_IN)[]): Promise<Tab> {
  const context = await browser.newContext({
    // What would be deployed has a certificate of its own making here.
    ignoreHTTPSErrors: true,
    permissions: ['clipboard-read', 'clipboard-write'],
    storageState: { cookies: [], origins: [{ origin: url, localStorage: [...stored] }] },
  });
  context.setDefaultTimeout(PAGE_HANG_MS);
  const page = await context.newPage();
  const tab: Tab = { page, underWay: new Set(), lines: [], foreign: [], asked: [], failed: [] };
  page.on('console', (message) => tab.lines.push(message.text()));
  page.on('pageerror', (error) => tab.lines.push(error.message));
  page.on('request', (request) => {
    tab.underWay.add(request);
    const { protocol, origin, pathname } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== url) tab.foreign.push(request.url());
    if (pathname.startsWith('/v1/')) tab.asked.push(pathname);
  });
  const end = (request: Request) => void tab.underWay.delete(request);
  page.on('requestfinished', end).on('requestfailed', end);
  page.on('response', (response) => {
    if (!response.ok()) tab.failed.push(`${response.status()} ${response.url()}`);
  });
  return tab;
}

/**
 * A browser for the tests of a file, a tab with storage of its own for each. After each test it fails where a page wrote
 * a line to the console, threw, or asked another origin. `urlOf` gives the address of another service than the shared one.
 */
export function useDashboard(urlOf: () => string = browserUrl): Dashboard {
  let browser: Browser;
  let tab: Tab | undefined;
  let expected: RegExp[] = [];
  let origins: string[] = [];

  const opened = (): Tab => {
    if (tab === undefined) throw new Error('There is no tab outside a test.');
    return tab;
  };
  // An answer may ask for more once it is shown.
  const settle = async (): Promise<void> => {
    const { page, underWay } = opened();
    const untilMs = Date.now() + PAGE_HANG_MS;
    await eventually(async () => {
      if (Date.now() > untilMs)
        throw new Error(`Not settled: ${[...underWay].map((one) => one.url())} ${await page.content()}`);
      return underWay.size === 0 && (await page.evaluate<boolean>(IS_SHOWN)) && underWay.size === 0;
    });
  };
  const open = async (path: string): Promise<Page> => {
    tab ??= await newTab(browser, urlOf(), []);
    await tab.page.goto(urlOf() + path);
    await settle();
    return tab.page;
  };

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    const { lines, foreign } = tab ?? { lines: [], foreign: [] };
    const said = lines.filter((line) => !expected.some((known) => known.test(line)));
    const others = foreign.filter((address) => !origins.includes(new URL(address).origin));
    await tab?.page.context().close();
    [tab, expected, origins] = [undefined, [], []];
    expect({ said, foreign: others }).toEqual({ said: [], foreign: [] });
  });
  afterAll(() => browser.close());

  return {
    get url() {
      return urlOf();
    },
    page: () => opened().page,
    open,
    settle,
    async signIn(key, path = '/app') {
      if (tab) await tab.page.evaluate(`localStorage.setItem('${SIGNED_IN.name}', '${SIGNED_IN.value}')`);
      else tab = await newTab(browser, urlOf(), [SIGNED_IN]);
      const headers = { authorization: `Bearer ${key}` };
      const begun = await tab.page.request.post(`${urlOf()}/v1/auth/session`, { headers, data: {} });
      expect(begun.status()).toBe(201);
      return open(path);
    },
    expectOrigin: (origin) => void origins.push(origin),
    expectLine: (line) => void expected.push(line),
    asked: () => opened().asked.splice(0),
    failed: () => opened().failed.splice(0),
  };
}

/** The second click of a double click may come when another page is there: these two come at once. */
export const clickTwice = (button: Locator): Promise<void> =>
  button.evaluate((element: { click(): void }) => {
    element.click();
    element.click();
  });

const AXE = readFileSync(path.join(REPOSITORY_DIR, 'node_modules/axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const LOOKS = [
  ['light', 1280],
  ['dark', 360],
] as const;

/** What breaks a rule of WCAG on the page as it is. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] });
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

/** In both schemes, on a wide and a narrow screen: no violation of accessibility rules, and no sideways scroll. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const [scheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    const found = await axeViolations(page);
    const isWider = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect({ scheme, width, found, isWider }).toEqual({ scheme, width, found: [], isWider: false });
  }
}

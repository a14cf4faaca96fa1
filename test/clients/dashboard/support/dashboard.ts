import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { type Api, api, sharedServiceUrl } from '../../../support/api.ts';
import { launchBrowser } from '../../../support/chromium.ts';
import { REPOSITORY_DIR } from '../../../support/processes.ts';
import { HANG_MS } from '../../../support/service.ts';

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
  /** Opens a path of the dashboard. */
  readonly open: (path: string) => Promise<Page>;
  /** By a link to a path, by default the first page. */
  readonly signIn: (key: string, path?: string) => Promise<Page>;
  /** A console line that the test brings about. */
  readonly expectLine: (line: RegExp) => void;
  /** The paths under `/v1` that were asked for since the last call. */
  readonly asked: () => string[];
}

/**
 * A browser for the tests of a file, a tab with storage of its own for each. After each test it fails where a page wrote
 * a line to the console, threw, or asked another origin.
 */
export function useDashboard(): Dashboard {
  const url = sharedServiceUrl();
  let browser: Browser;
  let tab: Page | undefined;
  let lines: string[] = [];
  let expected: RegExp[] = [];
  let requests: string[] = [];
  let foreign: string[] = [];

  async function newTab(): Promise<Page> {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    context.setDefaultTimeout(HANG_MS);
    const page = await context.newPage();
    page.on('console', (message) => lines.push(message.text()));
    page.on('pageerror', (error) => lines.push(error.message));
    page.on('request', (request) => {
      const asked = new URL(request.url());
      if (asked.protocol !== 'data:' && asked.protocol !== 'blob:' && asked.origin !== url)
        foreign.push(request.url());
      if (asked.pathname.startsWith('/v1/')) requests.push(asked.pathname);
    });
    return page;
  }

  const page = (): Page => {
    if (tab === undefined) throw new Error('There is no tab outside a test.');
    return tab;
  };
  const open = async (to: string): Promise<Page> => {
    tab ??= await newTab();
    await tab.goto(url + to);
    return tab;
  };

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    const said = lines.filter((line) => !expected.some((known) => known.test(line)));
    const found = { said, foreign };
    await tab?.context().close();
    [tab, lines, expected, requests, foreign] = [undefined, [], [], [], []];
    expect(found).toEqual({ said: [], foreign: [] });
  });
  afterAll(() => browser.close());

  return {
    url,
    page,
    open,
    async signIn(key, to = '/app') {
      const opened = await open(`/app/sign-in?next=${encodeURIComponent(to)}`);
      await opened.getByLabel('API key').fill(key);
      await opened.getByRole('button', { name: 'Sign in' }).click();
      await opened.getByRole('button', { name: 'Sign out' }).waitFor();
      return opened;
    },
    expectLine: (line) => void expected.push(line),
    asked: () => requests.splice(0),
  };
}

/** Of these paths, those since a page was loaded: what the one before asked for late is left out. */
export const sinceLoad = (paths: readonly string[]): readonly string[] =>
  paths.slice(paths.lastIndexOf('/v1/whoami'));

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

import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

/** How long a page may take for one thing: longer on no machine, however busy. */
export const PAGE_HANG_MS = 3 * 60_000;

/** Debian's paths. The shell has no windows to draw: pages take half of the processor time. */
const SHELL = '/usr/bin/chromium-headless-shell';
export const CHROMIUM = process.env.CHROMIUM_PATH ?? (existsSync(SHELL) ? SHELL : '/usr/bin/chromium');
const OPTIONS = {
  executablePath: CHROMIUM,
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
  timeout: PAGE_HANG_MS,
};

/** Starts a browser with a temporary profile. */
export async function openBrowser(): Promise<BrowserContext> {
  const browser = await chromium.launchPersistentContext('', OPTIONS);
  browser.setDefaultTimeout(PAGE_HANG_MS);
  return browser;
}

/** A browser whose tabs share nothing: each of its contexts is another person's. */
export const launchBrowser = (): Promise<Browser> => chromium.launch(OPTIONS);

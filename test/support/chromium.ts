import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { HANG_MS } from './service.ts';

/** Debian's path. */
export const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
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
  timeout: HANG_MS,
};

/** Starts a browser with a temporary profile. */
export async function openBrowser(): Promise<BrowserContext> {
  const browser = await chromium.launchPersistentContext('', OPTIONS);
  browser.setDefaultTimeout(HANG_MS);
  return browser;
}

/** A browser whose tabs share nothing: each of its contexts is another person's. */
export const launchBrowser = (): Promise<Browser> => chromium.launch(OPTIONS);

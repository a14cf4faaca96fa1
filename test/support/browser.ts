import { existsSync } from 'node:fs';
import { describe, test } from '@jest/globals';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { HANG_MS } from './service.ts';

/** Debian's path. */
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser with a temporary profile. */
export async function openBrowser(): Promise<BrowserContext> {
  const options = { executablePath: CHROMIUM, args: ARGUMENTS, timeout: HANG_MS };
  const browser = await chromium.launchPersistentContext('', options);
  browser.setDefaultTimeout(HANG_MS);
  return browser;
}

/** A browser whose tabs share nothing: each of its contexts is another person's. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS, timeout: HANG_MS });

/** Tests that need a browser. Without one they are skipped with a notice, except in CI. */
export function describeInBrowser(title: string, tests: () => void): void {
  if (existsSync(CHROMIUM)) {
    describe(title, tests);
    return;
  }
  const reason = `there is no browser at ${CHROMIUM}: apt-get install chromium, or set CHROMIUM_PATH`;
  if (process.env.CI) {
    test(title, () => {
      throw new Error(reason);
    });
    return;
  }
  process.stderr.write(`skipped: ${title} (${reason})\n`);
  test.skip(title, () => {});
}

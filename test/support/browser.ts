import { existsSync } from 'node:fs';
import { describe, test } from '@jest/globals';
import { CHROMIUM } from './chromium.ts';

/** Tests that need a browser. Without one they are skipped with a notice, except in CI. */
export function describeInBrowser(title: string, tests: () => void): void {
  if (existsSync(CHROMIUM)) {
    describe(title, tests);
    return;
  }
  const reason = `there is no browser at ${CHROMIUM}: apt-get install chromium-headless-shell, or set CHROMIUM_PATH`;
  if (process.env.CI) {
    test(title, () => {
      throw new Error(reason);
    });
    return;
  }
  process.stderr.write(`skipped: ${title} (${reason})\n`);
  test.skip(title, () => {});
}

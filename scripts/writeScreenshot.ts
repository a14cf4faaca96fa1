import path from 'node:path';
import { launchBrowser } from '../test/support/chromium.ts';
import { startService } from '../test/support/service.ts';
import { ROOT } from './run.ts';

/** `npm run screenshot`: the picture in the README, of the demo's aborted run, as the browser of the tests shows it. */
const FILE = path.join(ROOT, 'docs/run-page.png');
const SIZE = { width: 1_280, height: 1_000 };

const service = await startService({ fromSources: true, env: { EVALGATE_DEMO: 'on' } });
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(`${service.baseUrl}/app`);
  await page.getByLabel('API key').fill(service.apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('a[href^="/app/runs/"]').first().click();
  await page.locator('.detail').getByText('Output').first().waitFor();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: FILE });
} finally {
  await browser.close();
  await service.stop();
}

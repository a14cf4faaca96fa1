import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { makeProject } from '../../support/builders.ts';
import { type Account, expectAccessible, newAccount, newKey, useDashboard } from './support/dashboard.ts';
import { type Seeded, seedRuns } from './support/seed.ts';

const HOSTILE = '<img src=x onerror=alert(1)>\u202etxt.exe';

describeInBrowser('the first page of the dashboard', () => {
  const dashboard = useDashboard();
  let account: Account;
  let seeded: Seeded;
  beforeAll(async () => {
    account = await newAccount(HOSTILE);
    seeded = await seedRuns(account.client);
  });

  test('shows the projects, the suites of one with their latest runs, and the usage, with few requests', async () => {
    const page = await dashboard.signIn(account.key);
    const row = page.getByRole('row', { name: /Returns/ });
    expect(await row.innerText()).toMatch(/Returns\s+cleared\s+87\.5 %\s+80\.0 %/);
    expect(await row.getByTitle(seeded.cleared).getAttribute('href')).toBe(`/app/runs/${seeded.cleared}`);
    await page.getByText(/2 of \d+ runs this month/).waitFor();
    const paths = dashboard.asked().filter((path) => path !== '/v1/auth/session');
    expect(paths.sort()).toEqual([
      '/v1/billing/usage',
      '/v1/projects',
      `/v1/projects/${seeded.project}/suites`,
      '/v1/whoami',
    ]);
    await expectAccessible(page);
  });

  test('a run is found by its link or its id', async () => {
    const page = await dashboard.signIn(account.key);
    const field = page.getByLabel('Link or id of a run');
    await field.fill('Returns');
    await page.keyboard.press('Enter');
    expect(await page.locator('input[name="run"]:invalid').count()).toBe(1);
    await field.fill(`see ${dashboard.url}/app/runs/${seeded.cleared} there`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Returns, / }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/runs/${seeded.cleared}`);
  });

  test('foreign names are text, and what turns their direction is pictured', async () => {
    await makeProject(account.client, { name: HOSTILE, slug: 'hostile' });
    const page = await dashboard.signIn(account.key);
    const shown = '<img src=x onerror=alert(1)>⟨U+202E⟩txt.exe';
    await page.getByRole('heading', { name: shown }).waitFor();
    expect(await page.locator('.who').innerText()).toBe(`${shown} (full)`);
  });

  test('another project is unfolded on demand, and shown first the next time', async () => {
    await makeProject(account.client, { name: 'Search', slug: 'search' });
    const page = await dashboard.signIn(account.key);
    await page.getByText('No suite yet.').waitFor();
    await page.getByRole('heading', { name: 'Support bot' }).click();
    await page.getByRole('link', { name: 'Returns' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Returns' }).waitFor();
    expect(await page.getByText('No suite yet.').count()).toBe(0);
  });

  test('requests a run from a key that only runs gates, and leads to it', async () => {
    const { key } = await newKey(account, { scope: 'run' });
    const page = await dashboard.signIn(key);
    const field = page.getByLabel('Link or id of a run');
    await expectAccessible(page);
    await field.fill('no run');
    await page.keyboard.press('Enter');
    await page.getByText('No run id is in it').waitFor();
    await field.fill(`see ${dashboard.url}/app/runs/${seeded.aborted} there`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Returns, / }).waitFor();
  });

  test('an address without a page, and one of a page that cannot be, lead back', async () => {
    const page = await dashboard.signIn(account.key);
    for (const path of ['/app/nowhere', '/app/runs/%E0%A4', '/app/runs/']) {
      await page.goto(dashboard.url + path);
      await page.getByRole('link', { name: 'Go to the projects' }).waitFor();
    }
  });
});

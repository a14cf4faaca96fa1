import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { api } from '../../support/api.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { makeCase, makeScorer, makeSuite } from '../../support/builders.ts';
import type { OwnService } from '../../support/ownService.ts';
import { eventually } from '../../support/service.ts';
import { type Account, expectAccessible, newAccount, useDashboard } from './support/dashboard.ts';
import { signInAt, startOwnEndpoints } from './support/ownEndpoints.ts';
import { type Seeded, seedRuns } from './support/seed.ts';

const MINUTE_MS = 60_000;

describeInBrowser('what interrupts the dashboard', () => {
  const dashboard = useDashboard();
  let account: Account;
  let seeded: Seeded;
  beforeAll(async () => {
    account = await newAccount();
    seeded = await seedRuns(account.client);
  });

  const openRun = () => dashboard.signIn(account.key, `/app/runs/${seeded.aborted}`);
  const alerts = (page: Page) => page.getByRole('alert');

  test('offline, a page shows a notice and keeps its content; with the connection it goes on by itself', async () => {
    dashboard.expectLine(/ERR_INTERNET_DISCONNECTED/);
    const page = await openRun();
    const context = page.context();
    await context.setOffline(true);
    await page.getByRole('link', { name: '3 passed' }).click();
    await alerts(page).getByText('You are offline.').waitFor();
    expect(await alerts(page).innerText()).toMatch(/Again by itself in \d+ s\./);
    await page.getByText('pass rate 37.5 % < 80.0 %').waitFor();
    await expectAccessible(page);
    await context.setOffline(false);
    await page.getByRole('button', { name: 'plain-3' }).waitFor();
    expect(await alerts(page).count()).toBe(0);
  });

  test('offline, a page that was not loaded yet shows a notice, and appears with the connection', async () => {
    dashboard.expectLine(/ERR_INTERNET_DISCONNECTED/);
    const page = await openRun();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Returns' }).click();
    await alerts(page).getByText('You are offline.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('region', { name: 'Bar' }).waitFor();
  });

  test('offline, a typed text stays, and is not sent by itself', async () => {
    dashboard.expectLine(/ERR_INTERNET_DISCONNECTED/);
    const project = { slug: seeded.project };
    const one = await makeSuite(account.client, project);
    await makeCase(account.client, one, await makeScorer(account.client, project), { expected: 'x' });
    const page = await dashboard.signIn(account.key, `/app/p/${seeded.project}/s/${one.slug}?try=1`);
    await page.getByRole('textbox', { name: 'Output' }).fill('Within 30 days.');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    expect(await alerts(page).innerText()).toMatch(/^You are offline\. Try again/);
    dashboard.asked();
    await page.context().setOffline(false);
    await dashboard.settle();
    expect(dashboard.asked().filter((path) => path.endsWith('/try'))).toEqual([]);
    expect(await page.getByRole('textbox', { name: 'Output' }).inputValue()).toBe('Within 30 days.');
  });

  test('where requests are limited, it counts down to when it asks again, and then does', async () => {
    dashboard.expectLine(/429/);
    const page = await openRun();
    await page.route('**/results?outcome=passed**', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '30' },
        json: { error: { code: 'RATE_LIMITED', message: 'Too many requests: try again in 30 seconds.' } },
      }),
    );
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + MINUTE_MS);
    await page.getByText('3 passed').click();
    const notice = alerts(page).getByText('Too many requests at once.');
    await eventually(async () => {
      await page.clock.runFor(20);
      return notice.isVisible();
    });
    await page.unrouteAll();
    dashboard.asked();
    expect(await alerts(page).innerText()).toContain('Again by itself in 30 s.');
    await page.clock.runFor(10_000);
    expect(await alerts(page).innerText()).toMatch(/Again by itself in 2[01] s\./);
    await page.clock.runFor(19_000);
    expect(dashboard.asked()).toEqual([]);
    await page.clock.runFor(2_000);
    await page.getByRole('button', { name: 'plain-3' }).waitFor();
    expect(await alerts(page).count()).toBe(0);
  });

  describe('a session of more than ten minutes', () => {
    let own: OwnService;
    let key: string;
    beforeAll(async () => {
      own = await startOwnEndpoints();
      own.clock.ms = Date.now() - 11 * MINUTE_MS;
      const { body } = await api(own.baseUrl)('POST', '/v1/auth/signup', { name: 'Acme' });
      key = body.data.api_key.key;
    });
    afterAll(() => own.stop());
    const keys = async () =>
      (await api(own.baseUrl, key)('GET', '/v1/api-keys')).body.data.map(
        ({ name }: { name: string }) => name,
      );

    test('gives its key again before it makes one: what was typed stays, and is sent once', async () => {
      dashboard.expectLine(/403/);
      const page = await dashboard.open('/app/sign-in');
      await signInAt(own, key, page);
      own.clock.ms = undefined;
      await dashboard.open('/app/settings/keys');
      await page.getByRole('button', { name: 'New API key' }).click();
      await page.getByLabel('Name').fill('Of the CI');
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your key again' });
      await dialog.waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await alerts(page).getByText('It was not done: you have to sign in again for it.').waitFor();
      expect(await page.getByLabel('Name').inputValue()).toBe('Of the CI');
      expect(await keys()).toHaveLength(1);

      dashboard.asked();
      await page.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByLabel('API key').fill(key);
      await page.keyboard.press('Enter');
      await page.getByText(/^egk_\w+$/).waitFor();
      await dashboard.settle();
      expect(dashboard.asked().filter((path) => path !== '/v1/whoami')).toEqual([
        '/v1/api-keys',
        '/v1/auth/session',
        '/v1/api-keys',
        // The list.
        '/v1/api-keys',
      ]);
      expect((await keys()).sort()).toEqual(['Of the CI', 'first key']);
    });
  });
});

import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import { type Account, newAccount, newKey, useDashboard } from './support/dashboard.ts';
import { type Seeded, seedRuns } from './support/seed.ts';

/** As if the browser froze the tab meanwhile. */
const HEARS_NOTHING = `addEventListener('storage', (event) => event.stopImmediatePropagation(), true)`;

describeInBrowser('two tabs of one browser', () => {
  const dashboard = useDashboard();
  let account: Account;
  let stranger: Account;
  let seeded: Seeded;
  beforeAll(async () => {
    [account, stranger] = await Promise.all([newAccount(), newAccount('Strangers')]);
    seeded = await seedRuns(account.client);
  });

  /** A tab of the first account at its project, and another one where it signed out. */
  async function signedOutElsewhere(prepare = async (_: Page): Promise<unknown> => undefined) {
    const { key } = await newKey(account);
    const page = await dashboard.open('/app/sign-in');
    await prepare(page);
    await dashboard.signIn(key, `/app/p/${seeded.project}`);
    const other = await page.context().newPage();
    await other.goto(`${dashboard.url}/app`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    return { page, other };
  }
  async function signIn(tab: Page, key: string): Promise<void> {
    await tab.getByLabel('API key').fill(key);
    // A heading that takes the focus would take Enter, too.
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.getByRole('button', { name: 'Sign out' }).waitFor();
  }
  /** It shows the second account, and nothing of the first one. */
  async function expectStrangers(page: Page): Promise<void> {
    await page.getByText('Strangers (full)').waitFor();
    await page.getByRole('heading', { name: 'Create the first project' }).waitFor();
    await dashboard.settle();
    expect(await page.getByRole('dialog').count()).toBe(0);
    const text = `${page.url()} ${await page.title()} ${await page.locator('body').innerText()}`;
    expect(text).not.toMatch(/Acme|Support bot|support-bot|Returns|Word for word|Typed/);
  }

  test('after a sign-out in one, the next request of the other asks for the key, which goes on there', async () => {
    dashboard.expectLine(/401/);
    const { page } = await signedOutElsewhere();
    await page.getByRole('link', { name: 'Returns' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session ended' });
    await dialog.getByText('signed out in another tab').waitFor();
    await dialog.getByLabel('API key').fill(account.key);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('region', { name: 'Bar' }).waitFor();
  });

  test('Sign out in the other, too, leads to the sign-in', async () => {
    dashboard.expectLine(/401/);
    const { page } = await signedOutElsewhere();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('another account that signs in in one is at once that of the other, whether it is idle or asks for the key', async () => {
    dashboard.expectLine(/401/);
    const { page, other } = await signedOutElsewhere();
    await page.getByRole('link', { name: 'Right tools' }).click();
    await page.getByRole('dialog', { name: 'Your session ended' }).waitFor();
    await signIn(other, stranger.key);
    await expectStrangers(page);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await signIn(other, account.key);
    await page.getByRole('button', { name: 'Support bot' }).waitFor();
    expect(await page.locator('body').innerText()).not.toContain('Strangers');
  });

  test('a tab that heard nothing of another account sends nothing in its name, and shows nothing of both', async () => {
    const { page, other } = await signedOutElsewhere((tab) => tab.addInitScript(HEARS_NOTHING));
    await page.getByRole('button', { name: 'New suite' }).click();
    await page.getByLabel('Name').fill('Typed before');
    await signIn(other, stranger.key);
    await page.getByRole('heading', { name: 'Support bot' }).waitFor();
    dashboard.asked();
    await page.getByRole('button', { name: 'Create suite' }).click();
    await expectStrangers(page);
    expect(dashboard.asked().sort()).toEqual(['/v1/billing/usage', '/v1/projects', '/v1/whoami']);
  });

  test('a new key that is shown once stays while another tab signs in', async () => {
    const page = await dashboard.open('/app/sign-up');
    await page.getByLabel('Name').fill('Newcomers');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/^egk_\w+$/).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${dashboard.url}/app/sign-in`);
    await signIn(other, account.key);
    await dashboard.settle();
    expect(await page.getByText(/^egk_\w+$/).count()).toBe(1);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('Newcomers (full)').waitFor();
    await other.getByText('Newcomers (full)').waitFor();
  });
});

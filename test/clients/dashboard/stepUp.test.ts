import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import { expectAccessible, useDashboard } from './support/dashboard.ts';
import { logInAt, type Persons, type SignInOrganisation, sent, startPersons } from './support/persons.ts';

const HOUR_SECONDS = 3_600;
const ADA = { subject: 'u-ada', claims: { name: 'Ada Lovelace', groups: ['admins'] } };
const GRACE = { subject: 'u-grace', claims: { name: 'Grace Hopper', groups: ['admins'] } };

describeInBrowser('a person who has to sign in again over a page', () => {
  let persons: Persons;
  let acme: SignInOrganisation;
  const dashboard = useDashboard(() => persons.url);
  beforeAll(async () => {
    persons = await startPersons();
    acme = await persons.organisation({ admins: 'full' });
    await sent(acme.client, 'POST', '/v1/projects', { name: 'Support bot' });
  });
  afterAll(() => persons.stop());
  beforeEach(async () => {
    const { provider } = persons;
    await provider.person('ada, an hour ago', { ...ADA, loggedInSecondsAgo: HOUR_SECONDS });
    await provider.person('ada', ADA);
    await provider.person('grace', GRACE);
  });

  /** A form with typed text, by somebody who gave the password an hour ago; it has been sent once. */
  async function typed(name: string): Promise<Page> {
    dashboard.expectOrigin(persons.provider.issuer);
    dashboard.expectLine(/403/);
    const page = await dashboard.open(`${acme.link}&next=%2Fapp%2Fsettings%2Fkeys`);
    await logInAt(page, 'ada, an hour ago');
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByLabel('Name').fill(name);
    await page
      .getByLabel('Expires on')
      .fill(new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10));
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    return page;
  }
  /** The tab that the dialog opens. */
  async function otherTab(page: Page): Promise<Page> {
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('dialog').getByRole('link', { name: 'Sign in again' }).click(),
    ]);
    await tab.getByRole('heading', { name: 'Sign in again' }).waitFor();
    return tab;
  }
  /** Else the provider asks whether the other person is to be signed out. */
  const signOutOfProvider = (tab: Page): Promise<void> =>
    tab.context().clearCookies({ domain: new URL(persons.provider.issuer).hostname });
  const keyNames = async (): Promise<string[]> =>
    (await sent(acme.client, 'GET', '/v1/api-keys')).map(({ name }: { name: string }) => name);

  test('does so in a tab of its own, which can be closed then; the page sends what was typed', async () => {
    const page = await typed('Typed before');
    await expectAccessible(page);
    const tab = await otherTab(page);
    await logInAt(tab, 'ada');
    await tab.getByText('You can close this one').waitFor();
    await expectAccessible(tab);
    await page.getByRole('region', { name: 'The new key' }).waitFor();
    expect(await keyNames()).toContain('Typed before');
    await page.getByRole('button', { name: 'I have stored it' }).click();
  });

  test('with an old single sign-on is not fresh, and what was typed stays', async () => {
    const page = await typed('Not fresh');
    const tab = await otherTab(page);
    tab.on('console', () => undefined);
    await logInAt(tab, 'ada, an hour ago');
    await tab.getByText('does not state that you signed in just now').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).last().click();
    await page.getByText('you have to sign in again for it').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Not fresh');
    expect(await keyNames()).not.toContain('Not fresh');
  });

  test('as another person is refused, and nothing that was typed is sent', async () => {
    const page = await typed('Of Ada only');
    const tab = await otherTab(page);
    await signOutOfProvider(tab);
    await logInAt(tab, 'grace');
    await tab.getByText('Another person came back').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Of Ada only');
    expect(await page.getByRole('dialog', { name: 'Sign in again' }).count()).toBe(1);
    expect(await keyNames()).not.toContain('Of Ada only');
  });

  test.each([
    ['goes on with what was typed', 'ada', 'You can close this one', true],
    ['as another person does not', 'grace', 'Another person came back', false],
  ])('because the session ended %s', async (title, login, words, isSent) => {
    dashboard.expectOrigin(persons.provider.issuer);
    dashboard.expectLine(/401|403/);
    const page = await dashboard.open(acme.link);
    await logInAt(page, 'ada');
    await page.getByRole('button', { name: 'New project' }).first().click();
    await page.getByLabel('Name of the project').fill(title);
    await sent(acme.client, 'DELETE', '/v1/sign-in/sessions');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('dialog', { name: 'Your session ended' }).waitFor();
    const tab = await otherTab(page);
    await signOutOfProvider(tab);
    await logInAt(tab, login);
    await tab.getByText(words).waitFor();
    if (isSent) await page.getByRole('heading', { name: title }).waitFor();
    const projects = await sent(acme.client, 'GET', '/v1/projects');
    expect(projects.some(({ name }: { name: string }) => name === title)).toBe(isSent);
  });
});

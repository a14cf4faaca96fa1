import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { api } from '../../support/api.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { makeProject } from '../../support/builders.ts';
import { expectAccessible, useDashboard } from './support/dashboard.ts';
import { logInAt, type Persons, type SignInOrganisation, sent, startPersons } from './support/persons.ts';
import { seedRuns } from './support/seed.ts';

/** On narrower screens the page does not show who is signed in. */
const DESKTOP = { width: 1_280, height: 900 };

describeInBrowser('persons who sign in with the provider of their organisation', () => {
  let persons: Persons;
  let acme: SignInOrganisation;
  const dashboard = useDashboard(() => persons.url);
  beforeAll(async () => {
    persons = await startPersons();
    acme = await persons.organisation({ admins: 'full', readers: 'read' });
    const { provider } = persons;
    const of = (name: string, groups: readonly string[]) => ({
      claims: {
        name,
        email: `${name.split(' ')[0]?.toLowerCase()}@acme.example`,
        email_verified: true,
        groups,
      },
    });
    await provider.person('ada', { subject: 'u-ada', ...of('Ada Lovelace', ['admins', 'chess-club']) });
    await provider.person('rhea', { subject: 'u-rhea', ...of('Rhea Reader', ['readers']) });
    await provider.person('stranger', { subject: 'u-stranger', ...of('A Stranger', ['elsewhere']) });
  });
  afterAll(() => persons.stop());

  const pathNow = (page: Page): string => {
    const { pathname, search } = new URL(page.url());
    return pathname + search;
  };
  /** The page that a link of the organisation leads to, as a person of the provider. */
  async function signedInAs(login: string, next = ''): Promise<Page> {
    dashboard.expectOrigin(persons.provider.issuer);
    const page = await dashboard.open(`${acme.link}${next && `&next=${encodeURIComponent(next)}`}`);
    await logInAt(page, login);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await dashboard.settle();
    return page;
  }

  test('a link leads through the provider to its page, which shows person, organisation and scope', async () => {
    const page = await signedInAs('ada', '/app/settings/keys');
    expect(pathNow(page)).toBe('/app/settings/keys');
    await page.getByText('Ada Lovelace · Acme Robotics (full)').waitFor();
    await expectAccessible(page);
  });

  test('the button names label and host of the provider, and the form for a key is behind it', async () => {
    const page = await dashboard.open(acme.link);
    await page.getByRole('button', { name: 'Sign in with Acme login' }).waitFor();
    await page.getByText(`At ${persons.provider.place}`).waitFor();
    expect(await page.getByLabel('API key').isVisible()).toBe(false);
    await expectAccessible(page);
    await page.setViewportSize(DESKTOP);
    await page.getByText('Use an API key').click();
    await page.getByLabel('API key').fill(acme.key);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Acme Robotics (full)').waitFor();
  });

  test('the browser knows the organisation at its next sign-in, and sends a link of another page there', async () => {
    const page = await signedInAs('rhea');
    await page.getByText('Rhea Reader · Acme Robotics (read)').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await dashboard.open('/app/settings/usage');
    await page.getByRole('button', { name: 'Sign in with Acme login' }).click();
    // The provider knows the person still.
    await page.getByText('of 500 runs this month').waitFor();
  });

  test('no code, token, name, e-mail or group is in a storage, an address, the history, a referrer or the log', async () => {
    const page = await dashboard.open(acme.link);
    const sentTo: { url: string; referrer: string | undefined }[] = [];
    page.on('request', (request) => sentTo.push({ url: request.url(), referrer: request.headers().referer }));
    await signedInAs('ada', '/app/settings/usage');
    const stored = await page.evaluate<Record<string, string>>(
      '({ ...localStorage, ...sessionStorage, cookies: document.cookie })',
    );
    expect(stored).toEqual({
      'evalgate.organisation': acme.id,
      'evalgate.signed-in': expect.stringMatching(/^\d+$/),
      cookies: '',
    });
    const session = await page.context().newCDPSession(page);
    const { entries } = await session.send('Page.getNavigationHistory');
    const returned = sentTo.filter(({ url }) => /[?&](code|state)=/.test(url) && url.startsWith(persons.url));
    expect(returned.map(({ url }) => new URL(url).pathname)).toEqual([`/app/signed-in/${acme.id}`]);
    const [code = '', state = ''] = ['code', 'state'].map(
      (name) => new URL(returned[0]?.url ?? '').searchParams.get(name) ?? '',
    );
    const ours = sentTo.filter(({ url }) => url.startsWith(persons.url) && url !== returned[0]?.url);
    const kept = JSON.stringify([
      entries.filter(({ url }) => url.startsWith(persons.url)),
      ours,
      await page.title(),
      persons.service.stdout(),
      persons.service.stderr(),
    ]);
    for (const secret of [code, state, 'ada@acme.example', 'chess-club', 'Ada Lovelace'])
      expect([secret, kept.includes(secret)]).toEqual([secret, false]);
    expect(code.length).toBeGreaterThan(20);
  });

  test('what the provider refuses is shown as a text, and is no request', async () => {
    dashboard.expectOrigin(persons.provider.issuer);
    const page = await dashboard.open(acme.link);
    await page.getByRole('button', { name: /^Sign in with/ }).click();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('access_denied: The person <b>refused</b>.').waitFor();
    await dashboard.settle();
    expect(dashboard.asked()).toEqual(['/v1/auth/sign-in']);
    expect(pathNow(page)).toBe(`/app/signed-in/${acme.id}`);
    await expectAccessible(page);
    await page.setViewportSize(DESKTOP);
    await page.getByRole('link', { name: 'Use an API key' }).click();
    await page.getByLabel('API key').fill(acme.key);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Acme Robotics (full)').waitFor();
  });

  test('a code that this tab did not leave for is not sent, and its address is emptied', async () => {
    const page = await dashboard.open(`/app/signed-in/${acme.id}?code=stolen&state=foreign`);
    await page.getByText('This tab began no sign-in').waitFor();
    expect([pathNow(page), dashboard.asked()]).toEqual([`/app/signed-in/${acme.id}`, []]);
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await page.getByRole('button', { name: 'Sign in with Acme login' }).waitFor();
  });

  test('the answer to a sign-in of one organisation is not sent by the page of another one', async () => {
    dashboard.expectOrigin(persons.provider.issuer);
    const page = await dashboard.open(acme.link);
    await page.getByRole('button', { name: /^Sign in with/ }).click();
    await page.getByLabel('Login').waitFor();
    dashboard.asked();
    const other = await persons.organisation({});
    await page.goto(`${persons.url}/app/signed-in/${other.id}?code=mixed&state=up`);
    await page.getByText('This tab began no sign-in').waitFor();
    expect(dashboard.asked()).toEqual([]);
  });

  test("a person whom no registration fits reads the service's sentence, and stays signed out", async () => {
    dashboard.expectOrigin(persons.provider.issuer);
    dashboard.expectLine(/403/);
    const page = await dashboard.open(acme.link);
    await logInAt(page, 'stranger');
    await page.getByRole('heading', { name: 'Not signed in' }).waitFor();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    await dashboard.open('/app');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('while the provider is down its message is shown, and the key signs in', async () => {
    dashboard.expectLine(/503/);
    const own = await persons.organisation({});
    await persons.provider.down(true);
    try {
      const page = await dashboard.open(own.link);
      // What the service knows of a provider is good for a while.
      if ((await page.getByRole('alert').count()) === 0) {
        await page.getByText('Use an API key').click();
      }
      await page.getByLabel('API key').fill(own.key);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('Acme Robotics (full)').waitFor();
    } finally {
      await persons.provider.down(false);
    }
  });

  test('an organisation without a sign-in has the form for a key, and is not kept', async () => {
    dashboard.expectLine(/404/);
    const page = await dashboard.open('/app/sign-in?organisation=5f1c9a86-3b7d-4c21-9e0f-6a2b8d4c7e13');
    await page.getByLabel('API key').waitFor();
    expect(await page.getByRole('button', { name: /^Sign in with/ }).count()).toBe(0);
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  test('after the sign-in, a next that is no path of the dashboard leads home', async () => {
    const page = await signedInAs('ada', '//evil.example/app');
    expect(pathNow(page)).toBe('/app');
  });

  test('signing out ends all sessions of the person, in every browser', async () => {
    const page = await signedInAs('ada');
    const other = await (await page.context().browser()?.newContext())?.newPage();
    if (other === undefined) throw new Error('There is no second browser.');
    await other.goto(persons.url + acme.link);
    await logInAt(other, 'ada');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.context().close();
    dashboard.expectLine(/401/);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('a person is named in history, runs, waivers and keys, and makes keys that end and are not full', async () => {
    const { suite, project, aborted } = await seedRuns(acme.client);
    const page = await signedInAs('ada', `/app/p/${project}/s/${suite}/history?tab=baselines`);
    await page.getByRole('button', { name: 'Remove the baseline' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.getByText(/Ada Lovelace removed the baseline/).waitFor();
    await dashboard.open('/app/settings/keys');
    await page.getByRole('button', { name: 'New API key' }).click();
    expect(await page.getByLabel('Scope').locator('option').allInnerTexts()).toHaveLength(3);
    await page.getByText('A person makes no key of scope full').waitFor();
    await page.getByLabel('Name').fill('For CI');
    expect(await page.getByLabel('Expires on').getAttribute('required')).not.toBeNull();
    const inAYear = (await page.getByLabel('Expires on').getAttribute('max')) ?? '';
    await page.getByLabel('Expires on').fill(inAYear);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    expect(await page.getByRole('row', { name: /^For CI/ }).innerText()).toContain('Ada Lovelace');
    await dashboard.open(`/app/runs/${aborted}`);
    await page.getByText('Where it comes from').waitFor();
  });

  test('the settings let persons in by claims or all of them, once the organisation has named its provider', async () => {
    const page = await dashboard.signIn(acme.key, '/app/settings/issuers');
    await page.getByRole('button', { name: 'New trusted issuer' }).click();
    await page.getByLabel('Trust', { exact: true }).selectOption('persons');
    await page.getByText(`${persons.url}${acme.link}`).waitFor();
    expect(await page.getByLabel('Scope').locator('option').count()).toBe(4);
    await page.getByLabel('Scope').selectOption('suites');
    await page.getByLabel('Label').fill('Reviewers');
    await page.getByLabel('Claim').fill('groups');
    await page.getByLabel('Value').fill('reviewers');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Trust them' }).click();
    const row = page.getByRole('row', { name: /^Reviewers/ });
    expect(await row.innerText()).toMatch(/suites\s+all\s+groups reviewers/);
    await page.getByRole('button', { name: 'New trusted issuer' }).click();
    await page.getByLabel('Trust', { exact: true }).selectOption('persons');
    await page.getByLabel('Everyone who can sign in there').check();
    await page.getByLabel('Label').fill('All of us');
    expect(await page.getByLabel('Claim').count()).toBe(0);
    await page.getByRole('button', { name: 'Trust them' }).click();
    const all = page.getByRole('row', { name: /^All of us/ });
    expect(await all.innerText()).toMatch(/read\s+all\s+everyone/);
    await all.getByRole('button', { name: 'Remove All of us' }).click();
    await page.getByText('are signed out at once').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await all.waitFor({ state: 'detached' });
  });

  test('without a provider the settings say how it is named, and trust no persons', async () => {
    dashboard.expectLine(/404/);
    const { organisation, api_key } = await sent(api(persons.url), 'POST', '/v1/auth/signup', {
      name: 'New',
    });
    const page = await dashboard.signIn(api_key.key, '/app/settings/issuers');
    dashboard.asked();
    await page.getByRole('button', { name: 'New trusted issuer' }).click();
    expect(dashboard.asked()).toEqual([]);
    await page.getByLabel('Trust', { exact: true }).selectOption('persons');
    await page.getByText('evalgate api PUT /v1/sign-in').waitFor();
    await page.getByText(`${persons.url}/app/signed-in/${organisation.id}`).waitFor();
    expect(await page.getByRole('button', { name: 'Trust them' }).isDisabled()).toBe(true);
    await expectAccessible(page);
  });

  test('with the registration deleted, the next request of the person asks to sign in again', async () => {
    dashboard.expectLine(/401/);
    const own = await persons.organisation({});
    const { id } = await sent(own.client, 'POST', '/v1/trusted-issuers', {
      for: 'persons',
      claims: { groups: 'admins' },
      scope: 'full',
    });
    await makeProject(own.client, { name: 'Support bot' });
    dashboard.expectOrigin(persons.provider.issuer);
    const page = await dashboard.open(own.link);
    await logInAt(page, 'ada');
    await page.getByText('Support bot').waitFor();
    await sent(own.client, 'DELETE', `/v1/trusted-issuers/${id}`);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('dialog', { name: 'Your session ended' }).waitFor();
    await expectAccessible(page);
  });
});

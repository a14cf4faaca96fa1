import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { makeProject } from '../../support/builders.ts';
import { eventually } from '../../support/service.ts';
import { type Account, expectAccessible, newAccount, newKey, useDashboard } from './support/dashboard.ts';
import { type Seeded, seedRuns } from './support/seed.ts';

const NO_PATHS = [
  '//evil.example/app',
  'https://evil.example/app',
  '/apple',
  '/app/../v1',
  '/app\\..\\evil',
  'javascript:1',
];

describeInBrowser('signing in to the dashboard', () => {
  const dashboard = useDashboard();
  let account: Account;
  let seeded: Seeded;
  beforeAll(async () => {
    account = await newAccount();
    seeded = await seedRuns(account.client);
  });

  const pathNow = (): string => {
    const { pathname, search } = new URL(dashboard.page().url());
    return pathname + search;
  };

  test('a link to a case leads through the sign-in to it, and the page requests nothing before', async () => {
    const link = `/app/runs/${seeded.aborted}?case=blank`;
    const page = await dashboard.open(link);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const guide = page.getByRole('link', { name: 'Guide' });
    expect(await guide.getAttribute('href')).toBe('/guides#dashboard--signing-in');
    expect(dashboard.asked()).toEqual([]);
    await page.getByLabel('API key').fill(account.key);
    await page.keyboard.press('Enter');
    await page.getByText('They differ only in what the eye does not see').waitFor();
    expect(pathNow()).toBe(link);
  });

  test('after the sign-in, a next that is no path of the dashboard leads home', async () => {
    for (const next of NO_PATHS) {
      const page = await dashboard.open(`/app/sign-in?next=${encodeURIComponent(next)}`);
      await page.getByLabel('API key').fill(account.key);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Projects' }).waitFor();
      expect([next, pathNow()]).toEqual([next, '/app']);
      await dashboard.settle();
      await page.context().clearCookies();
      await page.evaluate('localStorage.clear()');
    }
  });

  test('a key that the service does not know, and one that is none, are refused in words', async () => {
    dashboard.expectLine(/401/);
    const page = await dashboard.open('/app/sign-in');
    await page.getByLabel('API key').fill('two words');
    await page.keyboard.press('Enter');
    await page.getByText('An API key is one word').waitFor();
    await page.getByLabel('API key').fill(`egk_${'0'.repeat(49)}`);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The service knows no such API key').waitFor();
    expect(pathNow()).toBe('/app/sign-in');
  });

  test('nothing of the key or of an answer is in any storage, and no script sees the cookie', async () => {
    const page = await dashboard.signIn(account.key);
    await page.getByText('Returns').waitFor();
    const stored = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(stored).toBe('[{"evalgate.signed-in":"1"},{},""]');
    const { protocol, port } = new URL(dashboard.url);
    const isSecure = protocol === 'https:';
    expect(await page.context().cookies()).toEqual([
      expect.objectContaining({
        name: isSecure ? '__Host-evalgate' : `evalgate-${port}`,
        domain: '127.0.0.1',
        path: '/',
        httpOnly: true,
        secure: isSecure,
        sameSite: 'Strict',
      }),
    ]);
  });

  test('signing out leads to the sign-in, and ends the session for every tab of the key', async () => {
    const page = await dashboard.signIn((await newKey(account)).key, `/app/runs/${seeded.aborted}`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await dashboard.settle();
    expect(pathNow()).toBe('/app/sign-in');
    await page.goto(`${dashboard.url}/app`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('with the key revoked in between, a form over the page requests the key, and the page sends what was typed', async () => {
    dashboard.expectLine(/401/);
    const { id, key } = await newKey(account);
    const page = await dashboard.signIn(key);
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel('Name of the project').fill('Typed before');
    await account.client('DELETE', `/v1/api-keys/${id}`);
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'Your session ended' }).waitFor();
    await page.getByLabel('API key').fill(account.key);
    await page.keyboard.press('Enter');
    await eventually(async () => {
      const { body } = await account.client('GET', '/v1/projects');
      return body.data.some(({ name }: { name: string }) => name === 'Typed before');
    });
  });

  test('signing out of a session that has ended already leads to the sign-in, too', async () => {
    dashboard.expectLine(/401/);
    const { id, key } = await newKey(account);
    const page = await dashboard.signIn(key);
    await account.client('DELETE', `/v1/api-keys/${id}`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('where sign-up is closed, both pages say so, and neither offers a form for it', async () => {
    const page = await dashboard.open('/app/sign-in');
    await page.route('**/app.json', (route) => route.fulfill({ json: { sign_up: 'closed' } }));
    await page.reload();
    await page.getByText('Sign-up is closed on this service').waitFor();
    expect(await page.getByRole('link', { name: 'Create an organisation' }).count()).toBe(0);
    await page.goto(`${dashboard.url}/app/sign-up`);
    await page.getByText('Sign-up is closed on this service').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await expectAccessible(page);
    await page.route('**/app.json', (route) => route.fulfill({ json: { sign_up: 'perhaps' } }));
    await page.reload();
    await page.getByText('Sign-up is closed on this service').waitFor();
  });

  test('links in notices are underlined', async () => {
    const page = await dashboard.signIn(
      account.key,
      `/app/p/${seeded.project}/s/${seeded.suite}/cases?made=refund-window`,
    );
    const decoration = "getComputedStyle(document.querySelector('.notice a')).textDecorationLine";
    expect(await page.evaluate(decoration)).toBe('underline');
  });

  test('signing out asks before typed text is lost', async () => {
    const page = await dashboard.signIn(
      (await newKey(account)).key,
      `/app/p/${seeded.project}/s/${seeded.suite}`,
    );
    await page.getByRole('button', { name: 'Edit the bar' }).click();
    await page.getByLabel('Pass threshold in %').fill('83');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(asked).toEqual(['What you typed is not saved. Leave the page?']);
    expect(await page.getByLabel('Pass threshold in %').inputValue()).toBe('83');
  });

  test('what was typed for one organisation is not sent to another one that signs in over the page', async () => {
    dashboard.expectLine(/401/);
    const other = await newAccount('Others');
    const { suiteId } = await seedRuns(other.client);
    const before = (await other.client('GET', `/v1/suites/${suiteId}`)).body.data;
    const { id, key } = await newKey(account);
    const page = await dashboard.signIn(key, `/app/p/${seeded.project}/s/${seeded.suite}`);
    await page.getByRole('button', { name: 'Edit the bar' }).click();
    await page.getByLabel('Pass threshold in %').fill('99');
    await account.client('DELETE', `/v1/api-keys/${id}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // Whatever the browser asks, the reader stays.
    page.on('dialog', (dialog) => void dialog.dismiss());
    const field = page.getByLabel('API key');
    await field.fill(other.key);
    await page.keyboard.press('Enter');
    await page.getByText('Others (full)').waitFor();
    await dashboard.settle();
    if (await field.isVisible()) await page.keyboard.press('Enter');
    await dashboard.settle();
    const theirs = (await other.client('GET', `/v1/suites/${suiteId}`)).body.data;
    expect(theirs).toMatchObject({ pass_threshold: 0.8, version: before.version });
    expect(new URL(page.url()).pathname).toBe('/app');
  });

  test('a key that sees less, given over the page, shows what that key may see', async () => {
    dashboard.expectLine(/401/);
    const { id, key } = await newKey(account);
    const bound = await newKey(account, { project: seeded.project });
    const page = await dashboard.signIn(key, '/app/settings/keys');
    await account.client('DELETE', `/v1/api-keys/${id}`);
    await page.getByRole('button', { name: 'Revoke' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByLabel('API key').fill(bound.key);
    await page.keyboard.press('Enter');
    await page.getByText('Not for this key').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('a key whose project is deleted is refused in words, and another one signs in in its place', async () => {
    dashboard.expectLine(/404/);
    const project = await makeProject(account.client, { name: 'To be deleted' });
    const bound = await newKey(account, { project: project.slug });
    const page = await dashboard.signIn(bound.key);
    await page.getByText('To be deleted (full)').waitFor();
    await account.client('DELETE', `/v1/projects/${project.slug}`);
    for (const [key, words] of [
      [bound.key, 'it was deleted'],
      [account.key, 'Acme Robotics (full)'],
    ] as const) {
      await dashboard.open('/app/sign-in');
      await page.getByLabel('API key').fill(key);
      await page.keyboard.press('Enter');
      await page.getByText(words).waitFor();
    }
  });

  test('a new organisation: its name, the key shown once and kept, then the first project', async () => {
    const page = await dashboard.open('/app/sign-in');
    await page.getByRole('link', { name: 'Create an organisation' }).click();
    await page.getByLabel('Name').fill('Newcomers');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/^egk_\w+$/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: 'Create the first project' }).waitFor();
    expect(await page.locator('pre').innerText()).toContain(
      `npm install -g ${dashboard.url}/client/evalgate.tgz`,
    );
    await expectAccessible(page);
  });

  test('the page can be used by all', async () => {
    await expectAccessible(await dashboard.open('/app/sign-in?next=%2Fapp'));
  });
});

import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { makeProject } from '../../support/builders.ts';
import { type Account, expectAccessible, newAccount, newKey, useDashboard } from './support/dashboard.ts';

describeInBrowser('the settings', () => {
  const dashboard = useDashboard();
  let account: Account;
  beforeAll(async () => {
    account = await newAccount();
    await makeProject(account.client, { name: 'Support bot', slug: 'support-bot' });
  });

  test('usage shows what the plan holds, and leads to the payment provider', async () => {
    const page = await dashboard.signIn(account.key, '/app/settings/usage');
    await page.getByText('0 of 500 runs this month').waitFor();
    await expectAccessible(page);
    let to = '';
    await page.route('**/v1/billing/checkout', (route) => {
      to = route.request().postDataJSON().success_url;
      return route.fulfill({ json: { checkout_url: to } });
    });
    await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
    await page.getByText('Thank you. The plan changes when the payment is confirmed').waitFor();
    expect(to).toBe(`${dashboard.url}/app/settings/usage?paid=pro`);
    await dashboard.open('/app/settings/usage?paid=free');
    await page.getByText('Thank you. The plan is Free now.').waitFor();
  });

  test('the organisation is deleted by its name, which every page shows, and is kept when that is taken back', async () => {
    const own = await newAccount();
    const { name } = (await own.client('GET', '/v1/whoami')).body.data.organisation;
    const page = await dashboard.signIn(own.key, '/app/settings/usage');
    const erase = page.getByRole('button', { name: 'Delete the organisation' });
    await page.getByLabel('Its name, to confirm').fill(`${name}!`);
    expect(await erase.isDisabled()).toBe(true);
    await page.getByLabel('Its name, to confirm').fill(name);
    await expectAccessible(page);
    await erase.click();
    await page.getByRole('button', { name: 'Keep the organisation' }).waitFor();
    await expectAccessible(page);
    await dashboard.open('/app');
    await page.getByText('This organisation is being deleted.').waitFor();
    await page.getByRole('link', { name: 'you can take that back' }).click();
    await page.getByRole('button', { name: 'Keep the organisation' }).click();
    await erase.waitFor();
    expect(await page.getByText('This organisation is being deleted.').count()).toBe(0);
  });

  test('a key is made, shown once, and revoked after a dialog', async () => {
    const page = await dashboard.signIn(account.key, '/app/settings/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Grace');
    await page.getByLabel('Scope').selectOption('read');
    await page.getByLabel('Project').selectOption('support-bot');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByRole('region', { name: 'The new key' }).locator('code').innerText();
    expect(key).toMatch(/^egk_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('row', { name: /^Grace/ });
    expect(await row.innerText()).toMatch(/read\s+Support bot/);
    expect(await page.content()).not.toContain(key);
    await row.getByRole('button', { name: 'Revoke Grace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('a stored key of a provider is known by its first characters only', async () => {
    const page = await dashboard.signIn(account.key, '/app/settings/byok');
    await page.getByRole('button', { name: 'Store a key' }).click();
    await page.getByLabel('Key', { exact: true }).fill('sk-hidden-from-everyone');
    await page.getByRole('button', { name: 'Store', exact: true }).click();
    await page.getByRole('row', { name: /sk-hidde… OpenAI yes never/ }).waitFor();
    await expectAccessible(page);
    await page.route('**/v1/byok-keys/*/test', (route) =>
      route.fulfill({ json: { valid: false, provider: 'openai' } }),
    );
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('refused').waitFor();
  });

  test('a repository is trusted, and the workflow names this service and organisation', async () => {
    const page = await dashboard.signIn(account.key, '/app/settings/repositories');
    await page.getByRole('button', { name: 'Trust a repository' }).click();
    await page.getByLabel('Repository', { exact: true }).fill('octo/support-bot');
    await page.getByLabel('Project').selectOption('support-bot');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Trust it' }).click();
    const row = page.getByRole('row', { name: /^octo\/support-bot/ });
    expect(await row.innerText()).toMatch(/run\s+Support bot\s+any job\s+never/);
    const { id } = (await account.client('GET', '/v1/whoami')).body.data.organisation;
    const workflow = await page.locator('.snippet').innerText();
    for (const fact of [dashboard.url, id, 'support-bot']) expect(workflow).toContain(`"${fact}"`);
  });

  test('a key that reads sees the usage, and the page requests nothing that the key may not see', async () => {
    const { key } = await newKey(account, { scope: 'read' });
    const page = await dashboard.signIn(key, '/app/settings/usage');
    await page.getByText('of 500 runs this month').waitFor();
    expect(await page.getByRole('navigation', { name: 'Settings' }).count()).toBe(0);
    dashboard.asked();
    await dashboard.open('/app/settings/keys');
    await page.getByText('Not for this key').waitFor();
    expect(dashboard.asked()).toEqual(['/v1/whoami']);
  });
});

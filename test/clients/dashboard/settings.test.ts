import { randomUUID } from 'node:crypto';
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
    await page.getByRole('button', { name: 'New API key' }).click();
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
    await page.getByRole('button', { name: 'New provider key' }).click();
    await page.getByLabel('Key', { exact: true }).fill('sk-hidden-from-everyone');
    await page.getByRole('button', { name: 'Store key' }).click();
    await page.getByRole('row', { name: /sk-hidde… OpenAI yes never/ }).waitFor();
    await expectAccessible(page);
    await page.route('**/v1/byok-keys/*/test', (route) =>
      route.fulfill({ json: { valid: false, provider: 'openai' } }),
    );
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('refused').waitFor();
  });

  test('a repository is trusted, and the workflow names this service and organisation', async () => {
    const page = await dashboard.signIn(account.key, '/app/settings/issuers');
    await page.getByRole('button', { name: 'New trusted issuer' }).click();
    await page.getByLabel('Repository', { exact: true }).fill('octo/support-bot');
    await page.getByLabel('Project').selectOption('support-bot');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Trust it' }).click();
    const row = page.getByRole('row', { name: /^octo\/support-bot/ });
    expect(await row.innerText()).toMatch(/GitHub\s+run\s+Support bot\s+any job\s+never/);
    const { id } = (await account.client('GET', '/v1/whoami')).body.data.organisation;
    const workflow = await page.locator('.snippet').innerText();
    for (const fact of [dashboard.url, id, 'support-bot']) expect(workflow).toContain(`"${fact}"`);
  });

  test('jobs of another system are trusted by their claims, and the job names this service and organisation', async () => {
    const page = await dashboard.signIn(account.key, '/app/settings/issuers');
    await page.getByRole('button', { name: 'New trusted issuer' }).click();
    await page.getByLabel('Trust', { exact: true }).selectOption('jobs');
    await page.getByRole('textbox', { name: 'Issuer' }).fill('https://gitlab.com');
    await page.getByLabel('Claim').fill('project_path');
    await page.getByLabel('Value').fill('octo/support-bot');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Trust it' }).click();
    await page.getByText('must name project_id or namespace_id').first().waitFor();
    dashboard.expectLine(/400/);
    const { id } = (await account.client('GET', '/v1/whoami')).body.data.organisation;
    const made = { id: randomUUID(), for: 'jobs', provider: 'gitlab', issuer: 'https://gitlab.com' };
    const rest = { label: 'GitLab project_id 7', scope: 'run', project_id: null, last_used_at: null };
    let sent: unknown;
    await page.route('**/v1/trusted-issuers*', (route) => {
      const claims = { project_id: '7', ref_path: ['refs/heads/main', 'refs/heads/next'] };
      const data = { ...made, ...rest, claims, created_at: new Date().toISOString() };
      const pagination = { page: 1, pageSize: 100, total: 1, totalPages: 1 };
      if (route.request().method() === 'GET') return route.fulfill({ json: { data: [data], pagination } });
      sent = route.request().postDataJSON();
      return route.fulfill({ status: 201, json: { data } });
    });
    await page.getByLabel('Claim').fill('project_id');
    await page.getByLabel('Value').fill('7');
    for (const [index, branch] of ['main', 'next'].entries()) {
      await page.getByRole('button', { name: 'Add a claim' }).click();
      await page
        .getByLabel('Claim')
        .nth(index + 1)
        .fill('ref_path');
      await page
        .getByLabel('Value')
        .nth(index + 1)
        .fill(`refs/heads/${branch}`);
    }
    await page.getByRole('button', { name: 'Trust it' }).click();
    const row = page.getByRole('row', { name: /^GitLab project_id 7/ });
    expect(await row.innerText()).toContain('project_id 7, ref_path refs/heads/main or refs/heads/next');
    const issuer = 'https://gitlab.com';
    expect(sent).toEqual({
      issuer,
      scope: 'run',
      claims: { project_id: '7', ref_path: ['refs/heads/main', 'refs/heads/next'] },
    });
    const job = await page.locator('.snippet').innerText();
    expect(job).toContain(`id_tokens: { EVALGATE_ID_TOKEN: { aud: "evalgate:${id}" } }`);
    expect(job).toContain(dashboard.url);
    await expectAccessible(page);
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

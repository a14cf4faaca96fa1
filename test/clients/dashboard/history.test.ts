import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { type Account, expectAccessible, newAccount, newKey, useDashboard } from './support/dashboard.ts';
import { cutIn, WIDTHS } from './support/looks.ts';
import { type Seeded, seedRuns } from './support/seed.ts';

describeInBrowser('the history of a suite', () => {
  const dashboard = useDashboard();
  let account: Account;
  let seeded: Seeded;
  let path: string;
  beforeAll(async () => {
    account = await newAccount();
    seeded = await seedRuns(account.client);
    path = `/app/p/${seeded.project}/s/${seeded.suite}/history`;
    const trigger_meta = { branch: `feature/${'a-long-name-'.repeat(8)}` };
    await account.client('POST', '/v1/run', { suite: seeded.suite, output: 'Hello', trigger_meta });
    await account.client('PATCH', `/v1/projects/${seeded.project}/suites/${seeded.suite}`, {
      pass_threshold: 0.7,
    });
  });

  test('shows who moved the bar from what to what, and what differs from a bar that judged', async () => {
    const page = await dashboard.signIn(account.key, path);
    const changes = page.getByRole('table', { name: 'Changes' });
    await changes.getByRole('row', { name: /accepted/ }).waitFor();
    const [, newest, accepted] = await changes.getByRole('row').allInnerTexts();
    expect(newest).toMatch(/by .+\s+updated\s+~ suite returns\s+pass_threshold 0\.8 → 0\.7/);
    expect(accepted).toMatch(/accepted\s+\+ baseline/);
    await page.getByRole('button', { name: 'Compare with now' }).first().waitFor();
    expect(dashboard.asked().sort()).toEqual([
      `/v1/projects/${seeded.project}/suites/${seeded.suite}`,
      `/v1/suites/${seeded.suiteId}/baselines`,
      `/v1/suites/${seeded.suiteId}/changes`,
      `/v1/suites/${seeded.suiteId}/revisions`,
      '/v1/whoami',
    ]);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Compare with now' }).first().click();
    await page.getByRole('dialog').getByText('pass_threshold 0.8 → 0.7').waitFor();
  });

  test('another run is accepted as the baseline, and the baseline is removed after a question', async () => {
    const page = await dashboard.signIn(account.key, path);
    await page.getByRole('button', { name: 'Accept runs' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('a-long-name').waitFor();
    for (const width of Object.values(WIDTHS)) {
      await page.setViewportSize({ width, height: 900 });
      expect(await dialog.evaluate(cutIn)).toEqual([]);
    }
    await dialog.getByRole('checkbox', { name: /aborted.*#417/ }).check();
    await dialog.getByLabel('Why').fill('Released as 2.3.0');
    const verb = dialog.getByRole('button', { name: 'Accept', exact: true });
    expect(await verb.isDisabled()).toBe(true);
    const which = dialog.getByLabel('Which gate compares runs with it?');
    await which.selectOption('none');
    await dialog.getByText('The baseline blocks nothing').waitFor();
    await which.selectOption('regression');
    await verb.click();
    const current = page.getByRole('row', { name: /current.*Released as 2\.3\.0/s });
    await current.waitFor();
    const { gates } = (await account.client('GET', `/v1/projects/${seeded.project}/suites/${seeded.suite}`))
      .body.data;
    expect(gates).toEqual({ regression: { alpha: 0.05, min_drop: 0.02 } });
    expect(await current.getByRole('link').getAttribute('href')).toBe(`/app/runs/${seeded.aborted}`);
    await page.getByRole('button', { name: 'Remove the current one' }).click();
    expect(await dialog.innerText()).toContain('Gates on the comparison are inconclusive then');
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await current.getByText('current').waitFor({ state: 'detached' });
    expect((await account.client('GET', `/v1/suites/${seeded.suiteId}/baseline`)).status).toBe(404);
  });

  test('a key that reads is shown no changes, and asks for none', async () => {
    const { key } = await newKey(account, { scope: 'read' });
    const page = await dashboard.signIn(key, path);
    await page.getByText('Keys of scope full see').waitFor();
    await page.getByRole('table', { name: 'Bars' }).waitFor();
    expect(await page.getByRole('button', { name: 'Accept runs' }).count()).toBe(0);
    expect(dashboard.asked().filter((asked) => asked.endsWith('/changes'))).toEqual([]);
  });
});

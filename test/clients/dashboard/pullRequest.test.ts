import { beforeAll, expect, test } from '@jest/globals';
import { markdownReport } from '../../../clients/gate/report/markdown.ts';
import { runPage } from '../../../clients/gate/report/pages.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { type Account, newAccount, newKey, useDashboard } from './support/dashboard.ts';
import { type Seeded, seedRuns } from './support/seed.ts';

describeInBrowser('from a red pull request', () => {
  const dashboard = useDashboard();
  let account: Account;
  let seeded: Seeded;
  let link: string;
  beforeAll(async () => {
    account = await newAccount();
    seeded = await seedRuns(account.client);
    const of = async (path: string) => (await account.client('GET', path)).body.data;
    const run = await of(`/v1/runs/${seeded.aborted}`);
    const results = await of(`/v1/runs/${seeded.aborted}/results`);
    const page = runPage(dashboard.url, run.id);
    const comment = markdownReport({ run, results, isComplete: true, page });
    link = /\]\(<?(http[^)>\s]+\/app\/runs\/[^)>\s]+)/.exec(comment)?.[1] ?? '';
  });
  const OUTPUT = 'You can return it within 14 days.';
  const pathOf = (to: string): string => to.slice(dashboard.url.length);

  test("one click on the comment's link shows the failing case's output", async () => {
    const page = await dashboard.signIn(account.key);
    await page.goto(link);
    await page.locator('.detail').getByText(OUTPUT).first().waitFor();
    expect(page.url()).toBe(link);
  });

  test('the link shows it through the sign-in, too, and so does the link to one case of the run, for a colleague', async () => {
    const { key } = await newKey(account, { scope: 'read' });
    for (const [to, shown] of [
      [link, OUTPUT],
      [`${link}?case=invoice`, '"178.50"'],
    ] as const) {
      const page = await dashboard.open(pathOf(to));
      await page.getByLabel('API key').fill(key);
      await page.keyboard.press('Enter');
      await page.locator('.detail').getByText(shown).first().waitFor();
      expect(page.url()).toBe(to);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    }
  });
});

import { beforeAll, expect, test } from '@jest/globals';
import { makeBaselineGate } from '../../functions/baselines/baselineGate.ts';
import { sharedServiceUrl } from '../../support/api.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { type Account, expectAccessible, newAccount, newKey, useDashboard } from './support/dashboard.ts';

describeInBrowser('the page of a run whose results are hidden', () => {
  const dashboard = useDashboard();
  let account: Account;
  let runId: string;
  beforeAll(async () => {
    account = await newAccount();
    const gates = { max_newly_failing: 4 };
    const suite = { show_results: false, pass_threshold: 0.5, gates };
    const { gate, accept } = await makeBaselineGate(sharedServiceUrl(), suite, { as: account.client });
    await accept([(await gate.run('one two three four')).id]);
    runId = (await gate.run('one two three')).id;
  });

  test('shows a key of scope run the figures and why there is no result, and asks for none', async () => {
    const { key } = await newKey(account, { scope: 'run' });
    const page = await dashboard.signIn(key, `/app/runs/${runId}`);
    await page
      .getByText('1 of 4 cases failed. Results of this suite are hidden from this credential.')
      .waitFor();
    expect(await page.locator('.newly').innerText()).toBe('1 newly failing');
    expect(await page.locator('main').innerText()).not.toContain('says-four');
    expect(dashboard.asked().sort()).toEqual([`/v1/runs/${runId}`, '/v1/whoami'].sort());
    await expectAccessible(page);
  });

  test('shows a key that may read the bar every result', async () => {
    const page = await dashboard.signIn(account.key, `/app/runs/${runId}`);
    await page.locator('button.case').first().waitFor();
    expect(await page.locator('button.case').allInnerTexts()).toEqual(['says-four']);
    expect(await page.locator('main').innerText()).not.toContain('hidden from this credential');
  });
});

import { expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import { useDashboard } from './support/dashboard.ts';

const ACTIONS_MAX = 8;

describeInBrowser('without a terminal', () => {
  const dashboard = useDashboard();

  test('from the sign-up to a first verdict it takes at most eight actions', async () => {
    let actions = 0;
    const act = async (what: Locator): Promise<void> => {
      actions += 1;
      await what.click();
    };
    const page = await dashboard.open('/app/sign-up');
    const button = (name: string) => page.getByRole('button', { name });
    await page.getByLabel('Name').fill('Acme Robotics');
    await act(button('Create'));
    await act(button('I have stored it'));
    await page.getByLabel('Name of the project').fill('Support bot');
    await act(button('Create project'));
    await act(button('New suite'));
    await page.getByLabel('Name').fill('Returns');
    await act(button('Create suite'));
    await page.getByRole('heading', { name: 'New case' }).waitFor();
    await page.getByLabel('Name').fill('Refund window');
    await page.getByRole('textbox', { name: 'Expected' }).fill('30 days');
    await act(button('Add case'));
    await act(page.getByRole('link', { name: 'run the suite' }));
    await page.getByLabel('Run now').fill('30 days');
    await act(page.getByRole('button', { name: 'Run', exact: true }));
    await page.getByText('cleared').first().waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/app\/runs\/run_/);
    expect(actions).toBeLessThanOrEqual(ACTIONS_MAX);
  });
});

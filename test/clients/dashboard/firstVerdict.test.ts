import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import { useDashboard } from './support/dashboard.ts';

const ACTIONS_MAX = 8;
/** With a suite of one's own: nine clicks, six fields. */
const OWN_ACTIONS_MAX = 15;

describeInBrowser('without a terminal, from the sign-in to what a suite says of a first output', () => {
  const dashboard = useDashboard();

  /** Clicks and fields, each counted. */
  function counted(page: Page) {
    let actions = 0;
    return {
      count: () => actions,
      async click(what: Locator): Promise<void> {
        actions += 1;
        await what.click();
      },
      async fill(label: string, text: string): Promise<void> {
        actions += 1;
        await page.getByRole('textbox', { name: label, exact: true }).fill(text);
      },
      button: (name: string) => page.getByRole('button', { name, exact: true }),
    };
  }
  type Person = ReturnType<typeof counted>;

  async function signUp(): Promise<[Page, Person]> {
    const page = await dashboard.open('/app');
    const person = counted(page);
    await person.click(page.getByRole('link', { name: 'Create an organisation' }));
    await person.fill('Name', 'Acme Robotics');
    await person.click(person.button('Create'));
    await person.click(person.button('I have stored it'));
    return [page, person];
  }

  test('it takes at most eight clicks and fields with the example', async () => {
    const [page, person] = await signUp();
    await person.click(person.button('Make the example'));
    await person.fill('Output', '{"total": "178.50"}');
    await person.click(person.button('Try'));
    await page.getByText(/^\d of 8 cases passed\.$/).waitFor();
    expect(person.count()).toBeLessThanOrEqual(ACTIONS_MAX);
  });

  test('it takes at most fifteen with a suite and a case of their own', async () => {
    const [page, person] = await signUp();
    await person.fill('Name of the project', 'Support bot');
    await person.click(person.button('Create project'));
    await person.click(person.button('New suite'));
    await person.fill('Name', 'Returns');
    await person.click(person.button('Create suite'));
    await page.getByRole('heading', { name: 'New case' }).waitFor();
    await person.fill('Name', 'Refund window');
    await person.fill('Expected', '30 days');
    await person.click(person.button('Add case'));
    await person.click(page.getByRole('link', { name: 'try the suite' }));
    await person.fill('Output', '30 days');
    await person.click(person.button('Try'));
    await page.getByText('1 of 1 case passed.').waitFor();
    expect(person.count()).toBeLessThanOrEqual(OWN_ACTIONS_MAX);
  });
});

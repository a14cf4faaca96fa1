import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { type Account, expectAccessible, newAccount, useDashboard } from './support/dashboard.ts';

describeInBrowser('the cases of a suite', () => {
  const dashboard = useDashboard();
  let account: Account;
  beforeAll(async () => {
    account = await newAccount();
  });

  interface Made {
    readonly slug: string;
    readonly id: string;
    readonly path: string;
  }
  async function newSuite(keys: readonly string[] = []): Promise<Made> {
    const project = await makeProject(account.client);
    const { id, slug } = await makeSuite(account.client, project);
    const scorer = keys.length > 0 ? await makeScorer(account.client, project) : undefined;
    for (const [index, key] of keys.entries())
      await makeCase(account.client, { id }, scorer, {
        key,
        name: `The ${key}`,
        tags: index ? [] : ['first'],
      });
    return { id, slug, path: `/app/p/${project.slug}/s/${slug}/cases` };
  }
  const casesOf = async ({ id }: Made) => (await account.client('GET', `/v1/suites/${id}/cases`)).body.data;

  test('a first case is added with a scorer of its own by one save, however often it is clicked', async () => {
    const suite = await newSuite();
    const page = await dashboard.signIn(account.key, suite.path);
    await page.getByLabel('Name').fill('Refund window');
    expect(dashboard.asked()).toHaveLength(4);
    await page.getByRole('textbox', { name: 'Expected' }).fill('30 days');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add case' }).dblclick();
    await page.getByRole('link', { name: 'run the suite' }).waitFor();
    expect(await casesOf(suite)).toMatchObject([
      { key: 'refund-window', expected: '30 days', threshold: 0.5 },
    ]);
    expect(await page.getByRole('row', { name: /refund-window/ }).innerText()).toContain('Exact match');
  });

  test('what is typed survives a save that is refused, and leaving asks', async () => {
    const suite = await newSuite();
    const page = await dashboard.signIn(account.key, suite.path);
    await page.getByLabel('Name').fill('Long');
    await page.getByLabel('Input').fill('{\n  "a": 1,\n}');
    await page.getByText(/line 3/).waitFor();
    await page.getByRole('button', { name: 'Add case' }).click();
    await page.getByText(/Input is not JSON/).waitFor();
    await page.getByLabel('Input').fill('{"n": 12345678901234567891}');
    await page
      .getByText(/12345678901234567891 would be rounded/)
      .first()
      .waitFor();
    let asked = '';
    page.once('dialog', (dialog) => {
      asked = dialog.message();
      void dialog.dismiss();
    });
    await page.getByRole('link', { name: 'Projects', exact: true }).first().click();
    expect(asked).toMatch('not saved');
    expect(await page.getByLabel('Name').inputValue()).toBe('Long');
    page.once('dialog', (dialog) => void dialog.accept());
  });

  test('cases are moved by arrow keys, and one request saves their order', async () => {
    const suite = await newSuite(['one', 'two', 'three']);
    const page = await dashboard.signIn(account.key, suite.path);
    await page.getByRole('button', { name: 'Change the order' }).click();
    await page.getByRole('button', { name: 'three up' }).focus();
    await page.keyboard.press('ArrowUp');
    await page.getByText('three is now 2 of 3').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByText('three is now 1 of 3').waitFor();
    await expectAccessible(page);
    dashboard.asked();
    await page.getByRole('button', { name: 'Save order' }).click();
    await page.getByRole('button', { name: 'New case' }).waitFor();
    expect(dashboard.asked().filter((path) => path.endsWith('/reorder'))).toHaveLength(1);
    expect((await casesOf(suite)).map(({ key }: { key: string }) => key)).toEqual(['three', 'one', 'two']);
  });

  test('filters stand in the address, and shares of the weight are of all cases', async () => {
    const suite = await newSuite(['one', 'two', 'three', 'four']);
    const page = await dashboard.signIn(account.key, `${suite.path}?q=THE+T`);
    await page.getByText('2 of 4').waitFor();
    expect(await page.getByRole('row', { name: /three/ }).innerText()).toContain('25.0 %');
    await page.getByLabel('Tag').selectOption('first');
    await page.getByText('No case is like that').waitFor();
    expect(new URL(page.url()).search).toBe('?q=THE+T&tag=first');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('4 in all').waitFor();
    await expectAccessible(page);
  });
});

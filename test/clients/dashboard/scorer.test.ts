import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { type Account, expectAccessible, newAccount, useDashboard } from './support/dashboard.ts';

describeInBrowser('the page of a scorer', () => {
  const dashboard = useDashboard();
  let account: Account;
  let project: { readonly slug: string };
  beforeAll(async () => {
    account = await newAccount();
    project = await makeProject(account.client);
  });
  const newScorer = (key: string, fields: object = {}) =>
    makeScorer(account.client, project, {
      key,
      name: key,
      type: 'contains',
      config: { values: ['30 days'] },
      ...fields,
    });
  const scorerOf = async ({ id }: { readonly id: string }) =>
    (await account.client('GET', `/v1/scorers/${id}`)).body.data;

  test('an output is tried on it, with one request for the page', async () => {
    await newScorer('tried');
    const page = await dashboard.signIn(account.key, `/app/p/${project.slug}/scorers/tried`);
    await page.getByLabel('Output').fill('It is 14 days.');
    expect(dashboard.asked()).toHaveLength(2);
    await page.getByRole('button', { name: 'Try' }).click();
    await page.getByText('failed', { exact: true }).waitFor();
    await page.getByLabel('Output').fill('It is 30 days.');
    await page.getByRole('button', { name: 'Try' }).click();
    await page.getByText('passed', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  test('an edit shows which bars it moves and whether they get weaker before it is saved', async () => {
    const scorer = await newScorer('shared');
    for (const slug of ['returns', 'tone']) {
      const suite = await makeSuite(account.client, project, { name: slug, slug });
      await makeCase(account.client, suite, scorer);
    }
    const page = await dashboard.signIn(account.key, `/app/p/${project.slug}/scorers/shared`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Texts').fill('30 days\n14 days');
    await page.getByLabel('It has to contain').selectOption('any');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog');
    const said = await dialog.innerText();
    for (const words of ['may be weaker', 'moves the bar of tone', 'moves the bar of returns'])
      expect(said).toContain(words);
    expect((await scorerOf(scorer)).config).toEqual({ values: ['30 days'], mode: 'all' });
    await dialog.getByRole('button', { name: 'Save all the same' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect((await scorerOf(scorer)).config).toEqual({ values: ['30 days', '14 days'], mode: 'any' });
  });

  test('a config that the form does not know is kept', async () => {
    const config = { calls: [{ tool: 'lookup' }], allow_extra: ['think'], max_calls: 4 };
    const scorer = await newScorer('agent', { type: 'trajectory', config });
    const page = await dashboard.signIn(account.key, `/app/p/${project.slug}/scorers/agent`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Order').selectOption('in_order');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect((await scorerOf(scorer)).config).toMatchObject({ ...config, order: 'in_order' });
  });

  test('the page shows each rule as a sentence, whose words are no markup', async () => {
    const rule = {
      name: '<b>Looked up</b>',
      when: { tool: 'refund' },
      before: { tool: 'lookup', same: ['$.order'] },
    };
    await newScorer('rules', { type: 'trajectory', config: { allow_extra: true, rules: [rule] } });
    const page = await dashboard.signIn(account.key, `/app/p/${project.slug}/scorers/rules`);
    await page
      .getByText('<b>Looked up</b>: Each refund needs, before it, lookup with the same $.order', {
        exact: true,
      })
      .waitFor();
    await expectAccessible(page);
  });

  test('a part of its config that another user changed meanwhile stays', async () => {
    dashboard.expectLine(/409/);
    const scorer = await newScorer('both');
    const page = await dashboard.signIn(account.key, `/app/p/${project.slug}/scorers/both`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Texts').fill('30 days\n14 days');
    const config = { values: ['30 days'], mode: 'any' };
    await account.client('PATCH', `/v1/scorers/${scorer.id}`, { config });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect((await scorerOf(scorer)).config).toEqual({ values: ['30 days', '14 days'], mode: 'any' });
  });
});

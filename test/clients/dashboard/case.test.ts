import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { type Account, expectAccessible, newAccount, newKey, useDashboard } from './support/dashboard.ts';

describeInBrowser('the page of a case', () => {
  const dashboard = useDashboard();
  let account: Account;
  let suite: { readonly id: string; readonly slug: string };
  let scorer: { readonly id: string };
  let path: (key: string) => string;
  beforeAll(async () => {
    account = await newAccount();
    const project = await makeProject(account.client);
    suite = await makeSuite(account.client, project, { keep_outputs: 'all' });
    scorer = await makeScorer(account.client, project);
    path = (key) => `/app/p/${project.slug}/s/${suite.slug}/c/${key}`;
  });
  const newCase = (key: string, fields: object = {}) =>
    makeCase(account.client, suite, scorer, { key, name: key, expected: 'yes', must_pass: true, ...fields });
  const caseOf = async ({ id }: { readonly id: string }) =>
    (await account.client('GET', `/v1/cases/${id}`)).body.data;

  test('shows what it holds, each run as a word that leads to it, and its newest failure, with few requests', async () => {
    await newCase('refund', { input: { question: 'How long?' } });
    const run = async (output: string): Promise<string> =>
      (await account.client('POST', '/v1/run', { suite: suite.slug, outputs: [{ case: 'refund', output }] }))
        .body.id;
    await run('yes');
    const failed = await run('perhaps not');
    const { key } = await newKey(account, { scope: 'read' });
    const page = await dashboard.signIn(key, path('refund'));
    await page.getByRole('figure').filter({ hasText: 'perhaps not' }).waitFor();
    expect(await page.getByRole('figure').filter({ hasText: 'Question' }).innerText()).toMatch(
      /^Question\s+How long\?$/,
    );
    // Once, beside the output.
    expect(await page.getByRole('figure').filter({ hasText: 'Expected' }).count()).toBe(1);
    expect(dashboard.asked()).toHaveLength(5);
    await page.getByText('Latest runs').click();
    await page.getByText('1 failed, 1 passed in the latest 2 runs').waitFor();
    const newest = page.getByRole('link', { name: /^failed, 0\.00/ });
    expect(await newest.getAttribute('href')).toBe(`/app/runs/${failed}?case=refund`);
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await page.getByRole('link', { name: 'A scorer' }).waitFor();
    await expectAccessible(page);
  });

  test('shows how the latest run judged it, and since when it does not pass', async () => {
    await newCase('since');
    const run = async (output: string): Promise<string> =>
      (await account.client('POST', '/v1/run', { suite: suite.slug, outputs: [{ case: 'since', output }] }))
        .body.id;
    const found: string[] = [];
    for (const output of ['no', 'yes', 'not', 'never']) {
      await run(output);
      const page = await dashboard.signIn(account.key, path('since'));
      const state = page.locator('.heading .state').first();
      found.push(await state.innerText());
      const since = page.locator('.heading').getByText(/since .* ago|since now/);
      expect(await since.count()).toBe(output === 'yes' ? 0 : 1);
    }
    expect(found).toEqual(['failed', 'passed', 'failed', 'failed']);
  });

  test('a form that a button opens takes the focus, and gives it to the heading', async () => {
    await newCase('focus');
    const page = await dashboard.signIn(account.key, path('focus'));
    const focused = () =>
      page.evaluate('document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name').waitFor();
    await dashboard.settle();
    expect(await focused()).toBe('Name');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect(await focused()).toBe('focus');
  });

  test('shows that its scorer was deleted, and so does the list of cases', async () => {
    dashboard.expectLine(/404/);
    const made = await newCase('orphan');
    const project = (await account.client('GET', '/v1/projects')).body.data[0];
    const other = await makeScorer(account.client, project);
    await account.client('PATCH', `/v1/cases/${made.id}`, { scorer_id: other.id });
    await account.client('DELETE', `/v1/scorers/${other.id}`);
    const page = await dashboard.signIn(account.key, path('orphan'));
    await page.getByText('Its scorer was deleted').waitFor();
    await page.getByRole('link', { name: 'Cases' }).click();
    expect(await page.getByRole('row', { name: /orphan/ }).innerText()).toContain('deleted');
  });

  test('a bar that gets weaker is named before it is saved', async () => {
    const made = await newCase('weaker');
    const page = await dashboard.signIn(account.key, path('weaker'));
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByText('Threshold, weight').click();
    await page.getByLabel('Must pass').click();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'The bar gets weaker' });
    expect(await dialog.innerText()).toMatch(/weaker\s+Must pass\s+yes → no\s+Cancel/);
    expect((await caseOf(made)).must_pass).toBe(true);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save all the same' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect((await caseOf(made)).must_pass).toBe(false);
  });

  test('a change is confirmed in the words of its form, with both texts side by side and nothing that stays as it is', async () => {
    const made = await newCase('words', {
      must_pass: false,
      expected: 'Yes, it is.',
      input: { question: 'Is it?' },
    });
    await newCase('another');
    const page = await dashboard.signIn(account.key, path('words'));
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Expected' }).fill('Yes, it is\nand "remains" so.');
    await page.getByLabel('Input').fill('{"question": "Is it \\"so\\"?"}');
    await page.getByText('Threshold, weight').click();
    await page.getByLabel('Tags').fill('policy, tone');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'The bar may get weaker' });
    await dialog.waitFor();
    const differences = dialog.locator('.differences > div');
    expect(await differences.allInnerTexts()).toEqual([
      'Input\nIs it? → Is it "so"?',
      'Expected\nBefore\nYes, it is.\nAfter\nYes, it is\nand "remains" so.',
      'Tags\nnone → policy, tone',
    ]);
    expect(await dialog.innerText()).not.toMatch(/case_order|\\/);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save all the same' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect((await caseOf(made)).expected).toBe('Yes, it is\nand "remains" so.');
  });

  test('a suite that is pushed names the command that brings a change to its file, to be copied', async () => {
    const { slug } = (await account.client('GET', '/v1/projects')).body.data[0];
    const cases = [{ key: 'filed', name: 'Filed', scorer: 'exact', input: {}, expected: 'yes' }];
    const scorers = { exact: { type: 'exact_match', config: {} } };
    const definition = { version: 1, suite: 'filed', scorers, cases };
    const source = { repository: 'octo/support-bot', path: 'evals/filed.suite.yaml' };
    await account.client('PUT', `/v1/projects/${slug}/suites/filed/definition`, { definition, source });
    const page = await dashboard.signIn(account.key, `/app/p/${slug}/s/filed/c/filed`);
    await page.getByText(/Pushed from octo\/support-bot, evals\/filed\.suite\.yaml/).waitFor();
    await page.getByRole('button', { name: 'Copy command' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('evalgate pull filed');
    await expectAccessible(page);
  });

  test('keeps what another user saved meanwhile, and shows it where both changed the same', async () => {
    const made = await newCase('both');
    const page = await dashboard.signIn(account.key, path('both'));
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('Mine');
    await account.client('PATCH', `/v1/cases/${made.id}`, { description: 'Theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect(await caseOf(made)).toMatchObject({ name: 'Mine', description: 'Theirs' });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('Mine again');
    await account.client('PATCH', `/v1/cases/${made.id}`, { name: 'Theirs' });
    dashboard.expectLine(/409/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: 'Name Theirs Mine again' }).waitFor();
    expect((await caseOf(made)).name).toBe('Theirs');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect((await caseOf(made)).name).toBe('Mine again');
  });

  test('an advisory that another user shortened meanwhile stays short, where its reason is changed', async () => {
    dashboard.expectLine(/409/);
    const advisory = (days: number) => ({
      owner: 'qa',
      reason: 'Flaky since today.',
      expires_at: `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`,
    });
    const made = await newCase('advised', { must_pass: false, advisory: advisory(60) });
    const page = await dashboard.signIn(account.key, path('advised'));
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByText('Threshold, weight').click();
    await page.getByLabel('Reason').fill('The model is being replaced.');
    await account.client('PATCH', `/v1/cases/${made.id}`, { advisory: advisory(2) });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect((await caseOf(made)).advisory).toEqual({ ...advisory(2), reason: 'The model is being replaced.' });
  });

  test('a case is deleted after a dialog, and its address then reports it as missing', async () => {
    await newCase('gone');
    const page = await dashboard.signIn(account.key, path('gone'));
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'New case' }).waitFor();
    await dashboard.open(path('gone'));
    await page.getByText('This suite has no case with this key').waitFor();
  });
});

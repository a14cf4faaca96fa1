import { beforeAll, expect, test } from '@jest/globals';
import { makeKey } from '../../functions/byokKeys/keys.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { KEY_OF_A_STRICT_JUDGE, KEY_THAT_IS_REFUSED, STRICT_REASONING } from '../../support/providers.ts';
import { eventually } from '../../support/service.ts';
import { type Account, expectAccessible, newAccount, newKey, useDashboard } from './support/dashboard.ts';

const RUBRIC = 'Does the answer name 30 days?';
const OUTPUT = 'You may return it within 14 days.';

describeInBrowser('the page of a run with an LLM judge', () => {
  const dashboard = useDashboard();
  let account: Account;
  let path: string;
  let suitePath: string;
  let suiteId: string;
  let openaiCase: string;
  beforeAll(async () => {
    account = await newAccount();
    const { client } = account;
    await makeKey(client, { provider: 'openai', key: KEY_OF_A_STRICT_JUDGE });
    await makeKey(client, { provider: 'anthropic', key: KEY_THAT_IS_REFUSED });
    const project = await makeProject(client);
    const suite = await makeSuite(client, project, { keep_outputs: 'all' });
    for (const _provider of ['openai', 'anthropic']) {
      const config = { rubric: RUBRIC, _provider };
      const judge = await makeScorer(client, project, { name: _provider, type: 'llm_judge', config });
      const { id } = await makeCase(client, suite, judge, {
        key: `by-${_provider}`,
        input: { question: 'How long may I keep it?' },
        expected: 'Within 30 days.',
      });
      if (_provider === 'openai') openaiCase = id;
    }
    const outputs = ['openai', 'anthropic'].map((judge) => ({ case: `by-${judge}`, output: OUTPUT }));
    const { body } = await client('POST', '/v1/run', { suite: suite.slug, outputs });
    path = `/app/runs/${body.id}`;
    suiteId = suite.id;
    suitePath = `/app/p/${project.slug}/s/${suite.slug}`;
  });

  test('shows why it failed in full, its question and answer, and on demand what the judge received', async () => {
    const page = await dashboard.signIn(account.key, `${path}?case=by-openai`);
    const row = page.getByRole('row', { name: /by-openai/ }).first();
    expect(await row.innerText()).toMatch(/^failed.*0\.20 < 0\.50\s+It names 14 days.*…/s);
    const figure = (caption: string) => page.getByRole('figure').filter({ hasText: caption });
    expect(await figure('Why').innerText()).toContain(STRICT_REASONING);
    expect(await figure('Input').innerText()).toContain('How long may I keep it?');
    expect(await page.locator('.detail ins').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('14')]),
    );
    await page.getByText('How it was judged').click();
    expect(await page.locator('.more .pairs').first().innerText()).toMatch(
      /Model\s+\S.*Tokens\s+\d+ in, \d+ out/s,
    );
    expect(await page.getByRole('figure', { name: 'Rubric' }).innerText()).toContain(RUBRIC);
    const prompt = await figure('What the judge received').innerText();
    for (const part of [RUBRIC, OUTPUT, 'Within 30 days.', 'How long may I keep it?'])
      expect(prompt).toContain(part);
    await expectAccessible(page);
  });

  test('states that a refused key of a judge is the suite’s doing, and what to do', async () => {
    const page = await dashboard.signIn(account.key, `${path}?case=by-anthropic`);
    const row = page.getByRole('row', { name: /by-anthropic/ }).first();
    expect(await row.innerText()).toMatch(/^unjudged/);
    await page.getByText('It is the suite’s doing: correct the case, its scorer or a key.').waitFor();
    expect(await row.innerText()).not.toContain(KEY_THAT_IS_REFUSED);
  });

  test('adds an output that should have passed to the examples of its case, and the suite shows what a check finds', async () => {
    const page = await dashboard.signIn(account.key, `${path}?case=by-openai`);
    await page.getByRole('button', { name: 'Should have passed' }).click();
    await page.getByText('This run stays as it is.').waitFor();
    await page.getByRole('button', { name: 'Add the example' }).click();
    await page.getByText('The case is changed.').waitFor();
    const examples = async () => (await account.client('GET', `/v1/cases/${openaiCase}`)).body.data.examples;
    await eventually(async () => (await examples()).pass.length === 1);
    expect(await examples()).toEqual({ pass: [OUTPUT], fail: [] });
    await account.client('POST', `/v1/suites/${suiteId}/check`);
    const suite = await dashboard.signIn(account.key, suitePath);
    await suite.getByTitle('More about this suite').click();
    await suite.getByRole('link', { name: 'Check of its judges' }).click();
    await suite.getByText(/no wrong answer was there to fail, passes 0 of 1/).waitFor();
    await suite.getByRole('button', { name: 'Check again' }).waitFor();
    await expectAccessible(suite);
  });

  test('shows a key that only runs gates no prompt, and nothing of the prompt’s place', async () => {
    const { key } = await newKey(account, { scope: 'run' });
    const page = await dashboard.signIn(key, `${path}?case=by-openai`);
    await page.getByText('How it was judged').click();
    for (const bar of ['What the judge received', 'Rubric'])
      expect(await page.getByText(bar).count()).toBe(0);
  });
});

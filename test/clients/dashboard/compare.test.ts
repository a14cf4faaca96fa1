import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { makeCase, makeScorer, makeSuite } from '../../support/builders.ts';
import { type Account, expectAccessible, newAccount, useDashboard } from './support/dashboard.ts';
import { type Seeded, seedRuns } from './support/seed.ts';

describeInBrowser('the comparison of two runs', () => {
  const dashboard = useDashboard();
  let account: Account;
  let seeded: Seeded;
  beforeAll(async () => {
    account = await newAccount();
    seeded = await seedRuns(account.client);
  });
  const compare = (a: string, b: string) => dashboard.signIn(account.key, `/app/compare?a=${a}&b=${b}`);

  test('shows what newly fails with both outputs side by side, in four requests', async () => {
    const page = await compare(seeded.cleared, seeded.aborted);
    const section = page.locator('section', { hasText: /^Newly failing/ });
    const first = section.getByRole('group').first();
    await first.locator('ins').waitFor();
    expect(await first.innerText()).toMatch(
      /refund-window.*must pass.*Input\s+How long may I keep it\?\s+Before \(equals expected\)\s+You can return it within 30 days\.\s+After\s+You can return it within 14 days\./s,
    );
    expect(await page.locator('.verdict-headline').innerText()).toMatch(
      /^4 newly failing\s+of 7 compared cases$/,
    );
    await page.getByText('by chance alone that happens in').waitFor();
    await page.getByText('100.0 % → 42.9 % of the compared cases pass').waitFor();
    expect(await first.locator('ins').allInnerTexts()).toEqual(['14']);
    expect(dashboard.asked().sort()).toEqual([
      ...[
        `/v1/runs/${seeded.aborted}`,
        `/v1/runs/${seeded.aborted}/comparison`,
        `/v1/runs/${seeded.aborted}/results`,
        `/v1/runs/${seeded.cleared}/results`,
      ].sort(),
      '/v1/whoami',
    ]);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Swap' }).click();
    await page.getByRole('heading', { name: 'Newly passing' }).waitFor();
  });

  test('of what passed before and was not kept an exact match is known, and the page states how outputs are kept', async () => {
    const { client } = account;
    const suite = await makeSuite(client, { slug: seeded.project }, { name: 'Failed only' });
    const exact = await makeScorer(client, { slug: seeded.project }, { name: 'As it is' });
    const config = { values: ['30 days'], mode: 'all' };
    const says = await makeScorer(
      client,
      { slug: seeded.project },
      { name: 'Says', type: 'contains', config },
    );
    await makeCase(client, suite, exact, { key: 'exact', expected: 'Within 30 days.' });
    await makeCase(client, suite, says, { key: 'says', expected: null, input: { question: 'How long?' } });
    const run = async (output: string) =>
      (await client('POST', '/v1/run', { suite: suite.slug, output })).body.id;
    const [before, after] = [await run('Within 30 days.'), await run('Within 14 days.')];
    const page = await compare(before, after);
    const one = (key: string) => page.getByRole('group').filter({ hasText: key });
    await one('exact').locator('ins').waitFor();
    expect(await one('exact').innerText()).toMatch(/Before \(equals expected\)\s+Within 30 days\./);
    expect(await one('says').innerText()).toMatch(/Input\s+How long\?.*Before\s+No text of it is kept/s);
    await one('says').getByText('“Accept as baseline” can have all outputs kept').waitFor();
    await expectAccessible(page);
  });

  test('both runs are called by branch or pull request and commit, each with its verdict, and its id comes last', async () => {
    const suite = await makeSuite(account.client, { slug: seeded.project }, { name: 'Named' });
    const scorer = await makeScorer(account.client, { slug: seeded.project }, { name: 'Named' });
    await makeCase(account.client, suite, scorer, { key: 'one', expected: 'Hello' });
    const run = async (output: string, trigger_meta: object): Promise<string> =>
      (await account.client('POST', '/v1/run', { suite: suite.slug, output, trigger_meta })).body.id;
    const before = await run('Hello', { branch: 'main', sha: '1111111aaaa' });
    const after = await run('Bye', { branch: 'next', pull_request: 417, sha: '8f2c1aa9b0d1' });
    const page = await compare(before, after);
    const [from, to] = await page.locator('.named-run').allInnerTexts();
    expect(from).toMatch(new RegExp(`^main 1111111 cleared .*run_…${before.slice(-7)}$`));
    expect(to).toMatch(new RegExp(`^#417 8f2c1aa aborted .*run_…${after.slice(-7)}$`));
    await expectAccessible(page);
  });

  test('a case that could not be judged has no score in that run', async () => {
    const suite = await makeSuite(account.client, { slug: seeded.project }, { name: 'Unjudged' });
    const scorer = await makeScorer(account.client, { slug: seeded.project }, { name: 'Unjudged' });
    for (const key of ['one', 'two'])
      await makeCase(account.client, suite, scorer, { key, expected: 'Hello' });
    const run = async (answer: object): Promise<string> => {
      const outputs = [
        { case: 'one', ...answer },
        { case: 'two', output: 'Hello' },
      ];
      return (await account.client('POST', '/v1/run', { suite: suite.slug, outputs })).body.id;
    };
    const [good, errored] = [
      await run({ output: 'Hello' }),
      await run({ error: 'the model did not answer' }),
    ];
    const scores = async (a: string, b: string) =>
      (await compare(a, b))
        .getByRole('group')
        .filter({ hasText: 'one' })
        .locator('.compared-scores')
        .innerText();
    expect(await scores(good, errored)).toMatch(/^1\.00 → unjudged threshold/);
    expect(await scores(errored, good)).toMatch(/^unjudged → 1\.00 threshold/);
  });

  test('the page reports runs of different suites as not comparable', async () => {
    dashboard.expectLine(/400/);
    const other = await makeSuite(account.client, { slug: seeded.project }, { name: 'Other' });
    const scorer = await makeScorer(account.client, { slug: seeded.project }, { name: 'Other' });
    await makeCase(account.client, other, scorer, { key: 'one', expected: 'Hello' });
    const { id } = (await account.client('POST', '/v1/run', { suite: other.slug, output: 'Hello' })).body;
    const page = await compare(seeded.cleared, id);
    await page.getByText('These runs cannot be compared.').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('is of another suite');
  });

  test('where too little was judged alike, the page states it first', async () => {
    const suite = await makeSuite(account.client, { slug: seeded.project }, { name: 'Edited' });
    const scorer = await makeScorer(account.client, { slug: seeded.project }, { name: 'Edited' });
    const made = await makeCase(account.client, suite, scorer, { key: 'one', expected: 'Hello' });
    const run = async () =>
      (await account.client('POST', '/v1/run', { suite: suite.slug, output: 'Hello' })).body.id;
    const before = await run();
    await account.client('PATCH', `/v1/cases/${made.id}`, { expected: 'Bye' });
    const after = await run();
    const page = await compare(before, after);
    await page.getByText('Only 0.0 % of the weight is in both').waitFor();
    const changed = page.getByRole('group').filter({ hasText: 'one' });
    await changed.locator('summary').click();
    await changed.getByText('the case or its scorer was edited').waitFor();
  });

  test('without two runs in its address it states where comparisons are', async () => {
    const page = await dashboard.signIn(account.key, '/app/compare');
    await page.getByRole('heading', { name: 'Compare two runs' }).waitFor();
    await expectAccessible(page);
  });
});

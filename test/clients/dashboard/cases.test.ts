import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { type Account, clickTwice, expectAccessible, newAccount, useDashboard } from './support/dashboard.ts';

const DAY_MS = 86_400_000;

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
    const page = await dashboard.signIn(account.key, `${suite.path}?new=1`);
    await page.getByLabel('Name').fill('Refund window');
    expect(dashboard.asked()).toHaveLength(4);
    await page.getByRole('textbox', { name: 'Expected' }).fill('30 days');
    await expectAccessible(page);
    await clickTwice(page.getByRole('button', { name: 'Add case' }));
    await page.getByRole('link', { name: 'try the suite' }).waitFor();
    expect(await casesOf(suite)).toMatchObject([
      { key: 'refund-window', expected: '30 days', threshold: 0.5 },
    ]);
    await page.getByText('a case is judged by Exact match with threshold 0.5').waitFor();
  });

  test('a case whose scorer compares is not saved without what it expects, neither new nor changed', async () => {
    const suite = await newSuite();
    const page = await dashboard.signIn(account.key, `${suite.path}?new=1`);
    const missing = page.getByText('Expected is missing: the scorer compares with it.');
    const expected = page.getByRole('textbox', { name: 'Expected' });
    await page.getByLabel('Name').fill('Refund window');
    const add = page.getByRole('button', { name: 'Add case' });
    await add.click();
    await missing.waitFor();
    await page.getByLabel('Expected is').selectOption('nothing');
    await add.click();
    await missing.waitFor();
    expect(await casesOf(suite)).toEqual([]);
    await page.getByLabel('Expected is').selectOption('text');
    await expected.fill('30 days');
    await add.click();
    await page.getByRole('link', { name: 'try the suite' }).waitFor();
    await page.getByRole('link', { name: 'refund-window' }).first().click();
    await page.getByRole('button', { name: 'Edit' }).first().click();
    await expected.fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await missing.waitFor();
    expect(await casesOf(suite)).toMatchObject([{ key: 'refund-window', expected: '30 days' }]);
    page.once('dialog', (dialog) => void dialog.accept());
  });

  test('a new case takes no judge by itself, and names scorers of one name by their keys', async () => {
    const project = await makeProject(account.client);
    const { slug } = await makeSuite(account.client, project);
    for (const key of ['one', 'two']) await makeScorer(account.client, project, { name: 'Exact match', key });
    const judge = { type: 'llm_judge', name: 'Tone', config: { _provider: 'openai', rubric: 'Friendly.' } };
    await makeScorer(account.client, project, judge);
    const page = await dashboard.signIn(account.key, `/app/p/${project.slug}/s/${slug}/cases?new=1`);
    const scorer = page.getByLabel('Scorer', { exact: true });
    const words = (await scorer.locator('option').allInnerTexts()).filter((text) => !text.startsWith('New'));
    expect(words).toEqual(['Tone (Judge)', 'Exact match (two)', 'Exact match (one)']);
    expect(await scorer.locator('option:checked').innerText()).toBe('Exact match (two)');
  });

  test('a suite without cases states what one is, and its button opens the form of one', async () => {
    const suite = await newSuite();
    const page = await dashboard.signIn(account.key, suite.path);
    await page.getByText('No cases yet').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'New case' }).click();
    await page.getByRole('dialog', { name: 'New case' }).getByLabel('Name').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('a typed text survives a save that is refused, and Escape asks before it is dropped', async () => {
    const suite = await newSuite();
    const page = await dashboard.signIn(account.key, `${suite.path}?new=1`);
    await page.getByLabel('Name').fill('Long');
    await page.getByLabel('Input').fill('{\n  "a": 1,\n}');
    await page.getByText('line 3, column 1: “}” is not expected here').waitFor();
    const input = page.getByLabel('Input');
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    const described = await input.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).innerText()).toMatch(/^line 3/);
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
    await page.getByLabel('Name').press('Escape');
    expect(asked).toMatch('not saved');
    expect(await page.getByLabel('Name').inputValue()).toBe('Long');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByLabel('Name').press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('a new case is filled from the one that the address names, but for its key and what that one was granted', async () => {
    const suite = await newSuite(['first', 'strict']);
    const [first, strict] = await casesOf(suite);
    const held = {
      input: { question: 'How long?' },
      expected: { days: 30 },
      threshold: 0.75,
      weight: 3,
      tags: ['policy', 'eu'],
      must_pass: true,
      sample_count: 3,
      sample_pass_rate: 0.5,
    };
    const expires_at = new Date(Date.now() + DAY_MS).toISOString();
    const advisory = { owner: 'Ada', reason: 'Not settled yet.', expires_at };
    await account.client('PATCH', `/v1/cases/${strict.id}`, { ...held, is_active: false });
    await account.client('PATCH', `/v1/cases/${first.id}`, { advisory });
    const page = await dashboard.signIn(account.key, `${suite.path}?like=strict`);
    expect(dashboard.asked()).toHaveLength(5);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('The strict');
    await page.getByText('It expects what that one expects').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('Stricter');
    await page.getByRole('button', { name: 'Add case' }).click();
    await page.getByRole('link', { name: 'stricter', exact: true }).first().waitFor();
    expect(new URL(page.url()).search).toBe('?made=stricter');
    expect((await casesOf(suite)).at(-1)).toMatchObject({
      ...held,
      name: 'Stricter',
      key: 'stricter',
      scorer_id: first.scorer_id,
      is_active: true,
    });
    await dashboard.open(`${suite.path}?like=first`);
    expect(await page.getByLabel('Advisory').isChecked()).toBe(false);
  });

  test('where the case to copy is gone, the page states it, and the form is one of any new case', async () => {
    const suite = await newSuite(['one']);
    const page = await dashboard.signIn(account.key, `${suite.path}?like=gone`);
    await page.getByText('This suite has no case gone').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'New case' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
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

  test('a row has question and expected in a line, how the last run judged it and since when, and only what differs', async () => {
    const { client, key } = await newAccount();
    const project = await makeProject(client);
    const own = await makeSuite(client, project);
    const scorer = await makeScorer(client, project, { name: 'Word for word' });
    const other = await makeScorer(client, project, { name: 'Another one' });
    const add = (name: string, fields: object = {}, by = scorer) =>
      makeCase(client, own, by, {
        key: name,
        name,
        input: { question: `What is ${name}?` },
        expected: name,
        ...fields,
      });
    for (const name of ['good', 'bad', 'worse']) await add(name);
    await add('heavy', { weight: 3, threshold: 0.75, tags: ['policy'] }, other);
    const run = (bad: string) => {
      const outputs = ['good', 'heavy'].map((name) => ({ case: name, output: name }));
      const wrong = { case: 'worse', output: 'no' };
      return client('POST', '/v1/run', {
        suite: own.slug,
        outputs: [...outputs, wrong, { case: 'bad', output: bad }],
      });
    };
    await run('bad');
    await run('no');
    await add('new');
    const page = await dashboard.signIn(key, `/app/p/${project.slug}/s/${own.slug}/cases`);
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} What is`) });
    expect(await row('good').innerText()).toMatch(/What is good\?\s+good\s+passed\s*$/s);
    expect(await row('new').innerText()).toContain('no run had it yet');
    expect(await row('heavy').innerText()).toMatch(
      /Another one\s+threshold 0\.75\s+weight 3 \(42\.9 %\)\s+policy/,
    );
    const since = async (name: string) => row(name).locator('time').getAttribute('datetime');
    expect((await since('worse'))! < (await since('bad'))!).toBe(true);
    await page.getByLabel('Kind').selectOption('failing');
    expect(await page.getByRole('table').getByRole('row').count()).toBe(3);
    await expectAccessible(page);
  });

  test('a case that newly fails comes first, then what failed before; only the first is red', async () => {
    const { client, key } = await newAccount();
    const project = await makeProject(client);
    const own = await makeSuite(client, project);
    const scorer = await makeScorer(client, project);
    const names = ['good', 'old', 'fresh'];
    for (const name of names) await makeCase(client, own, scorer, { key: name, name, expected: name });
    const run = async (...wrong: readonly string[]): Promise<string> => {
      const outputs = names.map((name) => ({ case: name, output: wrong.includes(name) ? 'no' : name }));
      return (await client('POST', '/v1/run', { suite: own.slug, outputs })).body.id;
    };
    await client('POST', `/v1/suites/${own.id}/baselines`, { run_ids: [await run('old')] });
    await run('old', 'fresh');
    const page = await dashboard.signIn(key, `/app/p/${project.slug}/s/${own.slug}/cases`);
    await page.getByText('newly failing').first().waitFor();
    expect(dashboard.asked()).toHaveLength(5);
    const states = page.getByRole('table').locator('.has-sign');
    expect(await states.allInnerTexts()).toEqual(['newly failing', 'failed before', 'passed']);
    const classes = await states.evaluateAll((all: { className: string }[]) =>
      all.map(({ className }) => className.split(' ').at(-1)),
    );
    expect(classes).toEqual(['is-bad', 'is-calm', 'is-good']);
    await expectAccessible(page);
  });

  test('filters stand in the address, and shares of the weight are of all cases', async () => {
    const suite = await newSuite(['one', 'two', 'three', 'four']);
    const page = await dashboard.signIn(account.key, `${suite.path}?q=THE+T`);
    await page.getByText('2 of 4').waitFor();
    await page.getByText('weight 1 (25.0 %)').waitFor();
    await page.getByLabel('Tag').selectOption('first');
    await page.getByText('No case matches').waitFor();
    expect(new URL(page.url()).search).toBe('?q=THE+T&tag=first');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('4 in all').waitFor();
    await expectAccessible(page);
  });
});

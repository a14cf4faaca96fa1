import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { api } from '../../support/api.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { changePlan } from '../../support/changePlan.ts';
import type { OwnService } from '../../support/ownService.ts';
import { eventually } from '../../support/service.ts';
import {
  type Account,
  clickTwice,
  expectAccessible,
  newAccount,
  newKey,
  useDashboard,
} from './support/dashboard.ts';
import { WIDTHS, widerThan } from './support/looks.ts';
import { signInAt, startOwnEndpoints } from './support/ownEndpoints.ts';
import { type Seeded, seedRuns } from './support/seed.ts';

const DAY_MS = 86_400_000;

describeInBrowser('the page of a suite', () => {
  const dashboard = useDashboard();
  let account: Account;
  let seeded: Seeded;
  let path: string;
  beforeAll(async () => {
    account = await newAccount();
    seeded = await seedRuns(account.client);
    path = `/app/p/${seeded.project}/s/${seeded.suite}`;
  });
  const openAs = (key: string, to = path): Promise<Page> => dashboard.signIn(key, to);
  const suite = async () =>
    (await account.client('GET', `/v1/projects/${seeded.project}/suites/${seeded.suite}`)).body.data;

  test('shows bar and runs, each with its newly failing cases, with few requests', async () => {
    const page = await openAs(account.key);
    await page.getByRole('row', { name: /aborted.*8f2c1aa/s }).waitFor();
    const row = page.getByRole('row', { name: /aborted/ });
    expect(await row.innerText()).toMatch(
      /aborted\s+\d newly failing\s+37\.5 %\s+#417\s+8f2c1aa\s+first key\s+\S+.*run_…/s,
    );
    expect(await row.getByRole('link', { name: '8f2c1aa' }).getAttribute('href')).toBe(
      'https://github.com/octo/support-bot/commit/8f2c1aa9b0d1e2f3',
    );
    await page.getByText('runs are not verified').waitFor();
    expect(await page.getByRole('region', { name: 'Bar' }).innerText()).toMatch(/Pass threshold\s+80\.0 %/);
    expect(dashboard.asked().sort()).toEqual([
      `/v1/projects/${seeded.project}/suites/${seeded.suite}`,
      `/v1/suites/${seeded.suiteId}/baseline`,
      `/v1/suites/${seeded.suiteId}/runs`,
      `/v1/suites/${seeded.suiteId}/warnings`,
      '/v1/whoami',
    ]);
    await expectAccessible(page);
  });

  test('begins with the default branch: its state and since when, its baseline, and what waits to be merged', async () => {
    const page = await openAs(account.key);
    const standing = page.getByRole('region', { name: 'Default branch' });
    const shown = await standing.innerText();
    expect(shown).toMatch(/cleared\s+pass rate \S+ % ≥ 80\.0 %(?: at|,) .* ago/s);
    expect(shown).toMatch(/Baseline\s+accepted .* ago, \S+ %\s+run_…/s);
    expect(shown).toMatch(/Pull requests\s+#417\s+aborted\s+\d newly failing/s);
    expect(await standing.getByRole('link', { name: '#417' }).getAttribute('href')).toBe(
      `/app/runs/${seeded.aborted}`,
    );
    // Its newest run is the baseline itself.
    expect(await standing.getByRole('link', { name: /^Compare/ }).count()).toBe(0);
  });

  test('names the cases that newly fail on the default branch, each with the way to it, and since when it is aborted', async () => {
    const { client, key } = await newAccount();
    const project = await makeProject(client);
    const own = await makeSuite(client, project, { pass_threshold: 1 });
    const scorer = await makeScorer(client, project);
    for (const name of ['one', 'two']) await makeCase(client, own, scorer, { key: name, expected: name });
    let sha = 1_111_111;
    const run = async (one: string, two: string, branch = 'main'): Promise<string> => {
      const outputs = [
        { case: 'one', output: one },
        { case: 'two', output: two },
      ];
      const body = { suite: own.slug, outputs, trigger_meta: { branch, sha: `${sha++}` } };
      return (await client('POST', '/v1/run', body)).body.id;
    };
    const to = `/app/p/${project.slug}/s/${own.slug}`;
    const good = await run('one', 'no');
    await (await dashboard.signIn(key, to)).getByText('No baseline').waitFor();
    await client('POST', `/v1/suites/${own.id}/baselines`, { run_ids: [good] });
    await client('PATCH', `/v1/projects/${project.slug}/suites/${own.slug}`, { pass_threshold: 0.5 });
    await run('one', 'no');
    await client('PATCH', `/v1/projects/${project.slug}/suites/${own.slug}`, { pass_threshold: 1 });
    const since = await run('wrong', 'no');
    const newest = await run('wrong again', 'no');
    await run('one', 'two', 'fix');
    const page = await dashboard.open(to);
    const standing = page.getByRole('region', { name: 'main' });
    expect(await standing.innerText()).toMatch(
      /aborted\s+pass rate 0\.0 % < 100\.0 % at 1111114 \(.*\), aborted since 1111113 \(.*\), last cleared 1111112 \(.*Newly failing\s+one\s+1 more did not pass: they failed before, or are edited, new or unjudged/s,
    );
    const href = (name: string) => standing.getByRole('link', { name }).getAttribute('href');
    expect(await href('one')).toBe(`/app/runs/${newest}?case=one`);
    expect(await href('1111113')).toBe(`/app/runs/${since}`);
    expect(await href('Compare the branch with it')).toBe(`/app/compare?a=${good}&b=${newest}`);
    const marks = page.getByRole('list', { name: /^Last runs/ });
    expect(await marks.getByRole('link').allInnerTexts()).toEqual(
      ['aborted', 'cleared', 'aborted', 'aborted'].map((state) => expect.stringContaining(`${state}, `)),
    );
    expect(await marks.getByText('baseline', { exact: true }).count()).toBe(1);
    await expectAccessible(page);
  });

  test('a case that was edited since a baseline that passed all is not counted as one that failed before', async () => {
    const { client, key } = await newAccount();
    const project = await makeProject(client);
    const own = await makeSuite(client, project, { pass_threshold: 1 });
    const made = await makeCase(client, own, await makeScorer(client, project), {
      key: 'one',
      expected: 'one',
    });
    const run = async (): Promise<string> =>
      (await client('POST', '/v1/run', { suite: own.slug, outputs: [{ case: 'one', output: 'one' }] })).body
        .id;
    await client('POST', `/v1/suites/${own.id}/baselines`, { run_ids: [await run()] });
    await client('PATCH', `/v1/cases/${made.id}`, { expected: 'two' });
    await run();
    const page = await dashboard.signIn(key, `/app/p/${project.slug}/s/${own.slug}`);
    await page.getByText('1 more did not pass: they are edited, new or unjudged').waitFor();
  });

  test('a pull request shows that its run is waived, and why another one is inconclusive', async () => {
    const { client, key } = await newAccount();
    const project = await makeProject(client);
    const own = await makeSuite(client, project, { pass_threshold: 1 });
    await makeCase(client, own, await makeScorer(client, project), { key: 'one', expected: 'one' });
    const run = async (pull_request: number, output: object): Promise<string> => {
      const body = { suite: own.slug, outputs: [{ case: 'one', ...output }], trigger_meta: { pull_request } };
      return (await client('POST', '/v1/run', body)).body.id;
    };
    const waived = await run(7, { output: 'no' });
    await client('POST', `/v1/runs/${waived}/waiver`, {
      reason: 'The carrier changes its mails.',
      expires_at: new Date(Date.now() + DAY_MS).toISOString(),
    });
    await run(8, { error: 'no answer' });
    const page = await dashboard.signIn(key, `/app/p/${project.slug}/s/${own.slug}`);
    expect(await page.locator('.pull').allInnerTexts()).toEqual([
      expect.stringMatching(/^#8\s+inconclusive\s+1 case could not be judged$/),
      expect.stringMatching(/^#7\s+aborted\s+waived$/),
    ]);
    const signs = await page.evaluate(
      `[...document.querySelectorAll('.pull .has-sign')].map((one) => getComputedStyle(one, '::before').content[1])`,
    );
    expect(signs).toEqual(['?', '✗', '»']);
  });

  test('shows above the bar what it would let through, and fixed answers folded away', async () => {
    const { client, key } = await newAccount();
    const project = await makeProject(client, { name: 'Weak bars' });
    const weak = await makeSuite(client, project, { name: 'Weak' });
    const config = { pattern: 'password', should_match: false };
    await makeCase(client, weak, await makeScorer(client, project, { type: 'regex', config }));
    const page = await openAs(key, `/app/p/${project.slug}/s/${weak.slug}`);
    const notice = page.locator('.notice.is-warning');
    await notice.getByText('an empty answer, like 4 more without content, would clear this suite').waitFor();
    const folded = notice.getByText('the refusal', { exact: false });
    expect([await folded.isVisible(), await page.locator('.notice').count()]).toEqual([false, 1]);
    await notice.getByText('Fixed answers that it clears').click();
    await folded.waitFor();
    await expectAccessible(page);
  });

  test('lowering the bar shows that it gets weaker before it is saved; raising it is saved at once', async () => {
    const page = await openAs(account.key);
    const edit = page.getByRole('button', { name: 'Edit the bar' });
    const threshold = page.getByLabel('Pass threshold in %');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await edit.click();
    await expectAccessible(page);
    await threshold.fill('70');
    await save.click();
    const question = page.getByRole('dialog');
    expect(await question.innerText()).toMatch(/weaker\s+Pass threshold\s+80\.0 % → 70\.0 %\s+Cancel/);
    expect((await suite()).pass_threshold).toBe(0.8);
    await question.getByRole('button', { name: 'Save all the same' }).click();
    await page.getByText('70.0 %').waitFor();
    expect((await suite()).pass_threshold).toBe(0.7);
    await edit.click();
    await threshold.fill('90');
    await page.getByRole('button', { name: 'Add a gate for a tag' }).click();
    await page.getByLabel('Tag', { exact: true }).fill('policy');
    await save.click();
    const bar = page.getByRole('region', { name: 'Bar' });
    await bar.locator('.tag').getByText('policy').waitFor();
    expect(await bar.innerText()).toMatch(/Tag policy\s+at least 100\.0 %/);
    expect(await suite()).toMatchObject({
      pass_threshold: 0.9,
      gates: { tags: [{ tag: 'policy', pass_threshold: 1, min_judged_cases: 1 }] },
    });
  });

  test('a gate that another user set meanwhile stays, where a different one is changed', async () => {
    dashboard.expectLine(/409/);
    const made = await makeSuite(
      account.client,
      { slug: seeded.project },
      { gates: { min_judged_cases: 3 } },
    );
    const path = `/v1/projects/${seeded.project}/suites/${made.slug}`;
    const page = await openAs(account.key, `/app/p/${seeded.project}/s/${made.slug}`);
    await page.getByRole('button', { name: 'Edit the bar' }).click();
    await page.getByLabel('Judged cases, at least').fill('4');
    await account.client('PATCH', path, { gates: { min_judged_cases: 3, min_lower_bound: 0.5 } });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Edit the bar' }).waitFor();
    const { gates } = (await account.client('GET', path)).body.data;
    expect(gates).toEqual({ min_judged_cases: 4, min_lower_bound: 0.5 });
  });

  test('typed text is still there after a jump back over several pages, where the reader stays', async () => {
    const page = await openAs(account.key, '/app');
    await page.getByRole('link', { name: 'Returns' }).click();
    await page.getByRole('button', { name: 'Edit the bar' }).click();
    await page.getByLabel('Pass threshold in %').fill('83');
    await page.getByRole('link', { name: 'Skip to the content' }).press('Enter');
    const { pathname } = new URL(page.url());
    const asked = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => history.go(-2))');
    await (await asked).dismiss();
    await eventually(async () => new URL(page.url()).pathname === pathname);
    expect(await page.getByLabel('Pass threshold in %').inputValue()).toBe('83');
  });

  test('a save whose session ended asks for the key and goes on', async () => {
    dashboard.expectLine(/401/);
    const made = await makeSuite(account.client, { slug: seeded.project }, { pass_threshold: 0.5 });
    const { id, key } = await newKey(account);
    const page = await openAs(key, `/app/p/${seeded.project}/s/${made.slug}`);
    await page.getByRole('button', { name: 'Edit the bar' }).click();
    await page.getByLabel('Pass threshold in %').fill('60');
    await account.client('DELETE', `/v1/api-keys/${id}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Your session ended' }).waitFor();
    await page.getByLabel('API key').fill(account.key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit the bar' }).waitFor();
    const path = `/v1/projects/${seeded.project}/suites/${made.slug}`;
    expect((await account.client('GET', path)).body.data.pass_threshold).toBe(0.6);
  });

  test('an output is tried in a menu where every case can judge one; nothing is stored, counted or turned', async () => {
    const made = await makeSuite(account.client, { slug: seeded.project }, { name: 'Tone' });
    const scorer = await makeScorer(account.client, { slug: seeded.project });
    for (const expected of ['Hello', 'Bye'])
      await makeCase(account.client, made, scorer, { name: `Says ${expected}`, expected });
    const page = await openAs(account.key, `/app/p/${seeded.project}/s/${made.slug}`);
    await page.getByTitle('More about this suite').click();
    await page.getByRole('link', { name: 'Try one output' }).click();
    await page.getByRole('textbox', { name: 'Output' }).fill('Hello');
    dashboard.asked();
    await clickTwice(page.getByRole('button', { name: 'Try', exact: true }));
    await page.getByText('1 of 2 cases passed.').waitFor();
    const rows = await page.getByRole('dialog').getByRole('row').allInnerTexts();
    expect(rows.slice(1)).toEqual([
      expect.stringMatching(/Says Bye\s+failed\s+0\.00/),
      expect.stringMatching(/Says Hello\s+passed\s+1\.00/),
    ]);
    expect(dashboard.asked()).toEqual([`/v1/suites/${made.id}/try`]);
    await expectAccessible(page);
    for (const width of Object.values(WIDTHS)) expect(await widerThan(page, width)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(new URL(page.url()).search).toBe('');
    expect((await account.client('GET', `/v1/suites/${made.id}`)).body.data.latest_run).toBeNull();
  });

  test('a suite of questions offers no output to try, and states why and what judges it', async () => {
    const page = await openAs(account.key);
    await page.getByTitle('More about this suite').click();
    await page.getByRole('button', { name: 'Delete suite' }).waitFor();
    await page.getByRole('link', { name: 'Try one output' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^One output does not fit the suite: .*cases judge a trace/).waitFor();
    await dialog.getByText(`evalgate run ${seeded.suite} --outputs answers.jsonl`).waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(0);
    await expectAccessible(page);
  });

  test('the runs of a pull request or branch are listed by their cell, by the field, and by the address', async () => {
    const page = await openAs(account.key);
    // On a narrow screen the row of heads is not there.
    const links = page.getByRole('table', { name: 'Runs' }).locator('a.id');
    const ids = async () => {
      await dashboard.settle();
      return links.evaluateAll((all: { title: string }[]) => all.map(({ title }) => title));
    };
    const both = [seeded.aborted, seeded.cleared];
    expect(await ids()).toEqual(both);
    await page.getByRole('table', { name: 'Runs' }).getByRole('link', { name: '#417' }).click();
    expect(await ids()).toEqual([seeded.aborted]);
    expect(new URL(page.url()).search).toBe('?pull=417');
    const field = page.getByLabel('Branch or pull request');
    expect(await field.inputValue()).toBe('#417');
    await expectAccessible(page);
    for (const width of Object.values(WIDTHS)) expect(await widerThan(page, width)).toEqual([]);
    await field.fill('fix/none');
    await field.press('Enter');
    await page.getByText('The suite has no run of fix/none that is kept.').waitFor();
    const views = page.getByRole('navigation', { name: 'Runs of' });
    await views.getByRole('link', { name: 'All' }).click();
    expect(new URL(page.url()).search).toBe('');
    expect(await ids()).toEqual(both);
    await views.getByRole('link', { name: 'Pull requests' }).click();
    expect(await ids()).toEqual([seeded.aborted]);
    await views.getByRole('link', { name: 'All' }).click();
    await views.getByRole('link', { name: 'main' }).click();
    expect(new URL(page.url()).search).toBe('?branch=main');
    expect(await ids()).toEqual([seeded.cleared]);
    expect(await field.inputValue()).toBe('main');
    await page.goBack();
    expect(await ids()).toEqual(both);
    await page.goForward();
    expect(await ids()).toEqual([seeded.cleared]);
  });

  test('without a run it shows the next step; a key that reads changes and runs nothing', async () => {
    const empty = await makeSuite(account.client, { slug: seeded.project }, { name: 'Empty' });
    const { key } = await newKey(account, { scope: 'read' });
    const page = await openAs(key, `/app/p/${seeded.project}/s/${empty.slug}`);
    await page.getByText('No run yet').waitFor();
    await page.getByText(`evalgate run ${empty.slug}`).waitFor();
    expect(await page.getByTitle('More about this suite').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Edit the bar' }).count()).toBe(0);
    await expectAccessible(page);
  });

  describe('of an organisation with the plan for it', () => {
    let own: OwnService;
    let key: string;
    beforeAll(async () => {
      own = await startOwnEndpoints();
      const now = Date.now();
      own.clock.ms = now - 3 * DAY_MS;
      const { body } = await api(own.baseUrl)('POST', '/v1/auth/signup', { name: 'Acme' });
      key = body.data.api_key.key;
      const client = api(own.baseUrl, key);
      await changePlan(own.table, body.data.organisation.id, 'pro', own.clock.ms);
      const project = await makeProject(client, { name: 'Bot' });
      const made = await makeSuite(client, project, { name: 'Tone', pass_threshold: 1 });
      const scorer = await makeScorer(client, project);
      await makeCase(client, made, scorer, { key: 'hello', name: 'Hello', expected: 'Hello' });
      for (const output of ['Hello', 'Bye']) {
        own.clock.ms += DAY_MS;
        await client('POST', '/v1/run', { suite: 'tone', output });
        await client('POST', '/v1/run', { suite: 'tone', output: 'No', trigger_meta: { pull_request: 7 } });
        await client('PATCH', '/v1/projects/bot/suites/tone', { pass_threshold: 0.9 });
      }
      own.clock.ms = undefined;
      // Nothing evaluates it here.
      await client('POST', '/v1/run', { suite: 'tone', output: 'Hello', async: true });
    });
    afterAll(() => own.stop());

    test('draws the days of the default branch against the bar of then on every width, and as a table, on demand', async () => {
      const page = await dashboard.open('/app/sign-in');
      await signInAt(own, key, page);
      await dashboard.open('/app/p/bot/s/tone');
      await page.getByText('1 run without a verdict yet').waitFor();
      expect(dashboard.asked()).toHaveLength(4);
      await page.getByRole('link', { name: '14 days' }).click();
      const chart = page.getByRole('img', { name: 'Pass rate by day' });
      await chart.waitFor();
      expect(await chart.locator('title').allTextContents()).toEqual([
        expect.stringMatching(/: 100\.0 %, over the bar, 1 cleared, 0 aborted$/),
        expect.stringMatching(/: 0\.0 %, under the bar, 0 cleared, 1 aborted, another bar$/),
      ]);
      expect(dashboard.asked()).toHaveLength(3);
      expect(await chart.locator('.chart-mark').count()).toBe(1);
      await expectAccessible(page);
      for (const width of Object.values(WIDTHS)) expect(await widerThan(page, width)).toEqual([]);
      await page.getByRole('button', { name: 'As a table' }).click();
      expect(await page.getByRole('table', { name: 'Pass rate by day' }).getByRole('row').count()).toBe(2);
      expect(new URL(page.url()).search).toBe('?days=14');
    });
  });
});

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

  test('shows bar, baseline and runs; without the plan for them it asks for no trends', async () => {
    const page = await openAs(account.key);
    await page.getByRole('row', { name: /aborted.*8f2c1aa/s }).waitFor();
    const row = page.getByRole('row', { name: /aborted/ });
    expect(await row.innerText()).toMatch(
      /\d newly failing\s+37\.5 %\s+github action\s+8f2c1aa\s+#417\s+API key/,
    );
    expect(await row.getByRole('link', { name: '8f2c1aa' }).getAttribute('href')).toBe(
      'https://github.com/octo/support-bot/commit/8f2c1aa9b0d1e2f3',
    );
    await page.getByRole('columnheader', { name: 'Commit (as told)' }).waitFor();
    expect(await page.getByRole('region', { name: 'Bar' }).innerText()).toMatch(/Pass threshold\s+80\.0 %/);
    const compare = page.getByRole('link', { name: 'Compare the latest run with it' });
    expect(await compare.getAttribute('href')).toBe(`/app/compare?a=${seeded.cleared}&b=${seeded.aborted}`);
    const latest = page.getByRole('link', { name: 'Compare the latest two' });
    expect(await latest.getAttribute('href')).toBe(`/app/compare?a=${seeded.cleared}&b=${seeded.aborted}`);
    expect(dashboard.asked().sort()).toEqual([
      `/v1/projects/${seeded.project}/suites/${seeded.suite}`,
      `/v1/suites/${seeded.suiteId}/baseline`,
      `/v1/suites/${seeded.suiteId}/runs`,
      '/v1/whoami',
    ]);
    await expectAccessible(page);
  });

  test('lowering the bar says that it gets weaker before it is saved; raising it is saved at once', async () => {
    const page = await openAs(account.key);
    const edit = page.getByRole('button', { name: 'Edit the bar' });
    const threshold = page.getByLabel('Pass threshold in %');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await edit.click();
    await expectAccessible(page);
    await threshold.fill('70');
    await save.click();
    const question = page.getByRole('dialog');
    expect(await question.innerText()).toContain('pass_threshold 0.8 → 0.7 weaker');
    expect((await suite()).pass_threshold).toBe(0.8);
    await question.getByRole('button', { name: 'Save all the same' }).click();
    await page.getByText('70.0 %').waitFor();
    expect((await suite()).pass_threshold).toBe(0.7);
    await edit.click();
    await threshold.fill('90');
    await page.getByRole('button', { name: 'Add a gate for a tag' }).click();
    await page.getByLabel('Tag', { exact: true }).fill('policy');
    await save.click();
    await page.getByRole('region', { name: 'Bar' }).getByText('Tag policy').waitFor();
    expect(await suite()).toMatchObject({
      pass_threshold: 0.9,
      gates: { tags: [{ tag: 'policy', pass_threshold: 1, min_judged_cases: 1 }] },
    });
  });

  test('a gate that somebody else set meanwhile stays, where another one is changed', async () => {
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
    await page.getByLabel('Run now').fill('Typed before');
    await page.getByRole('link', { name: 'Skip to the content' }).press('Enter');
    const { pathname } = new URL(page.url());
    const asked = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => history.go(-2))');
    await (await asked).dismiss();
    await eventually(async () => new URL(page.url()).pathname === pathname);
    expect(await page.getByLabel('Run now').inputValue()).toBe('Typed before');
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

  test('an output is judged once, however often it is sent, and leads to its run', async () => {
    dashboard.expectLine(/ERR_FAILED/);
    const page = await openAs(account.key);
    const keys: string[] = [];
    await page.route('**/v1/run', async (route) => {
      const request = route.request();
      const key = request.headers()['idempotency-key'] ?? '';
      keys.push(key);
      if (keys.length > 1) return route.continue();
      // It is judged, and the answer is lost.
      await account.client('POST', '/v1/run', request.postDataJSON(), { 'idempotency-key': key });
      return route.abort();
    });
    const output = page.getByLabel('Run now');
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await output.fill('You can return it within 30 days.');
    await clickTwice(run);
    await page.getByText('cannot be reached').waitFor();
    expect(await output.inputValue()).toBe('You can return it within 30 days.');
    await run.click();
    await page.waitForURL(/\/app\/runs\/run_/);
    await page.getByText(/^aborted by/).waitFor();
    expect(new Set(keys).size).toBe(1);
    const { pagination } = (await account.client('GET', `/v1/suites/${seeded.suiteId}/runs?page=1`)).body;
    expect(pagination.total).toBe(3);
  });

  test('without a run it says the next step; a key that reads changes and runs nothing', async () => {
    const empty = await makeSuite(account.client, { slug: seeded.project }, { name: 'Empty' });
    const { key } = await newKey(account, { scope: 'read' });
    const page = await openAs(key, `/app/p/${seeded.project}/s/${empty.slug}`);
    await page.getByText('No run yet').waitFor();
    await page.getByText(`evalgate run ${empty.slug}`).waitFor();
    expect(await page.getByLabel('Run now').count()).toBe(0);
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
      }
      own.clock.ms = undefined;
      // Nothing evaluates it here.
      await client('POST', '/v1/run', { suite: 'tone', output: 'Hello', async: true });
    });
    afterAll(() => own.stop());

    test('draws the pass rate by day on every width, as a table, too; regressions are shown on demand', async () => {
      const page = await dashboard.open('/app/sign-in');
      await signInAt(own, key, page);
      await dashboard.open('/app/p/bot/s/tone');
      await page.getByText('1 run without a verdict yet').waitFor();
      const chart = page.getByRole('img', { name: 'Pass rate by day' });
      expect(await chart.locator('title').allTextContents()).toEqual([
        expect.stringMatching(/: 100\.0 %, 1 cleared, 0 aborted$/),
        expect.stringMatching(/: 0\.0 %, 0 cleared, 1 aborted$/),
      ]);
      expect(dashboard.asked()).toHaveLength(4);
      await expectAccessible(page);
      for (const width of Object.values(WIDTHS)) expect(await widerThan(page, width)).toEqual([]);
      await page.getByRole('button', { name: 'As a table' }).click();
      expect(await page.getByRole('table', { name: 'Pass rate by day' }).getByRole('row').count()).toBe(2);
      await page.getByRole('button', { name: 'Show regressions' }).click();
      await page.getByRole('row', { name: /Hello.*1\.00/ }).waitFor();
    });
  });
});

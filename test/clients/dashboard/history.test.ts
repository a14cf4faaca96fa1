import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import { makeCase, makeScorer, makeSuite } from '../../support/builders.ts';
import { type Account, expectAccessible, newAccount, newKey, useDashboard } from './support/dashboard.ts';
import { cutIn, WIDTHS } from './support/looks.ts';
import { type Seeded, seedRuns } from './support/seed.ts';

const DAY_MS = 86_400_000;

describeInBrowser('the history of a suite', () => {
  const dashboard = useDashboard();
  let account: Account;
  let seeded: Seeded;
  let path: string;
  beforeAll(async () => {
    account = await newAccount();
    seeded = await seedRuns(account.client);
    path = `/app/p/${seeded.project}/s/${seeded.suite}/history`;
    const trigger_meta = { branch: `feature/${'a-long-name-'.repeat(8)}` };
    await account.client('POST', '/v1/run', { suite: seeded.suite, output: 'Hello', trigger_meta });
    await account.client('PATCH', `/v1/projects/${seeded.project}/suites/${seeded.suite}`, {
      pass_threshold: 0.7,
    });
  });

  const changes = (page: Page) => page.getByRole('list', { name: 'Changes' }).locator('> li');

  test('shows in sentences who moved the bar from what to what, whether it got weaker, and the way to the run', async () => {
    const page = await dashboard.signIn(account.key, path);
    const [newest, accepted, added] = await changes(page).allInnerTexts();
    expect(newest).toMatch(
      /^“first key” \(API key\) changed the suite.*Pass threshold 80\.0 % → 70\.0 %\s+weaker/s,
    );
    expect(accepted).toMatch(/^“first key” \(API key\) accepted run_….{7} as the baseline/);
    expect(added).toMatch(/^“first key” \(API key\) added 8 cases plain-3, plain-2, plain-1 and 5 more/);
    const accept = changes(page).filter({ hasText: 'accepted' }).getByRole('link');
    expect(await accept.getAttribute('href')).toBe(`/app/runs/${seeded.cleared}`);
    expect(dashboard.asked().sort()).toEqual([
      `/v1/projects/${seeded.project}/suites/${seeded.suite}`,
      `/v1/suites/${seeded.suiteId}/baselines`,
      `/v1/suites/${seeded.suiteId}/changes`,
      '/v1/whoami',
    ]);
    await expectAccessible(page);
  });

  test('a push is a few lines: equal changes of cases share one, and lines after the fifth are folded', async () => {
    const keys = Array.from({ length: 7 }, (_, index) => `case-${index}`);
    const project = `/v1/projects/${seeded.project}`;
    const push = (threshold: number, own: number) => {
      const cases = keys.map((key, index) => ({
        key,
        name: key,
        scorer: 'exact',
        input: {},
        expected: key,
        threshold: threshold + own * index,
      }));
      const scorers = { exact: { type: 'exact_match', config: {} } };
      const definition = { version: 1, suite: 'pushed', scorers, cases };
      return account.client('PUT', `${project}/suites/pushed/definition`, { definition, allow_weaker: true });
    };
    for (const [threshold, own] of [
      [0.5, 0],
      [0.6, 0],
      [0.6, 0.05],
    ] as const)
      await push(threshold, own);
    const page = await dashboard.signIn(account.key, `/app/p/${seeded.project}/s/pushed/history`);
    const [each, all, first] = await changes(page).allInnerTexts();
    expect(first).toMatch(
      /pushed the suite.*added 7 cases case-0, case-1, case-2 and 4 more\s+added scorer exact/s,
    );
    expect(all).toMatch(/pushed the suite.*changed 7 cases .*: Threshold 0\.5 → 0\.6\s+stricter/s);
    expect(each).toMatch(/case-5: Threshold 0\.6 → 0\.85\s+stricter\s+1 more line$/s);
    const folded = changes(page).getByText('case-6', { exact: true });
    expect(await folded.isVisible()).toBe(false);
    await changes(page).getByText('1 more line').click();
    await folded.waitFor();
    await expectAccessible(page);
  });

  test('gates, tags and inputs are named in the words of forms, and weaker is of another colour than stricter', async () => {
    const project = `/v1/projects/${seeded.project}`;
    const own = await makeSuite(
      account.client,
      { slug: seeded.project },
      { gates: { max_newly_failing: 1 } },
    );
    const scorer = await makeScorer(account.client, { slug: seeded.project });
    const { id } = await makeCase(account.client, own, scorer, { key: 'one', expected: 'x', tags: ['eu'] });
    const gates = { max_newly_failing: 0, tags: [{ tag: 'eu', pass_threshold: 0.8 }] };
    await account.client('PATCH', `${project}/suites/${own.slug}`, { gates });
    await account.client('PATCH', `/v1/cases/${id}`, {
      tags: ['eu', 'policy'],
      input: { question: 'Is it "so"?' },
    });
    await account.client('PATCH', `/v1/cases/${id}`, { is_active: false });
    const page = await dashboard.signIn(account.key, `/app/p/${seeded.project}/s/${own.slug}/history`);
    const [inactive, edited, stricter] = await changes(page).allInnerTexts();
    expect(stricter).toMatch(
      /Newly failing cases at most 1 → at most 0, Tag eu none → at least 80\.0 %\s+stricter/,
    );
    expect(edited).toMatch(/changed case one: .*Tags eu → eu, policy/);
    expect(edited).toContain('→ Is it "so"?');
    expect(edited).not.toMatch(/[[\]{}\\]/);
    expect(inactive).toMatch(/Active yes → no\s+weaker/);
    const toneOf = (word: string) => changes(page).locator('.state', { hasText: word }).getAttribute('class');
    expect([await toneOf('weaker'), await toneOf('stricter')]).toEqual(['state is-doubt', 'state is-good']);
    await expectAccessible(page);
  });

  test('shows what differs from a bar that judged, on a tab of its own', async () => {
    const page = await dashboard.signIn(account.key, path);
    await page.getByRole('link', { name: 'Bars that judged' }).click();
    await page.getByRole('button', { name: 'Compare with now' }).first().click();
    await page.getByRole('dialog').getByText('Pass threshold 80.0 % → 70.0 % weaker').waitFor();
  });

  test('another run is accepted as the baseline, and the baseline is removed after a question', async () => {
    const page = await dashboard.signIn(account.key, `${path}?tab=baselines`);
    await page.getByRole('button', { name: 'Accept runs' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('a-long-name').waitFor();
    for (const width of Object.values(WIDTHS)) {
      await page.setViewportSize({ width, height: 900 });
      expect(await dialog.evaluate(cutIn)).toEqual([]);
    }
    await dialog.getByRole('checkbox', { name: /aborted.*#417/ }).check();
    await dialog.getByLabel('Why').fill('Released as 2.3.0');
    const verb = dialog.getByRole('button', { name: 'Accept', exact: true });
    expect(await verb.isDisabled()).toBe(true);
    const which = dialog.getByLabel('Which gate compares runs with it?');
    await which.selectOption('none');
    await dialog.getByText('The baseline blocks nothing').waitFor();
    await which.selectOption('regression');
    await verb.click();
    const current = page.getByRole('row', { name: /current.*Released as 2\.3\.0/s });
    await current.waitFor();
    const { gates } = (await account.client('GET', `/v1/projects/${seeded.project}/suites/${seeded.suite}`))
      .body.data;
    expect(gates).toEqual({ regression: { alpha: 0.05, min_drop: 0.02 } });
    expect(await current.getByRole('link').getAttribute('href')).toBe(`/app/runs/${seeded.aborted}`);
    await page.getByRole('button', { name: 'Remove the baseline' }).click();
    expect(await dialog.innerText()).toContain('Gates on the comparison are inconclusive then');
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await current.getByText('current').waitFor({ state: 'detached' });
    expect((await account.client('GET', `/v1/suites/${seeded.suiteId}/baseline`)).status).toBe(404);
  });

  test('a run that no baseline is made of is grey and states why, alone or beside the one that is chosen', async () => {
    const own = await makeSuite(account.client, { slug: seeded.project }, { gates: { min_judged_cases: 1 } });
    const scorer = await makeScorer(account.client, { slug: seeded.project });
    await makeCase(account.client, own, scorer, { key: 'one', expected: 'x' });
    const run = () => account.client('POST', '/v1/run', { suite: own.slug, output: 'x' });
    await run();
    await account.client('PATCH', `/v1/projects/${seeded.project}/suites/${own.slug}`, {
      gates: { min_judged_cases: 2 },
    });
    await run();
    await account.client('PATCH', `/v1/projects/${seeded.project}/suites/${own.slug}`, { gates: {} });
    await run();
    const page = await dashboard.signIn(
      account.key,
      `/app/p/${seeded.project}/s/${own.slug}/history?tab=baselines`,
    );
    await page.getByRole('button', { name: 'Accept runs' }).click();
    await page.getByRole('dialog').getByText('inconclusive: run it again').waitFor();
    const boxes = page.getByRole('dialog').getByRole('group', { name: 'Runs' }).getByRole('checkbox');
    const [newest, inconclusive, oldest] = await boxes.all();
    const states = () => Promise.all([newest, inconclusive, oldest].map((box) => box?.isDisabled()));
    expect(await states()).toEqual([false, true, false]);
    await newest?.check();
    await page.getByRole('dialog').getByText('judged by another bar than the chosen one').waitFor();
    expect(await states()).toEqual([false, true, true]);
    await expectAccessible(page);
  });

  test('waivers are on a tab of their own, each with its run, its reason and its end', async () => {
    const expires_at = new Date(Date.now() + DAY_MS).toISOString();
    const waiver = { reason: 'Approved by Ada: the new tone is wanted.', expires_at };
    const own = await makeSuite(account.client, { slug: seeded.project }, { pass_threshold: 1 });
    const scorer = await makeScorer(account.client, { slug: seeded.project });
    for (const name of ['one', 'two'])
      await makeCase(account.client, own, scorer, { key: name, expected: 'x' });
    const outputs = [
      { case: 'one', output: 'x' },
      { case: 'two', output: 'y' },
    ];
    const run = (await account.client('POST', '/v1/run', { suite: own.slug, outputs })).body.id;
    await account.client('POST', `/v1/runs/${run}/waiver`, waiver);
    const page = await dashboard.signIn(account.key, `/app/p/${seeded.project}/s/${own.slug}/history`);
    expect((await changes(page).allInnerTexts())[0]).toContain(
      `waived run_…${run.slice(-7)}: ${waiver.reason}`,
    );
    await page.getByRole('link', { name: 'Waivers' }).click();
    const row = page.getByRole('row', { name: /waived.*Approved by Ada/s });
    expect(await row.getByRole('link').getAttribute('href')).toBe(`/app/runs/${run}`);
    await expectAccessible(page);
  });

  test('a key that reads is shown no changes, and asks for none', async () => {
    const { key } = await newKey(account, { scope: 'read' });
    const page = await dashboard.signIn(key, path);
    await page.getByText('Keys of scope full see').waitFor();
    await page.getByRole('link', { name: 'Bars that judged' }).click();
    await page.getByRole('table', { name: 'Bars' }).waitFor();
    await page.getByRole('link', { name: 'Baselines' }).click();
    await page.getByRole('table', { name: 'Baselines' }).waitFor();
    expect(await page.getByRole('button', { name: 'Accept runs' }).count()).toBe(0);
    expect(dashboard.asked().filter((asked) => asked.endsWith('/changes'))).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { eventually } from '../../support/service.ts';
import { type Account, expectAccessible, newAccount, newKey, useDashboard } from './support/dashboard.ts';
import { type Seeded, seedMany, seedNewly, seedRuns } from './support/seed.ts';

describeInBrowser("a run's page", () => {
  const dashboard = useDashboard();
  let account: Account;
  let seeded: Seeded;
  beforeAll(async () => {
    account = await newAccount();
    seeded = await seedRuns(account.client);
  });

  const openRun = (query = '', run = seeded.aborted): Promise<Page> =>
    dashboard.signIn(account.key, `/app/runs/${run}${query}`);
  const cases = (page: Page) => page.locator('button.case').allInnerTexts();
  const queryOf = (page: Page): string => new URL(page.url()).search;

  test('states first what decided and what would flip it, then shows the gravest case with its texts', async () => {
    const page = await openRun();
    const verdict = page.getByRole('region', { name: 'Verdict' });
    expect(await verdict.locator('.verdict-headline').innerText()).toMatch(
      /^aborted\s+pass rate 37\.5 % < 80\.0 %$/,
    );
    expect(await verdict.locator('.newly').innerText()).toMatch(
      /^4 newly failing\s+refund-window\s+invoice\s+blank\s+and 1 more$/,
    );
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Returns, #417 at 8f2c1aa');
    const actions = page.locator('.heading .actions').locator('.button, button:not(.quiet)');
    expect(await actions.filter({ visible: true }).allInnerTexts()).toEqual([
      'Compare with the baseline',
      'Accept as baseline',
    ]);
    await verdict.getByText('by chance alone that happens in').waitFor();
    expect(await verdict.locator('.facts').innerText()).toContain(
      'more cases that pass would have it cleared, such as refund-window',
    );
    expect(await verdict.locator('.gates').innerText()).toMatch(
      /Pass rate pass_rate\s+37\.5 % < 80\.0 %\s+failed\s+Cases that must pass must_pass\s+1 case that must pass did not: refund-window/,
    );
    expect(await page.getByText('aborted').count()).toBe(1);
    expect(await cases(page)).toEqual(['refund-window', 'invoice', 'blank', 'tools', 'unjudged']);
    await page.getByText('How long may I keep it?').waitFor();
    expect(await page.locator('.detail del').allInnerTexts()).toEqual(['30']);
    expect(await page.locator('.detail ins').allInnerTexts()).toEqual(['14']);
    expect(
      await page
        .getByRole('row', { name: /refund-window/ })
        .first()
        .innerText(),
    ).toMatch(/^newly failing\s+refund-window.*must pass/s);
    expect(dashboard.asked().sort()).toEqual(
      [
        `/v1/runs/${seeded.aborted}`,
        `/v1/runs/${seeded.aborted}/comparison`,
        `/v1/runs/${seeded.aborted}/results`,
        '/v1/whoami',
      ].sort(),
    );
    await expectAccessible(page);
  });

  test('shows JSON by its fields, invisible characters as pictures, and calls of tools with their faults', async () => {
    const page = await openRun('?case=invoice');
    const fields = page.getByRole('table', { name: 'Fields that differ' });
    await fields.waitFor();
    expect(await fields.locator('tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/^total\s+178\.5\s+"178\.50"$/),
    ]);
    await page.getByRole('button', { name: 'blank' }).click();
    await page.getByText('They differ only in what the eye does not see').waitFor();
    expect(await page.locator('.detail ins').allInnerTexts()).toEqual(['⟨U+00A0⟩', '·']);
    await page.getByRole('button', { name: 'tools' }).click();
    await page.locator('ol.calls').first().waitFor();
    expect(await page.locator('.calls li').allInnerTexts()).toEqual([
      'lookup',
      'refund missing',
      'lookup {"order":"A1) → refund({})"}',
      expect.stringMatching(/^delete_account … forbidden/),
    ]);
    await page.getByRole('button', { name: 'unjudged' }).click();
    await page.getByText('It is the suite’s doing').waitFor();
    await expectAccessible(page);
  });

  test('a link opens its case whatever is filtered, and the page states where it lies outside; Back undoes a step', async () => {
    const page = await openRun('?case=plain-2&q=refund-w');
    await page.getByText('The case of the link is not among the results below').waitFor();
    await page.getByText('Answer 2.').first().waitFor();
    expect(await cases(page)).toEqual(['plain-2', 'refund-window']);
    await page.getByRole('link', { name: /^Passed/ }).click();
    await page.getByText('No result matches.').waitFor();
    await page.goBack();
    await page.getByText('The case of the link is not among the results below').waitFor();
    await page.goto(`${dashboard.url}/app/runs/${seeded.aborted}?case=none`);
    await page.getByText('This run has no case').waitFor();
  });

  test('filter, search, tag, order and case stand in the address, which gives the same view in a fresh session', async () => {
    const page = await openRun();
    await page.getByRole('link', { name: 'json' }).click();
    await page.getByLabel('Search names').fill('TOTAL');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=TOTAL/);
    await page.getByLabel('Order').selectOption('score');
    await page.getByRole('button', { name: 'invoice' }).click();
    expect(queryOf(page)).toBe('?tag=json&q=TOTAL&sort=score&case=invoice');
    await dashboard.settle();
    const text = await page.locator('.results').innerText();
    const query = queryOf(page);
    await page.context().clearCookies();
    await openRun(query);
    expect(await page.locator('.results').innerText()).toBe(text);
    await page.getByText('Details', { exact: true }).click();
    expect(await page.getByText(/^evalgate api GET/).innerText()).toBe(
      `evalgate api GET '/v1/runs/${seeded.aborted}/results?outcome=failed&q=TOTAL&tag=json&sort=score'`,
    );
  });

  test('heading, gate and list agree on how many cases newly fail, those included that are unjudged', async () => {
    const { client, key } = await newAccount();
    const project = await makeProject(client);
    const own = await makeSuite(client, project, { gates: { max_newly_failing: 0 } });
    const scorer = await makeScorer(client, project);
    for (const name of ['wrong', 'silent', 'good'])
      await makeCase(client, own, scorer, { key: name, expected: name, tags: [`of-${name}`] });
    const run = async (outputs: readonly object[]): Promise<string> =>
      (await client('POST', '/v1/run', { suite: own.slug, outputs })).body.id;
    const good = { case: 'good', output: 'good' };
    const all = [{ case: 'wrong', output: 'wrong' }, { case: 'silent', output: 'silent' }, good];
    await client('POST', `/v1/suites/${own.id}/baselines`, { run_ids: [await run(all)] });
    const aborted = await run([
      { case: 'wrong', output: 'no' },
      { case: 'silent', error: 'no answer' },
      good,
    ]);
    const page = await dashboard.signIn(key, `/app/runs/${aborted}`);
    expect(await page.locator('.newly').innerText()).toMatch(
      /^1 newly failing\s+wrong\s+1 newly unjudged\s+silent$/,
    );
    expect(await page.locator('.gates').innerText()).toContain(
      '2 cases newly failing or unjudged, 0 allowed: wrong, silent',
    );
    const results = page.getByRole('navigation', { name: 'Results' });
    expect((await results.innerText()).split(/\s*\n\s*/)).toEqual([
      'Not passed 2',
      'Passed 1',
      'of those not passed',
      '1 unjudged',
    ]);
    await results.getByRole('link', { name: '1 unjudged' }).click();
    await dashboard.settle();
    expect(await cases(page)).toEqual(['silent']);
    await expectAccessible(page);
  });

  test('the list is narrowed to a tag, and the tags of other cases stay to be chosen', async () => {
    const page = await openRun();
    const tag = page.getByLabel('Tag');
    const tags = ['Tag: all', 'json', 'policy', 'tone'];
    expect(await tag.locator('option').allInnerTexts()).toEqual(tags);
    await tag.selectOption('json');
    await dashboard.settle();
    expect(await cases(page)).toEqual(['invoice']);
    expect(await tag.locator('option').allInnerTexts()).toEqual(tags);
    await tag.selectOption('');
    await page.getByRole('button', { name: 'blank' }).waitFor();
    expect(queryOf(page)).toBe('');
  });

  test('a case whose judge has no key of its provider leads to the keys', async () => {
    const { client, key } = await newAccount();
    const project = await makeProject(client);
    const suite = await makeSuite(client, project);
    const config = { _provider: 'openai', rubric: 'Friendly.' };
    const judge = await makeScorer(client, project, { type: 'llm_judge', config });
    await makeCase(client, suite, judge, { key: 'tone', name: 'Tone' });
    const { body } = await client('POST', '/v1/run', {
      suite: suite.slug,
      project: project.slug,
      output: 'Hi.',
    });
    const page = await dashboard.signIn(key, `/app/runs/${body.id}`);
    await page.getByRole('link', { name: 'Keys of providers' }).click();
    await page.getByRole('heading', { name: 'Provider keys' }).waitFor();
  });

  test('a call that is out of order is shown beside the expected ones, with the call that it came before', async () => {
    const outputs = [
      { case: 'tools', output: 'Done.', trace: ['refund', 'lookup'].map((tool) => ({ type: 'call', tool })) },
    ];
    const { body } = await account.client('POST', '/v1/run', { suite: seeded.suite, outputs });
    const page = await openRun('?case=tools', body.id);
    await page.getByText('Expected calls, in this order').waitFor();
    const calls = (await page.locator('.calls').last().innerText()).replace(/\s+/g, ' ');
    expect(calls).toMatch(
      /out of order (before|after) (refund|lookup) \(call \d\), but expected (before|after) it/,
    );
  });

  test('newly failing cases come first of more failures than a page holds, and the first one is open and named', async () => {
    const { aborted } = await seedNewly(account.client, seeded.project);
    const page = await openRun('', aborted);
    expect((await cases(page)).slice(0, 3)).toEqual(['last-1', 'last-2', 'old-0']);
    expect(await page.getByRole('button', { name: 'last-1' }).getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator('.newly').innerText()).toMatch(/^2 newly failing\s+last-1\s+last-2$/);
    expect(await page.getByRole('row', { name: /old-0/ }).innerText()).toMatch(/^failed before/);
    await page.setViewportSize({ width: 390, height: 844 });
    const question = await page.locator('.detail').first().boundingBox();
    expect(question?.y).toBeLessThan(844);
  });

  test('a link brings its case into sight, the focus stays, and the keys go on from it', async () => {
    const { aborted } = await seedNewly(account.client, seeded.project);
    const page = await openRun('?case=old-80', aborted);
    const linked = page.getByRole('button', { name: 'old-80' });
    await page.waitForFunction('scrollY > 1_000');
    expect((await linked.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    expect((await linked.boundingBox())?.y).toBeLessThan(100);
    expect(await page.evaluate('document.activeElement.localName')).toBe('body');
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.dataset.key')).toBe('old-81');
  });

  test('Back leads to where the list was left', async () => {
    const { aborted } = await seedNewly(account.client, seeded.project);
    const page = await openRun('?case=old-80', aborted);
    const like = page.getByRole('link', { name: 'Duplicate as a new case' });
    await like.waitFor();
    await page.evaluate('scrollBy(0, -150)');
    const left = await page.evaluate<number>('scrollY');
    expect(left).toBeGreaterThan(1_000);
    await like.click();
    await page.getByRole('button', { name: 'Add case' }).waitFor();
    expect(await page.evaluate('scrollY')).toBeLessThan(left);
    await page.goBack();
    await page.waitForFunction(`scrollY === ${left}`);
  });

  test('a run is accepted as the baseline where it is looked at, with the gate that compares', async () => {
    const suite = await makeSuite(account.client, { slug: seeded.project }, { name: 'To accept' });
    const scorer = await makeScorer(account.client, { slug: seeded.project }, { name: 'To accept' });
    await makeCase(account.client, suite, scorer, { key: 'one', expected: 'Hello' });
    const { id } = (await account.client('POST', '/v1/run', { suite: suite.slug, output: 'Hello' })).body;
    const page = await openRun('', id);
    await page.getByRole('button', { name: 'Accept as baseline' }).click();
    const dialog = page.getByRole('dialog', { name: 'Accept this run as the baseline' });
    await dialog.getByLabel('Which gate compares runs with it?').selectOption('newly');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByRole('link', { name: 'the suite’s baselines' }).waitFor();
    const { data } = (await account.client('GET', `/v1/projects/${seeded.project}/suites/${suite.slug}`))
      .body;
    expect(data).toMatchObject({ gates: { max_newly_failing: 0 }, keep_outputs: 'all' });
    const baseline = (await account.client('GET', `/v1/suites/${suite.id}/baseline`)).body.data;
    expect(baseline.run_ids).toEqual([id]);
  });

  test('passed results are behind those that did not pass', async () => {
    const page = await openRun();
    await page.getByRole('link', { name: '3 passed' }).click();
    await page.getByRole('button', { name: 'plain-3' }).waitFor();
  });

  test('keys move, open, compare, copy, search and list themselves; they can be switched off', async () => {
    const page = await openRun();
    for (const key of ['j', 'j', 'j', 'k', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL(/case=invoice/);
    await page.keyboard.press('c');
    const link = `${dashboard.url}/app/runs/${seeded.aborted}?case=invoice`;
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
    await page.keyboard.press('d');
    await page.getByText('{"total":178.5,"currency":"EUR"}').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('j?');
    expect(await page.getByLabel('Search names').inputValue()).toBe('j?');
    await page.getByLabel('Search names').fill('');
    await page.locator('h1').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByLabel('Shortcuts are on').uncheck();
    await page.keyboard.press('Escape');
    await page.locator('h1').focus();
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.localName')).toBe('h1');
  });

  test('downloads the filtered results only', async () => {
    const page = await openRun('?tag=policy');
    const files: string[] = [];
    for (const name of ['JSONL', 'CSV']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ]);
      files.push(readFileSync(await download.path(), 'utf8'));
    }
    const [lines = '', table = ''] = files;
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).key),
    ).toEqual(['refund-window']);
    expect(table).toMatch(/^\ufeffkey,case,state,.*\r\nrefund-window,The case refund-window,failed,0,0\.5,/);
  });

  test('of a cleared run downloads its signed statement, and of another one offers none', async () => {
    const page = await openRun('', seeded.cleared);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download statement' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${seeded.cleared}.statement.json`);
    const { dsseEnvelope } = JSON.parse(readFileSync(await download.path(), 'utf8'));
    expect(String(Buffer.from(dsseEnvelope.payload, 'base64'))).toContain(seeded.cleared);
    await openRun();
    await page.getByRole('button', { name: 'Export CSV' }).waitFor();
    expect(await page.getByRole('button', { name: 'Download statement' }).count()).toBe(0);
  });

  test('where it comes from is a link only where its parts are those of GitHub, and is marked as not checked; the run’s id is there to copy', async () => {
    const page = await openRun();
    const links = page.locator('.provenance a');
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      'https://github.com/octo/support-bot',
      'https://github.com/octo/support-bot/commit/8f2c1aa9b0d1e2f3',
      'https://github.com/octo/support-bot/pull/417',
    ]);
    expect(await page.locator('.provenance').innerText()).toContain('Commit (not verified)\n8f2c1aa');
    await page.locator('.provenance').getByText(seeded.aborted, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy id' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(seeded.aborted);
  });

  test('a run without a verdict is looked at again until it has one', async () => {
    const page = await dashboard.signIn(account.key);
    const path = `/v1/runs/${seeded.aborted}`;
    const { data } = (await account.client('GET', path)).body;
    const pending = { ...data, status: 'pending', verdict: null, comparison: null };
    let looks = 0;
    await page.clock.install();
    await page.route(`**${path}`, (route) => {
      looks += 1;
      return looks < 3 ? route.fulfill({ json: { data: pending } }) : route.continue();
    });
    await page.goto(`${dashboard.url}/app/runs/${seeded.aborted}`);
    await page.getByText('there is no verdict yet').waitFor();
    for (const pauseMs of [2_000, 3_000]) {
      const before = looks;
      await page.clock.runFor(pauseMs);
      await eventually(() => looks > before);
    }
    await page.getByText('pass rate 37.5 % < 80.0 %').waitFor();
    await page.getByRole('button', { name: 'refund-window' }).waitFor();
  });

  test('an aborted run is waived for a while, and the waiver revoked', async () => {
    expect(await (await openRun()).getByRole('button', { name: 'Waive' }).count()).toBe(0);
    const outputs = [{ case: 'refund-window', output: 'You can return it within 30 days.' }];
    const { body } = await account.client('POST', '/v1/run', { suite: seeded.suite, outputs });
    const page = dashboard.page();
    await page.goto(`${dashboard.url}/app/runs/${body.id}`);
    await page.getByRole('button', { name: 'Waive' }).click();
    await page.getByLabel('Why').fill('Ada: wanted until Monday');
    await page.getByRole('dialog').getByRole('button', { name: 'Waive' }).click();
    await page.locator('.notice').getByText('Ada: wanted until Monday').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Revoke the waiver' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Waive' }).waitFor();
  });

  test('an output is accepted as what its case expects: as text or JSON, as before, and never rounded', async () => {
    dashboard.expectLine(/400/);
    const { client } = account;
    const suite = await makeSuite(client, { slug: seeded.project }, { name: 'Accepted' });
    const scorer = await makeScorer(client, { slug: seeded.project });
    const texts = [
      ['json', { id: 1 }, '{"id": 2}', { id: 2 }],
      ['text', '{"id": 1}', '{"id": 2}', '{"id": 2}'],
      ['large', { id: 1 }, '{"id": 12345678901234567890}', { id: 1 }],
    ] as const;
    const made: Record<string, string> = {};
    for (const [key, expected] of texts)
      made[key] = (await makeCase(client, suite, scorer, { key, name: key, expected })).id;
    const outputs = texts.map(([key, , output]) => ({ case: key, output }));
    const { id } = (await client('POST', '/v1/run', { suite: suite.slug, outputs })).body;
    for (const [key, , , wanted] of texts) {
      const page = await openRun(`?case=${key}`, id);
      await page.getByRole('button', { name: 'Update expected' }).click();
      await page.getByRole('button', { name: 'Update', exact: true }).click();
      if (key === 'large') await page.getByText('would be rounded to 12345678901234567000').waitFor();
      else await page.getByRole('dialog').waitFor({ state: 'detached' });
      const found = (await client('GET', `/v1/cases/${made[key]}`)).body.data;
      expect([key, found.expected]).toEqual([key, wanted]);
    }
  });

  test('after an update of a pushed suite the page names the command that brings it to the file, to be copied', async () => {
    const { client } = account;
    const cases = [{ key: 'filed', name: 'Filed', scorer: 'exact', input: {}, expected: 'yes' }];
    const scorers = { exact: { type: 'exact_match', config: {} } };
    const definition = { version: 1, suite: 'filed', keep_outputs: 'all', scorers, cases };
    const source = { repository: 'octo/support-bot' };
    await client('PUT', `/v1/projects/${seeded.project}/suites/filed/definition`, { definition, source });
    const outputs = [{ case: 'filed', output: 'Yes.' }];
    const { id } = (await client('POST', '/v1/run', { suite: 'filed', outputs })).body;
    const page = await openRun('?case=filed', id);
    await page.getByRole('button', { name: 'Update expected' }).click();
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await page.getByText('Changed here.').waitFor();
    await page.locator('.notice').getByRole('button', { name: 'Copy command' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('evalgate pull filed');
    await expectAccessible(page);
  });

  test('a dialog about a run is gone with its page, and asks of no other run', async () => {
    const aborted = async (rest: string): Promise<string> => {
      const outputs = [{ case: 'refund-window', output: 'You can return it within 30 days.' }];
      const body = { suite: seeded.suite, outputs: [...outputs, { case: 'blank', output: rest }] };
      return (await account.client('POST', '/v1/run', body)).body.id;
    };
    const [before, latest] = [await aborted('Hi.'), await aborted('Hey.')];
    const page = await openRun('', before);
    await page.getByRole('button', { name: 'Waive' }).waitFor();
    await page.getByRole('link', { name: 'evalgate' }).click();
    await page.getByTitle(latest).click();
    await page.getByRole('button', { name: 'Waive' }).click();
    await page.evaluate('history.go(-2)');
    await page.waitForURL(`**/runs/${before}`);
    await page.getByRole('button', { name: 'Waive' }).first().waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('a page behind the last one states that it is empty, and nothing of the verdict', async () => {
    const page = await openRun('?page=9');
    await page.getByText('Nothing is on this page.').waitFor();
    expect(await page.getByRole('main').innerText()).not.toContain('Every case passed');
    await page.getByRole('link', { name: 'The first page' }).click();
    await page.getByRole('button', { name: 'invoice' }).waitFor();
  });

  test('a cleared run is shown as such, without a failure', async () => {
    const page = await openRun('', seeded.cleared);
    await page.locator('.verdict-headline').getByText('cleared').waitFor();
    await page.getByText('unjudged').first().waitFor();
  });

  test('a run that a key may not see, or that never was, has a page with the way back', async () => {
    dashboard.expectLine(/404/);
    const stranger = await newAccount('Strangers');
    const page = await dashboard.signIn(stranger.key);
    for (const run of [seeded.aborted, 'run_never']) {
      const answer = await page.goto(`${dashboard.url}/app/runs/${run}`);
      expect(answer?.status()).toBe(200);
      await page.getByRole('heading', { name: 'No such run' }).waitFor();
      await page.getByRole('link', { name: 'Go to the projects' }).waitFor();
    }
  });

  test('a result leads to a new case like its own', async () => {
    const page = await openRun('?case=blank');
    await page.getByRole('link', { name: 'Duplicate as a new case' }).click();
    await page.getByRole('button', { name: 'Add case' }).waitFor();
    expect(page.url()).toBe(`${dashboard.url}/app/p/${seeded.project}/s/${seeded.suite}/cases?like=blank`);
    expect(await page.getByRole('textbox', { name: 'Expected' }).inputValue()).toBe('Hello there.');
  });

  test('a key of scope read sees the run, and is offered no change', async () => {
    const { key } = await newKey(account, { scope: 'read' });
    const page = await dashboard.signIn(key);
    await page.goto(`${dashboard.url}/app/runs/${seeded.aborted}`);
    await page.getByRole('button', { name: 'refund-window' }).waitFor();
    for (const change of ['Waive', 'Accept as baseline', 'Update expected', 'Duplicate as a new case'])
      expect(await page.getByText(change).count()).toBe(0);
  });

  test('hundreds of failures are pages of 100 with at most 2,000 elements; equal reasons are one line', async () => {
    const run = await seedMany(account.client, seeded.project);
    const page = await openRun('', run);
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThanOrEqual(2_000);
    await page.getByRole('link', { name: 'Last' }).click();
    await page.getByText('201–250 of 250 results').waitFor();
    await page.getByRole('button', { name: '50 cases' }).click();
    await page.getByRole('button', { name: 'silent-249' }).waitFor();
  });
});

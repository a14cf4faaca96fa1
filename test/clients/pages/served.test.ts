import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { PAGE_FILES } from '../../../clients/pages/files.ts';
import { PAGE_HEADERS } from '../../../clients/pages/headers.ts';
import { errorEnvelopeSchema } from '../../../shared/contracts/base/errors.ts';
import { hasPath } from '../../../shared/contracts/base/methods.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { sharedServiceUrl } from '../../support/api.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { openBrowser } from '../../support/chromium.ts';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';

const url = sharedServiceUrl();

const bytesOf = (page: (typeof PAGE_FILES)[number]): Buffer =>
  'file' in page
    ? readFileSync(path.join(REPOSITORY_DIR, 'clients/pages', page.file))
    : execFileSync(NODE, [path.join(REPOSITORY_DIR, page.madeBy)], { maxBuffer: 50_000_000 });

describe.each(PAGE_FILES)('$path', (page) => {
  const { path: servedAt, type } = page;

  test('is served as it is here, to anybody, with the headers of pages', async () => {
    const answer = await fetch(url + servedAt);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({ ...PAGE_HEADERS, 'content-type': type });
    expect(bytesOf(page).equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  });

  test('answers HEAD without a body, and is no page under another method', async () => {
    const head = await fetch(url + servedAt, { method: 'HEAD' });
    expect({ status: head.status, body: await head.text() }).toEqual({ status: 200, body: '' });
    const post = await fetch(url + servedAt, { method: 'POST' });
    expect({ status: post.status, code: errorEnvelopeSchema.parse(await post.json()).error.code }).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    });
  });

  test('is the path of no endpoint', () => {
    const segments = servedAt.split('/').slice(1);
    expect(contracts.filter((contract) => hasPath(contract, segments))).toEqual([]);
  });
});

describe('the policy of pages', () => {
  test('allows a style sheet and a script of the service and nothing else', () => {
    const rules = PAGE_HEADERS['content-security-policy'].split('; ');
    expect(rules).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
  });
});

const AXE = readFileSync(path.join(REPOSITORY_DIR, 'node_modules/axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

describeInBrowser('/docs in a browser', () => {
  let browser: BrowserContext;
  let page: Page;
  const asked: string[] = [];
  const errors: string[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${url}/docs`);
  });
  afterAll(async () => {
    await browser.close();
  });

  test('loads everything from its own origin, and nothing of it is refused', () => {
    const others = asked.filter((one) => !one.startsWith(`${url}/`) && !one.startsWith('data:'));
    expect({ others, errors }).toEqual({ others: [], errors: [] });
    expect(asked).toContain(`${url}/docs.css`);
  });

  test.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)(
    'has no violation of accessibility rules, %s at %i px, and no sideways scroll',
    async (scheme, width) => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(AXE);
      const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] });
      const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults;
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      const isWider = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect(isWider).toBe(false);
    },
  );

  test('the search leaves the operations whose method, path and summary have all words, and Enter opens the first', async () => {
    await page.goto(`${url}/docs`);
    const entries = page.getByRole('navigation').getByRole('listitem');
    const all = await entries.count();
    const search = page.getByRole('searchbox', { name: 'Search the contents' });
    await search.fill('POST /v1/run run');
    await page.getByText(/^\d+ found$/).waitFor();
    const texts = await entries.allInnerTexts();
    expect(texts.length).toBeLessThan(all);
    for (const text of texts) expect(text).toMatch(/POST \/v1\/run/);
    await search.fill('no such thing');
    await page.getByText('No entry has these words.').waitFor();
    await search.fill('whoami');
    await search.press('Enter');
    expect(await page.locator(':target').innerText()).toContain('/v1/whoami');
    await search.fill('');
    expect(await entries.count()).toBe(all);
  });

  test('the guides have no violation of accessibility rules, and no sideways scroll on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`${url}/guides#dashboard`);
    await page.evaluate(AXE);
    const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] });
    const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults;
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(errors).toEqual([]);
  });

  test('an operation is reached by its anchor', async () => {
    await page.goto(`${url}/docs#runs.create`);
    expect(await page.locator(':target').innerText()).toContain('/v1/run');
  });
});

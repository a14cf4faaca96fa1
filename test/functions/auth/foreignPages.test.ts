import { readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import { openBrowser } from '../../support/chromium.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { type TokenKey, tokenKeys } from '../../support/tokenKeys.ts';
import { newOrganisation, type Organisation } from '../apiKeys/organisation.ts';

const SCRIPT = path.join(import.meta.dirname, 'foreignPage.mjs');

describeInBrowser('a page of another origin', () => {
  const { folder, keys } = tokenKeys(1);
  let service: OwnService;
  let organisation: Organisation;
  let browser: BrowserContext;
  let own: Page;
  let stranger: Server;
  let port: number;
  const cookiesSent: string[] = [];
  beforeAll(async () => {
    service = await startOwnService({ TOKEN_KEY_FILES: (keys as [TokenKey])[0].file });
    organisation = await newOrganisation(service);
    stranger = createServer(({ headers }, response) => {
      cookiesSent.push(headers.cookie ?? '');
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>x</title><body>');
    });
    await new Promise<void>((resolve) => stranger.listen(0, () => resolve()));
    ({ port } = stranger.address() as AddressInfo);
    browser = await openBrowser();
    own = await browser.newPage();
    await own.goto(`${service.baseUrl}/v1/templates`);
    const signedIn = await own.evaluate(async (key) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      return (await fetch('/v1/auth/session', { method: 'POST', headers, body: '{}' })).status;
    }, organisation.first.key);
    expect(signedIn).toBe(201);
  });
  afterAll(async () => {
    await browser?.close();
    stranger?.closeAllConnections();
    stranger?.close();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const statusFor = (path: string) => own.evaluate(async (asked) => (await fetch(asked)).status, path);
  const cookiesReadable = (page: Page) => page.evaluate('document.cookie');

  test('the service’s own page is answered, and reads no cookie', async () => {
    expect(await statusFor('/v1/whoami')).toBe(200);
    expect(await cookiesReadable(own)).toBe('');
  });

  test.each(['127.0.0.1', 'localhost'])('on %s reads, writes and ends nothing', async (host) => {
    const before = service.log.length;
    const page = await browser.newPage();
    await page.goto(`http://${host}:${port}/`);
    await page.addScriptTag({ content: readFileSync(SCRIPT, 'utf8') });
    expect(await page.evaluate(`tryEverything('${service.baseUrl}')`)).toEqual([]);
    expect(await cookiesReadable(page)).toBe('');
    // A link, and a window that it opens and holds on to.
    const opening = page.waitForEvent('popup');
    await page.evaluate(`void window.open('${service.baseUrl}/v1/projects')`);
    const popup = await opening;
    await popup.waitForLoadState();
    expect(await popup.evaluate('document.body.innerText')).toContain('UNAUTHORIZED');
    await page.goto(`${service.baseUrl}/v1/whoami`);
    expect(await page.evaluate('document.body.innerText')).toContain('UNAUTHORIZED');
    await Promise.all([popup.close(), page.close()]);
    const answered = service.log.slice(before).filter(({ code }) => code === 'request_completed');
    // Preflights are no route of the service.
    const refused = answered.filter(({ endpoint }) => endpoint !== 'fallback/notFound');
    expect(new Set(refused.map(({ endpoint }) => endpoint))).toEqual(
      new Set(['auth/whoami', 'projects/list', 'projects/create']),
    );
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await organisation.client('GET', '/v1/projects')).body.data).toEqual([]);
    expect(await statusFor('/v1/whoami')).toBe(200);
  });

  test('of this machine is sent the cookie by the browser, which ignores ports: so it is short-lived, and named', () => {
    expect(cookiesSent.some((sent) => sent.includes(`evalgate-${new URL(service.baseUrl).port}=`))).toBe(
      true,
    );
  });
});

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import { openBrowser } from '../../support/chromium.ts';
import { type Listening, listening } from '../../support/listening.ts';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/service.ts';

const PACK = path.join(REPOSITORY_DIR, 'clients/npm/pack.ts');
const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Asks for a suite; the answer names the suite and the credential of the request. */
const USE = `
  const { Evalgate, NotFoundError } = await import('/dist/sdk/index.js');
  const gate = new Evalgate({ url: origin, apiKey: 'egk_of-the-page', retries: 0 });
  const error = await gate.suites.getById('s-1').catch((error) => error);
  const told = [error instanceof NotFoundError, error.message];
`;

describeInBrowser('the SDK of the package in a browser', () => {
  let server: Listening;
  let browser: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    const { stdout } = spawnSync(NODE, [PACK], { maxBuffer: 50_000_000 });
    spawnSync('tar', ['-xz', '--strip-components=1'], { cwd: folder, input: stdout });
    const http = createServer((request, response) => {
      const { url = '', headers } = request;
      const isOurs = url.startsWith('/dist/') || url === '/worker.js';
      if (url === '/') return void response.setHeader('content-type', 'text/html').end('<!doctype html>');
      if (!isOurs) {
        const message = `${url} with ${headers.authorization}`;
        response.writeHead(404, { 'content-type': 'application/json' });
        return void response.end(JSON.stringify({ error: { code: 'NOT_FOUND', message } }));
      }
      response.setHeader('content-type', 'text/javascript');
      response.end(url === '/worker.js' ? `${USE} postMessage(told);` : readFileSync(path.join(folder, url)));
    });
    server = await listening(http);
    browser = await openBrowser();
    page = await browser.newPage();
    await page.goto(`${server.url}/`);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const ANSWERED = [true, expect.stringContaining('/v1/suites/s-1 with Bearer egk_of-the-page')];

  test('is imported as it is, and asks the service', async () => {
    expect(await page.evaluate(`(async () => { ${USE} return told; })()`)).toEqual(ANSWERED);
  });

  test('is imported by a worker, too', async () => {
    const inWorker = `new Promise((resolve, reject) => {
      const worker = new Worker('/worker.js', { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    })`;
    expect(await page.evaluate(inWorker)).toEqual(ANSWERED);
  });
});

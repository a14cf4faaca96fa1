import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { APP_MADE_BY, APP_PAGE, APP_PATHS, isOfApp, readApp } from '../../../clients/pages/app.ts';
import { PAGE_FILES } from '../../../clients/pages/files.ts';
import { APP_HEADERS } from '../../../clients/pages/headers.ts';
import { errorEnvelopeSchema } from '../../../shared/contracts/base/errors.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { sharedServiceUrl } from '../../support/api.ts';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';

const url = sharedServiceUrl();

const files = readApp(
  execFileSync(NODE, [path.join(REPOSITORY_DIR, APP_MADE_BY)], { maxBuffer: 50_000_000 }),
);
const pageText = String(files.find(({ path }) => path === APP_PAGE)?.body);
const assets = files.filter(({ path }) => path !== APP_PAGE);

const OF_PAGE = { ...APP_HEADERS, 'cache-control': 'no-cache', vary: 'accept-encoding' };

test.each(['/app', '/app/', '/app/runs/run_1?case=a', '/app/index.html', '/app/a/b.js'])(
  '%s is the page of the dashboard, which a browser requests each time',
  async (path) => {
    const answer = await fetch(url + path);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...OF_PAGE,
      'content-type': 'text/html; charset=utf-8',
    });
    expect(await answer.text()).toBe(pageText);
  },
);

test('all that the page loads is served as it was built, with a name by its content that is kept for ever', async () => {
  expect(assets.length).toBeGreaterThanOrEqual(2);
  for (const { path, body } of assets) {
    expect(path).toMatch(/^\/assets\/[\w.]+-[A-Z0-9]{8}\.(js|css)$/);
    const answer = await fetch(url + path);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...APP_HEADERS,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': path.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8',
    });
    expect(await answer.text()).toBe(String(body));
  }
  const loaded = [...pageText.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path);
  expect(assets.map(({ path }) => path)).toEqual(expect.arrayContaining(loaded));
});

test('files are compressed for who takes that, and only for them', async () => {
  const [{ path, body } = { path: '', body: '' }] = assets;
  for (const [accepted, coding] of [
    ['br, gzip', 'gzip'],
    ['identity', null],
    ['gzip;q=0', null],
  ] as const) {
    const answer = await fetch(url + path, { headers: { 'accept-encoding': accepted } });
    expect(answer.headers.get('content-encoding')).toBe(coding);
    // `fetch` unpacks it.
    expect(await answer.text()).toBe(String(body));
  }
});

test('/ leads to the dashboard, and /app.json states whether one may sign up and buy', async () => {
  const root = await fetch(`${url}/`, { redirect: 'manual' });
  expect([root.status, root.headers.get('location')]).toEqual([302, '/app']);
  const config = await fetch(`${url}/app.json`);
  expect(Object.fromEntries(config.headers)).toMatchObject({
    ...OF_PAGE,
    'content-type': 'application/json; charset=utf-8',
  });
  expect(await config.json()).toEqual({ sign_up: 'open', payments: 'on' });
});

test.each(['/assets/main-AAAAAAAA.js', '/assets/', '/assets/..%2findex.html', '/apple', '/v1/app', '/App'])(
  '%s is a JSON 404 that no cache keeps',
  async (path) => {
    const answer = await fetch(url + path);
    const { error } = errorEnvelopeSchema.parse(await answer.json());
    expect([answer.status, error.code, answer.headers.get('cache-control')]).toEqual([
      404,
      'NOT_FOUND',
      'no-store',
    ]);
  },
);

test.each(['/', '/app', '/app.json', '/app/runs/run_1', '/assets/main-AAAAAAAA.js'])(
  '%s takes GET and HEAD only',
  async (path) => {
    for (const method of ['POST', 'DELETE', 'OPTIONS']) {
      const answer = await fetch(url + path, { method });
      const { error } = errorEnvelopeSchema.parse(await answer.json());
      expect([answer.status, error.code, answer.headers.get('allow')]).toEqual([
        405,
        'METHOD_NOT_ALLOWED',
        'GET, HEAD',
      ]);
    }
  },
);

test('HEAD answers as GET does, without a body', async () => {
  const head = await fetch(`${url}/app`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
    200,
    'text/html; charset=utf-8',
    '',
  ]);
});

test('no endpoint and no other page has a path of the dashboard', () => {
  const others = [...contracts.map(({ path }) => path), ...PAGE_FILES.map(({ path }) => path)];
  expect(others.filter(isOfApp)).toEqual([]);
});

test('scripts, styles and requests are of the own origin only, and nothing may turn text into markup', () => {
  expect(APP_PATHS).toEqual(['/', '/app', '/app.json', '/app/*', '/assets/*']);
  expect(APP_HEADERS['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  );
});

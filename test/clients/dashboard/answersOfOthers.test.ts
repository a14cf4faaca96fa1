import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import { firstOf } from '../../support/soak.ts';
import { newKey, useDashboard } from './support/dashboard.ts';
import { addresses, type Everything, seedEverything, TEXTS } from './support/everything.ts';

const HTML = { contentType: 'text/html', body: '<h1>Welcome to the hotel</h1>' };
const json = (status: number, body: string) => ({ status, contentType: 'application/json', body });

/** What answers in the service's place, and a part of how the page says it. */
const OTHERS = {
  'the sign-in page of a network': [{ ...HTML, status: 200 }, 'sign-in page of a network'],
  'a firewall': [{ ...HTML, status: 403 }, 'firewall or a proxy'],
  'a gateway that refuses': [json(403, '{"message":"Forbidden"}'), 'firewall or a proxy'],
  'the edge of a deployment': [{ ...HTML, status: 502 }, 'answered HTTP 502'],
  'a gateway that waited too long': [
    json(504, '{"message":"Endpoint request timed out"}'),
    'answered HTTP 504',
  ],
  'a proxy that wants a sign-in': [json(401, '{"message":"Unauthorized"}'), 'answered HTTP 401'],
  'an answer that was cut': [json(200, '{"data": {"id": "run_1", "suite'), 'cannot be reached'],
  'JSON of another program': [json(200, '{"ok": true}'), 'in place of evalgate'],
  'a list of another program': [json(200, '[]'), 'in place of evalgate'],
  'no answer at all': [undefined, 'cannot be reached'],
} as const;
type Other = keyof typeof OTHERS;
const NAMES = Object.keys(OTHERS) as Other[];

async function answerAs(page: Page, other: Other, pattern: string | RegExp): Promise<void> {
  const [answer] = OTHERS[other];
  await page.route(pattern, (route) => (answer ? route.fulfill(answer) : route.abort('connectionrefused')));
}

describeInBrowser('what answers in place of the service', () => {
  const dashboard = useDashboard();
  let seeded: Everything;
  beforeAll(async () => {
    seeded = await seedEverything(TEXTS);
  });

  // The page that lets a command line in shows what `whoami` answered, and asks nothing else until a person allows it.
  const pages = addresses().filter(({ isPublic, pattern }) => !isPublic && pattern !== '/app/cli');
  /** In `npm test` each page meets one of them, and each of them one page. */
  const meetings = pages.flatMap((address, index) =>
    firstOf(
      1,
      NAMES.map((_, step) => NAMES[(index + step) % NAMES.length] as Other),
    ).map((other) => ({ address, other })),
  );

  test('is explained in words on every page, without a parse error and without ending the session', async () => {
    dashboard.expectLine(/Failed to load resource/);
    const page = await dashboard.signIn(seeded.key);
    const found: Record<string, object> = {};
    for (const { address, other } of meetings) {
      await page.unrouteAll();
      await answerAs(page, other, /\/v1\/(?!whoami)/);
      await dashboard.open(address.of(seeded));
      await dashboard.settle();
      const text = await page.locator('main').innerText();
      found[`${address.pattern}: ${other}`] = {
        isExplained: text.includes(OTHERS[other][1]),
        isRaw: /JSON|Unexpected|undefined|Welcome|page failed/.test(text),
        isSignedIn: await page.getByRole('button', { name: 'Sign out' }).isVisible(),
      };
    }
    const good = { isExplained: true, isRaw: false, isSignedIn: true };
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((meeting) => [meeting, good])));
  });

  test('is explained in words when it answers who is signed in; the page goes on when the service is back', async () => {
    dashboard.expectLine(/Failed to load resource/);
    const page = await dashboard.signIn(seeded.key);
    for (const other of NAMES) {
      await answerAs(page, other, '**/v1/whoami');
      await dashboard.open('/app/settings/usage');
      await page.getByRole('alert').getByText(OTHERS[other][1]).waitFor();
      await page.unrouteAll();
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  });

  test('a key that is revoked in a second tab ends the session at the next request; the sign-in leads back', async () => {
    dashboard.expectLine(/401/);
    const { id, key } = await newKey(seeded);
    const page = await dashboard.signIn(key);
    await dashboard.settle();
    await page.getByText(TEXTS.name).first().waitFor();
    await seeded.client('DELETE', `/v1/api-keys/${id}`);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Your session ended' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('API key').fill(seeded.key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'New API key' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/settings/keys');
  });
});

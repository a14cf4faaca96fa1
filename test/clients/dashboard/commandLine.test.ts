import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import { eventually } from '../../support/service.ts';
import { aPlace, type Place } from '../cli/cli.ts';
import { onTerminal, startOnTerminal } from '../cli/onTerminal.ts';
import { expectAccessible, useDashboard } from './support/dashboard.ts';
import { logInAt, type Persons, type SignInOrganisation, startPersons } from './support/persons.ts';

const [CHALLENGE, STATE] = ['c'.repeat(43), 's'.repeat(43)];

describeInBrowser('a person who signs in a command line', () => {
  let persons: Persons;
  let acme: SignInOrganisation;
  let place: Place;
  const dashboard = useDashboard(() => persons.url);
  beforeAll(async () => {
    persons = await startPersons();
    acme = await persons.organisation({ admins: 'full' });
    await persons.provider.person('ada', {
      subject: 'u-ada',
      claims: { name: 'Ada Lovelace', groups: ['admins'] },
    });
    place = aPlace({ EVALGATE_URL: persons.url });
  });
  afterAll(async () => {
    place.remove();
    await persons.stop();
  });

  async function signedIn(next: string): Promise<Page> {
    dashboard.expectOrigin(persons.provider.issuer);
    const page = await dashboard.open(`${acme.link}&next=${encodeURIComponent(next)}`);
    await logInAt(page, 'ada');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    return page;
  }
  /** `evalgate login`, and the page that it opens. */
  async function login(options = '') {
    const started = startOnTerminal(place, `login ${options}`);
    const address = (): string | undefined => /http:\S+\/app\/cli\?\S+/.exec(started.said())?.[0];
    await eventually(() => address() !== undefined);
    const url = new URL(address() ?? '');
    dashboard.expectOrigin(`http://127.0.0.1:${url.searchParams.get('port')}`);
    return { ...started, page: url.pathname + url.search };
  }

  onTerminal(
    'allows it in the browser; the file has a token for eight hours, is 0600, and holds no key',
    async () => {
      const started = await login();
      const page = await signedIn(started.page);
      await page.getByRole('main').getByText('Ada Lovelace', { exact: true }).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('The command line has what it needs.').waitFor();
      const { code, said } = await started.ended;
      expect({ code, said }).toEqual({
        code: 0,
        said: expect.stringContaining('as Ada Lovelace of Acme Robotics (scope full) until '),
      });
      const file = path.join(place.home, '.config/evalgate/credentials.json');
      const text = readFileSync(file, 'utf8');
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(text).not.toContain('egk_');
      const { services } = JSON.parse(text);
      expect(services).toEqual({
        [persons.url]: {
          token: expect.any(String),
          expires_at: expect.any(String),
          organisation: acme.id,
        },
      });
      const hours = (Date.parse(services[persons.url].expires_at) - Date.now()) / 3_600_000;
      expect(Math.round(hours)).toBe(8);
      expect(said).not.toContain(services[persons.url].token);
      const whoami = await place.cli(['whoami']);
      expect(whoami.stdout).toMatch(/credential {2}Ada Lovelace {2}until /);
      expect((await place.cli(['doctor'])).stdout).toContain('token until');
      const key = await place.cli(['api', 'POST', '/v1/api-keys', '-f', 'name=CI', '-f', 'scope=run']);
      expect({ code: key.code, stderr: key.stderr }).toEqual({ code: 2, stderr: expect.any(String) });

      await dashboard.open('/app');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      const after = await place.cli(['whoami']);
      expect(after).toMatchObject({ code: 2, stderr: expect.stringContaining('evalgate login') });
    },
  );

  onTerminal('gives it less than the person may, and a refusal gives nothing', async () => {
    const first = await login('--scope run');
    const page = await signedIn(first.page);
    await page.getByRole('button', { name: 'Allow' }).click();
    expect(await first.ended).toMatchObject({ code: 0, said: expect.stringContaining('(scope run)') });
    const second = await login();
    await dashboard.open(second.page);
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('The command line was refused.').waitFor();
    expect(await second.ended).toMatchObject({
      code: 2,
      said: expect.stringContaining('The login was refused in the browser.'),
    });
  });

  test('whose login has ended is led to log in again, without a request', async () => {
    const own = aPlace({ EVALGATE_URL: 'http://127.0.0.1:9' });
    const file = path.join(own.home, '.config/evalgate/credentials.json');
    const { mkdirSync, writeFileSync } = await import('node:fs');
    mkdirSync(path.dirname(file), { recursive: true });
    const entry = { token: 'eyJ', expires_at: '2026-01-01T00:00:00.000Z', organisation: acme.id };
    writeFileSync(file, JSON.stringify({ services: { 'http://127.0.0.1:9': entry } }), { mode: 0o600 });
    const { code, stderr } = await own.cli(['whoami']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('Log in again: evalgate login'),
    });
    own.remove();
  });

  test('at an address that evalgate login does not open has nothing to allow, and the page requests nothing', async () => {
    const page = await signedIn('/app');
    await dashboard.settle();
    const good = { port: '40000', challenge: CHALLENGE, state: STATE };
    for (const wrong of [
      ...[
        '80',
        '1023',
        '65536',
        '99999999',
        '0x9c40',
        '040000',
        '40000@evil.example',
        '٤٠٠٠٠',
        '4e4',
        '',
      ].map((port) => ({ port })),
      { challenge: 'short' },
      { challenge: `${CHALLENGE}=` },
      { state: '' },
      { state: '&next=//evil.example' },
      { scope: 'everything' },
    ]) {
      dashboard.asked();
      await dashboard.open(`/app/cli?${new URLSearchParams({ ...good, ...wrong })}`);
      await page.getByText('This address is none that evalgate login opens').waitFor();
      expect([wrong, await page.getByRole('button', { name: 'Allow' }).count()]).toEqual([wrong, 0]);
      expect(dashboard.asked()).toEqual(['/v1/whoami']);
    }
  });

  test('and not an API key, which the page sends to --with-key', async () => {
    const page = await dashboard.signIn(
      acme.key,
      `/app/cli?${new URLSearchParams({ port: '40000', challenge: CHALLENGE, state: STATE })}`,
    );
    await page.getByText(`evalgate login --url ${persons.url} --with-key`).waitFor();
    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
    await expectAccessible(page);
  });
});

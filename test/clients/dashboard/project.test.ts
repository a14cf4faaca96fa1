import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { makeProject, makeSuite } from '../../support/builders.ts';
import {
  type Account,
  clickTwice,
  expectAccessible,
  newAccount,
  newKey,
  useDashboard,
} from './support/dashboard.ts';
import { type Seeded, seedRuns } from './support/seed.ts';

const HOSTILE = '<img src=x onerror=alert(1)>\u202etxt.exe';

describeInBrowser('the page of a project', () => {
  const dashboard = useDashboard();
  let account: Account;
  let seeded: Seeded;
  beforeAll(async () => {
    account = await newAccount();
    seeded = await seedRuns(account.client);
  });
  test('shows the state of each suite, and the scorers, with three requests beside whoami', async () => {
    const page = await dashboard.signIn(account.key, `/app/p/${seeded.project}`);
    const row = page.getByRole('row', { name: /Returns/ });
    expect(await row.innerText()).toMatch(/Returns\s+cleared\s+87\.5 %\s+80\.0 %/);
    await page.getByRole('row', { name: /Right tools/ }).waitFor();
    const folder = `/v1/projects/${seeded.project}`;
    expect(dashboard.asked().sort()).toEqual(
      [folder, `${folder}/scorers`, `${folder}/suites`, '/v1/whoami'].sort(),
    );
    expect(await page.title()).toBe('Support bot · Projects · evalgate');
    await expectAccessible(page);
  });

  test('an empty project shows the next step; a double click makes one suite and leads to it', async () => {
    const project = await makeProject(account.client, { name: HOSTILE, slug: 'empty' });
    const page = await dashboard.signIn(account.key, `/app/p/${project.slug}`);
    await page.getByText('No suite yet').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('⟨U+202E⟩txt.exe');
    await page.getByRole('button', { name: 'New suite' }).click();
    await page.getByLabel('Name').fill('Tone');
    await page.getByLabel('Pass threshold in %').fill('28.7');
    await clickTwice(page.getByRole('button', { name: 'Create suite' }));
    await page.waitForURL(/\/s\/tone\/cases\?new=1$/);
    await page.getByRole('heading', { level: 1, name: 'Cases' }).waitFor();
    const { data } = (await account.client('GET', '/v1/projects/empty/suites')).body;
    expect(data.map(({ pass_threshold }: { pass_threshold: number }) => pass_threshold)).toEqual([0.287]);
  });

  test('a suite is made of a template, a scorer of its fields', async () => {
    const project = await makeProject(account.client, { name: 'Templates' });
    const page = await dashboard.signIn(account.key, `/app/p/${project.slug}`);
    await page.getByRole('button', { name: 'New scorer' }).click();
    await page.getByLabel('Name').fill('Says both');
    await page.getByLabel('Type').selectOption('contains');
    await page.getByLabel('Texts, one a line').fill('30 days\nfree');
    await page.getByRole('button', { name: 'Create scorer' }).click();
    await page.waitForURL(/\/scorers\/says-both$/);
    await page.goBack();
    await page.getByRole('button', { name: 'From template' }).click();
    await page.getByText('Code review').click();
    await page.getByRole('button', { name: 'Create suite' }).click();
    await page.getByRole('heading', { level: 1, name: 'Code review' }).waitFor();
    const { data } = (await account.client('GET', `/v1/projects/${project.slug}/scorers`)).body;
    const made = data.find(({ key }: { key: string }) => key === 'says-both');
    expect(made.config).toMatchObject({ values: ['30 days', 'free'] });
  });

  test('a project is renamed, and deleted after a question', async () => {
    const project = await makeProject(account.client, { name: 'Old' });
    const page = await dashboard.signIn(account.key, `/app/p/${project.slug}`);
    const more = page.getByTitle('More about this project');
    await more.click();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Name').fill('New');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'New' }).waitFor();
    await more.press('Enter');
    await page.getByRole('button', { name: 'Delete project' }).click();
    const question = page.getByRole('dialog');
    expect(await question.innerText()).toContain('with all of its suites');
    await question.getByRole('button', { name: 'Delete project' }).click();
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    expect((await account.client('GET', `/v1/projects/${project.slug}`)).status).toBe(404);
  });

  test('the right to push a weaker bar stays as another user set it meanwhile, where the name is changed', async () => {
    const project = await makeProject(account.client, { name: 'Guarded' });
    const address = `/v1/projects/${project.slug}`;
    const page = await dashboard.signIn(account.key, `/app/p/${project.slug}`);
    await page.getByTitle('More about this project').click();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Name').fill('Renamed');
    await account.client('PATCH', address, { weaker_pushes: 'full' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    expect((await account.client('GET', address)).body.data.weaker_pushes).toBe('full');
  });

  test('a key that reads changes nothing, one that only runs gates asks for nothing', async () => {
    await makeSuite(account.client, { slug: seeded.project }, { name: 'Second' });
    const reader = await newKey(account, { scope: 'read' });
    const page = await dashboard.signIn(reader.key, `/app/p/${seeded.project}`);
    await page.getByRole('row', { name: /Returns/ }).waitFor();
    await page.getByRole('row', { name: /Right tools/ }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    dashboard.asked();
    const runner = await newKey(account, { scope: 'run' });
    await dashboard.signIn(runner.key, `/app/p/${seeded.project}`);
    await page.getByText('it sees no list of suites').waitFor();
    expect(dashboard.asked()).toEqual(['/v1/whoami']);
  });

  test('an unknown project is shown as missing', async () => {
    dashboard.expectLine(/404/);
    const page = await dashboard.signIn(account.key, '/app/p/none');
    await page.getByRole('heading', { level: 1, name: 'No such project' }).waitFor();
    await page.getByText('There is nothing here that you may see').waitFor();
  });
});

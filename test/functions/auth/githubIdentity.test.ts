import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '../../support/api.ts';
import { TIMESTAMP } from '../../support/expectations.ts';
import { aRepository, type Repository } from '../../support/oidc.ts';
import { expectRefused, expectToken, type Keyless, startKeyless } from './keyless.ts';

let keyless: Keyless;
beforeAll(async () => {
  keyless = await startKeyless();
});
afterAll(() => keyless.stop());

/** Another repository, made by the same owner under the same name. */
const madeAgain = (repository: Repository): Repository => ({
  ...aRepository(repository.name),
  ownerId: repository.ownerId,
});
/** Another one of another owner, who took over the owner's name too. */
const takenOver = (repository: Repository): Repository => aRepository(repository.name);
const renamed = (repository: Repository): Repository => ({ ...repository, name: aRepository().name });
const transferred = (repository: Repository): Repository => ({
  ...repository,
  name: aRepository('new-owner/app').name,
  ownerId: '31',
});

const bound = ({ id, ownerId, name }: Repository) => ({
  repository: name,
  repository_id: id,
  repository_owner_id: ownerId,
  last_used_at: TIMESTAMP,
});

test('the first job binds the registration to the ids of its repository', async () => {
  const { org, repository, registration } = await keyless.trusting();
  expect(registration).toMatchObject({ repository_id: null, repository_owner_id: null, last_used_at: null });
  expectToken(await org.enter(repository));
  expect(await org.registrations()).toEqual([{ ...registration, ...bound(repository) }]);
});

test('a job that is refused binds nothing', async () => {
  const { org, repository, registration } = await keyless.trusting({ ref: 'refs/heads/main' });
  expectRefused(await org.enter(repository, { ref: 'refs/heads/feature' }));
  expect(await org.registrations()).toEqual([registration]);
});

describe('once bound', () => {
  async function boundOne(conditions?: Readonly<Record<string, unknown>>) {
    const made = await keyless.trusting(conditions);
    expectToken(await made.org.enter(made.repository));
    return made;
  }

  test('a repository that is renamed keeps its trust, and the registration shows the new name', async () => {
    const { org, repository } = await boundOne();
    const now = renamed(repository);
    expectToken(await org.enter(now));
    expect(await org.registrations()).toMatchObject([bound(now)]);
    expectToken(await org.enter({ ...repository, name: repository.name.toUpperCase() }));
  });

  test.each([
    ['made again by its owner', madeAgain],
    ['made again by a stranger who took over the name', takenOver],
    ['transferred to another owner', transferred],
    ['transferred to an owner who took over the name', (of: Repository) => ({ ...of, ownerId: '31' })],
  ])('a repository that was %s does not inherit the trust', async (_, another) => {
    const { org, repository } = await boundOne();
    const [before] = await org.registrations();
    expectRefused(await org.enter(another(repository)));
    expect(await org.registrations()).toEqual([before]);
    expectToken(await org.enter(repository));
  });

  test('a repository that takes over the name of a renamed repository gets no token', async () => {
    const { org, repository } = await boundOne();
    expectToken(await org.enter(renamed(repository)));
    expectRefused(await org.enter(madeAgain(repository)));
  });

  test('neither does one that takes the name, where another registration was never used', async () => {
    const { org, repository } = await keyless.trusting({ ref: 'refs/heads/main' });
    await org.trust(repository, { environment: 'prod' });
    expectToken(await org.enter(repository));
    expect(await org.registrations()).toMatchObject([
      { repository_id: repository.id, repository_owner_id: repository.ownerId, last_used_at: null },
      bound(repository),
    ]);
    expectRefused(await org.enter(madeAgain(repository), { environment: 'prod' }));
    expectToken(await org.enter(repository, { environment: 'prod', ref: 'refs/heads/feature' }));
  });

  test('the registrations of other repositories are not', async () => {
    const { org, repository } = await keyless.trusting();
    const other = await org.trust(aRepository(`${repository.name}-2`));
    expectToken(await org.enter(repository));
    expect((await org.registrations())[0]).toEqual(other);
  });

  test('a new registration trusts the repository that was created again', async () => {
    const { org, repository, registration } = await boundOne();
    const again = madeAgain(repository);
    const refused = await org.client('POST', '/v1/trusted-issuers', { repository: repository.name });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { details: { issues: [{ path: 'repository' }] } } },
    });
    await org.client('DELETE', `/v1/trusted-issuers/${registration.id}`);
    await org.trust(again);
    expectToken(await org.enter(again));
    expectRefused(await org.enter(repository));
  });
});

test('of two repositories of one name whose first jobs come at once, one is trusted and stays it', async () => {
  for (let round = 0; round < 10; round++) {
    const { org, repository } = await keyless.trusting();
    const both = [repository, takenOver(repository)];
    const answers = await Promise.all(
      both.flatMap((one) => [org.enter(one), org.enter(one), org.enter(one)]),
    );
    const entered = answers.map(({ status }) => status === 200);
    expect([
      [true, true, true, false, false, false],
      [false, false, false, true, true, true],
    ]).toContainEqual(entered);
    const trusted = both[entered[0] ? 0 : 1]!;
    expect(await org.registrations()).toMatchObject([bound(trusted)]);
    const token = expectToken(await org.enter(trusted));
    expect((await api(keyless.service.baseUrl, token)('GET', '/v1/projects')).status).toBe(403);
  }
});

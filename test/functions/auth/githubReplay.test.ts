import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spentTokenKey } from '../../../shared/storage/keys.ts';
import { UUID } from '../../support/expectations.ts';
import { expectRefused, expectToken, type Keyless, startKeyless } from './keyless.ts';

let keyless: Keyless;
beforeAll(async () => {
  keyless = await startKeyless();
});
afterAll(() => keyless.stop());

const times = <T>(count: number, call: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, call));

test('of a hundred exchanges of one token at once exactly one succeeds', async () => {
  const { org, repository } = await keyless.trusting();
  const token = org.tokenOf(repository);
  const answers = await times(100, () => keyless.exchange(token));
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted).toHaveLength(1);
  for (const answer of answers) if (answer !== accepted[0]) expectRefused(answer);
});

test('a token that was exchanged is refused for as long as it would be good', async () => {
  const { org, repository } = await keyless.trusting();
  const { clock } = keyless.service;
  clock.ms = Date.parse('2027-01-01T00:00:00.000Z');
  try {
    const token = org.tokenOf(repository);
    expectToken(await keyless.exchange(token));
    const [{ last_used_at }] = await org.registrations();
    for (const passedMs of [0, 1_000, 298_999, 29_999, 1, 3_600_000]) {
      clock.ms += passedMs;
      expectRefused(await keyless.exchange(token));
    }
    expect((await org.registrations())[0].last_used_at).toBe(last_used_at);
  } finally {
    clock.ms = undefined;
  }
});

test('what is kept of a spent token expires after it, and names nobody', async () => {
  const { org, repository } = await keyless.trusting();
  const jti = randomUUID();
  const exp = Math.floor(Date.now() / 1_000) + 300;
  expectToken(await org.enter(repository, { jti, exp }));
  const key = spentTokenKey(createHash('sha256').update(jti).digest('hex'));
  const { expires_at, ...kept } = (await keyless.service.table.get(key)) ?? {};
  expect(kept).toEqual({ ...key, attempt: UUID });
  // 30 s for clocks that differ, and a minute more.
  expect(expires_at).toBe(exp + 90);
});

test('the id of a token is spent for all organisations, and in every other token that bears it', async () => {
  const [one, two] = [await keyless.trusting(), await keyless.trusting()];
  const jti = randomUUID();
  expectToken(await one.org.enter(one.repository, { jti }));
  expectRefused(await one.org.enter(one.repository, { jti, run_id: '2' }));
  expectRefused(await two.org.enter(two.repository, { jti }));
});

test('what is refused is not spent: a repository that is registered too late gets in with the token it has', async () => {
  const { org, repository, registration } = await keyless.trusting({ ref: 'refs/heads/release' });
  const token = org.tokenOf(repository);
  expectRefused(await keyless.exchange(token));
  await org.client('DELETE', `/v1/trusted-repositories/${registration.id}`);
  await org.trust(repository);
  expectToken(await keyless.exchange(token));
});

test('a hundred jobs of one repository that start at once all get in', async () => {
  const { org, repository } = await keyless.trusting();
  const answers = await times(100, () => org.enter(repository));
  const tokens = answers.map((answer) => expectToken(answer));
  expect(new Set(tokens).size).toBe(100);
});

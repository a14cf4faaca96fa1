import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { handler as exchangeFunction } from '../../../functions/auth/token.ts';
import type { Runtime } from '../../../shared/runtime/runtime.ts';
import { spentTokenKey } from '../../../shared/storage/table/keys.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
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

test('the item of a spent token expires after the token, and names no job', async () => {
  const { org, repository } = await keyless.trusting();
  const jti = randomUUID();
  const exp = Math.floor(Date.now() / 1_000) + 300;
  expectToken(await org.enter(repository, { jti, exp }));
  const spent = JSON.stringify([keyless.issuer.url, 'id', jti]);
  const key = spentTokenKey(createHash('sha256').update(spent).digest('hex'));
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

test('a refused token is not spent: a repository that is registered too late gets in with the token it has', async () => {
  const { org, repository, registration } = await keyless.trusting({ ref: 'refs/heads/release' });
  const token = org.tokenOf(repository);
  expectRefused(await keyless.exchange(token));
  await org.client('DELETE', `/v1/trusted-issuers/${registration.id}`);
  await org.trust(repository);
  expectToken(await keyless.exchange(token));
});

describe('a failure of ours costs a job no token:', () => {
  const CONTEXT = { awsRequestId: 'one' } as Context;
  const eventWith = (token: string) =>
    ({
      headers: { authorization: `Bearer ${token}` },
      requestContext: { http: { method: 'POST' } },
      isBase64Encoded: false,
    }) as unknown as APIGatewayProxyEventV2;

  const statusBy = async (runtime: Partial<Runtime>, token: string) => {
    const handler = exchangeFunction.withRuntime({ ...keyless.service.runtime, ...runtime });
    return (await handler(eventWith(token), CONTEXT)).statusCode;
  };

  /** The service's table, but for updates of items whose key begins so. */
  const tableFailingAt = (prefix: string, expression = '') =>
    new Proxy(keyless.service.table, {
      get(real, name: keyof Table) {
        const update: Table['update'] = (wanted) =>
          String(wanted.Key?.sk).startsWith(prefix) && wanted.UpdateExpression?.includes(expression)
            ? Promise.reject(new Error('throttled'))
            : real.update(wanted);
        const member = name === 'update' ? update : real[name];
        return member.bind(real);
      },
    });

  test('where it could not be signed, the same token works at the next attempt', async () => {
    const { org, repository } = await keyless.trusting();
    const token = org.tokenOf(repository);
    const { config } = keyless.service.runtime;
    const unable = { ...config, tokenKeys: { kind: 'local', files: ['/nowhere'] } as const };
    expect(await statusBy({ config: unable }, token)).toBe(500);
    expectToken(await keyless.exchange(token));
    expectRefused(await keyless.exchange(token));
  });

  test.each([
    ['the repository could not be bound', 'TRUSTEDISSUER#', 'repository_id ='],
    ['the token could not be spent', 'SPENTTOKEN', ''],
  ])('where %s, the same token works at the next attempt', async (_, prefix, expression) => {
    const { org, repository } = await keyless.trusting();
    const token = org.tokenOf(repository);
    expect(await statusBy({ table: tableFailingAt(prefix, expression) }, token)).toBe(500);
    expectToken(await keyless.exchange(token));
  });

  test('where it could not be noted when the trust was last used, the job gets in', async () => {
    const { org, repository } = await keyless.trusting();
    const table = tableFailingAt('TRUSTEDISSUER#', 'last_used_at');
    expect(await statusBy({ table }, org.tokenOf(repository))).toBe(200);
    expect(await org.registrations()).toMatchObject([{ repository_id: repository.id, last_used_at: null }]);
  });
});

test('a hundred jobs of one repository that start at once all get in', async () => {
  const { org, repository } = await keyless.trusting();
  const answers = await times(100, () => org.enter(repository));
  const tokens = answers.map((answer) => expectToken(answer));
  expect(new Set(tokens).size).toBe(100);
});

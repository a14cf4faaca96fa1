import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ApiAnswer } from '../../support/api.ts';
import { signingKey, text } from '../../support/oidc.ts';
import { expectRefused, expectToken, type Keyless, startKeyless } from './keyless.ts';

let keyless: Keyless;
let trusting: Awaited<ReturnType<Keyless['trusting']>>;
beforeEach(async () => {
  keyless = await startKeyless();
  keyless.service.clock.ms = Date.parse('2027-01-01T00:00:00.000Z');
  trusting = await keyless.trusting();
});
afterEach(() => keyless.stop());

const later = (seconds: number): void => {
  keyless.service.clock.ms = keyless.nowMs() + seconds * 1_000;
};
const tokenOf = () => trusting.org.tokenOf(trusting.repository);
const failuresLogged = () =>
  keyless.service.log.filter(({ code }) => code === 'oidc_issuer_unavailable').length;

function expectUnavailable({ status, body }: ApiAnswer): void {
  expect({ status, body }).toEqual({
    status: 503,
    body: {
      error: { code: 'OIDC_ISSUER_UNAVAILABLE', message: expect.stringContaining('try again in a minute') },
    },
  });
}

test('a flood of tokens of unknown keys causes one fetch a minute and keeps no valid token out', async () => {
  const { issuer, exchange } = keyless;
  const stranger = signingKey();
  const flood = () =>
    Promise.all(
      Array.from({ length: 50 }, () =>
        exchange(issuer.token(claimsIn(tokenOf()), { ...stranger, kid: randomUUID() })),
      ),
    );
  for (const minute of [1, 2, 3]) {
    for (const answer of await flood()) expectRefused(answer);
    expectToken(await exchange(tokenOf()));
    expect(issuer.fetches()).toBe(minute);
    later(60);
  }
});

test('a key that the issuer takes into use later is accepted within a minute', async () => {
  const { issuer, exchange } = keyless;
  expectToken(await exchange(tokenOf()));
  const [first] = issuer.keys;
  issuer.keys.unshift(signingKey());
  later(60);
  expectToken(await exchange(tokenOf()));
  const byTheFirst = issuer.token({ ...claimsIn(tokenOf()) }, first);
  expectToken(await exchange(byTheFirst));
  expect(issuer.fetches()).toBe(2);
});

const claimsIn = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

test('while the issuer is down every token is refused with "try again" and is not spent', async () => {
  const { issuer, exchange } = keyless;
  issuer.answers((response) => void response.destroy());
  const token = tokenOf();
  expectUnavailable(await exchange(token));
  expectUnavailable(await exchange(token));
  expect({ fetches: issuer.fetches(), logged: failuresLogged() }).toEqual({ fetches: 1, logged: 1 });

  issuer.answers(undefined);
  later(60);
  expectToken(await exchange(token));
});

test('an issuer that goes down keeps out only what its known keys did not sign', async () => {
  const { issuer, exchange } = keyless;
  expectToken(await exchange(tokenOf()));
  issuer.answers(text('Service unavailable', 503));
  later(7_200);
  expectToken(await exchange(tokenOf()));
  const stranger = issuer.token(claimsIn(tokenOf()), signingKey());
  expectUnavailable(await exchange(stranger));
  expect(failuresLogged()).toBe(1);
});

test('a token that names another issuer or audience is a 401 without fetching keys, also while the issuer is down', async () => {
  const { issuer, exchange } = keyless;
  issuer.answers((response) => void response.destroy());
  const ours = expectToken(await trusting.org.client('POST', '/v1/auth/token'));
  const claims = claimsIn(tokenOf());
  for (const token of [
    ours,
    issuer.token({ ...claims, iss: 'https://token.actions.githubusercontent.com' }),
    issuer.token({ ...claims, iss: undefined }),
    issuer.token({ ...claims, aud: 'https://github.com/octo-org' }),
    issuer.token({ ...claims, aud: [claims.aud] }),
    tokenOf().replace(/\.[^.]+\./, '.bm90IEpTT04.'),
    tokenOf().replace(/\.[^.]+\./, '.bnVsbA.'),
    'a.b.c',
  ]) {
    expectRefused(await exchange(token));
  }
  expect({ fetches: issuer.fetches(), logged: failuresLogged() }).toEqual({ fetches: 0, logged: 0 });
});

test('an API key is exchanged whatever the issuer does', async () => {
  keyless.issuer.answers((response) => void response.destroy());
  expectToken(await trusting.org.client('POST', '/v1/auth/token'));
  expect(keyless.issuer.fetches()).toBe(0);
});

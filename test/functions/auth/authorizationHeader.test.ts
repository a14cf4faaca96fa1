import { request } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { makeToken, newOrganisation } from '../apiKeys/organisation.ts';

const service = { baseUrl: sharedServiceUrl() };
let credentials: { readonly key: string; readonly token: string };
beforeAll(async () => {
  const { first } = await newOrganisation(service);
  credentials = { key: first.key, token: await makeToken(service, first.key) };
});

/** The header lines as they are: fetch would join or refuse them. */
function get(
  path: string,
  ...lines: readonly string[]
): Promise<{ status: number; body: string; challenge: unknown }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.baseUrl);
    const headers = ['host', 'x', ...lines.flatMap((line) => ['Authorization', line])];
    request({ hostname, port, path, headers }, async (response) => {
      const body = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode ?? 0, body, challenge: response.headers['www-authenticate'] });
    })
      .on('error', reject)
      .end();
  });
}

const PATH = '/v1/projects';

describe.each(['key', 'token'] as const)('with a %s', (kind) => {
  test.each([
    ['Bearer in any letters', 'bearer $'],
    ['Bearer in capitals', 'BEARER $'],
    ['several spaces after the scheme', 'Bearer   $'],
    ['blanks around it all', '  Bearer $  '],
  ])('%s is a credential', async (_, line) => {
    expect((await get(PATH, line.replace('$', credentials[kind]))).status).toBe(200);
  });

  test.each([
    ['a tab after the scheme', ['Bearer\t$']],
    ['a tab and a space after the scheme', ['Bearer \t$']],
    ['no space after the scheme', ['Bearer$']],
    ['a colon after the scheme', ['Bearer: $']],
    ['no scheme', ['$']],
    ['two schemes', ['Bearer Bearer $']],
    ['something behind it', ['Bearer $ x']],
    ['a comma behind it', ['Bearer $,']],
    ['a no-break space after the scheme', ['Bearer\u00a0$']],
    ['it twice in one line', ['Bearer $, Bearer $']],
    ['it in two lines', ['Bearer $', 'Bearer $']],
    ['an empty line before it', ['', 'Bearer $']],
    ['an empty line behind it', ['Bearer $', '']],
    ['nonsense in a line before it', ['Bearer sesame', 'Bearer $']],
    ['nonsense in a line behind it', ['Bearer $', 'Bearer sesame']],
    ['a password before it', ['Basic eDp5', 'Bearer $']],
  ])('%s is none: 401', async (_, lines) => {
    const none = await get(PATH);
    expect(none).toMatchObject({ status: 401, challenge: 'Bearer' });
    const sent = lines.map((line) => line.replaceAll('$', credentials[kind]));
    expect(await get(PATH, ...sent)).toEqual(none);
  });

  test.each(['access_token', 'api_key', 'key', 'token', 'authorization'])(
    'a credential in the query as %s is not read: 401',
    async (name) => {
      const none = await get(PATH);
      for (const value of [credentials[kind], `Bearer%20${credentials[kind]}`]) {
        expect(await get(`${PATH}?${name}=${value}`)).toEqual(none);
      }
    },
  );
});

test('two different valid credentials in one request are refused: 401', async () => {
  const { key, token } = credentials;
  expect((await get(PATH, `Bearer ${key}`, `Bearer ${token}`)).status).toBe(401);
});

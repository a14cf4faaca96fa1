import { request } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { errorEnvelopeSchema } from '../../shared/contracts/base/errors.ts';
import { contracts } from '../../shared/contracts/registry.ts';
import { type Api, api, sharedServiceUrl, signUp } from '../support/api.ts';
import { expectInvalid, expectNotFound } from '../support/expectations.ts';
import { makeNames, type Name, type Names, namesTakenBy, requestTo } from '../support/requests.ts';

const baseUrl = sharedServiceUrl();
const anyone = api(baseUrl);

let client: Api;
let names: Names;
beforeAll(async () => {
  client = await signUp(baseUrl);
  names = await makeNames(client);
});

/** Sends the path as it is; fetch would tidy it up. */
function rawGet(path: string, method = 'GET'): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    request({ hostname, port, path, method }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on('error', reject)
      .end();
  });
}

describe('a path that is no route', () => {
  test.each([
    '/v1',
    '/v1/',
    '/v2/projects',
    '/projects',
    '/v1/project',
    '/v1/projects/',
    '/v1//projects',
    '/v1/Projects',
    '/V1/projects',
    '/v1/projects/a/b/c/d/e',
    '/v1/suites',
    '/v1/cases',
    '/v1/scorers',
    '/health/',
    '/health/x',
    '/HEALTH',
    '/favicon.ico',
    '/.env',
    '/__proto__',
    '/v1/constructor',
    '/$default',
    '/%24default',
  ])('%s is 404 with the envelope, credential or not', async (path) => {
    for (const caller of [anyone, client]) expectNotFound(await caller('GET', path));
  });

  const known = new Set(contracts.map(({ method, path }) => `${method} ${path}`));
  const paths = [...new Set(contracts.map(({ path }) => path))].filter((path) => path !== '$default');

  const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];
  /** A path of literals may be one with a parameter as well: `/suites/from-template`. */
  const shapes = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
  const allowedAt = (path: string): string[] => {
    const here = contracts.filter((one) => one.path !== '$default' && shapes(one.path).test(path));
    const methods = new Set<string>(here.map(({ method }) => method));
    return [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].sort();
  };

  test.each(paths)(
    '%s under a method that it does not have is 405, and lists those that it has',
    async (path) => {
      const concrete = path.replaceAll(/:(\w+)/g, (_, name: string) => names[name as Name]);
      const allow = allowedAt(concrete);
      for (const caller of [client, anyone]) {
        for (const method of METHODS.filter((candidate) => !allow.includes(candidate))) {
          const answer = await caller(method, concrete, ['GET', 'HEAD'].includes(method) ? undefined : {});
          expect({ method, status: answer.status }).toEqual({ method, status: 405 });
          expect(answer.headers.get('allow')).toBe(allow.join(', '));
          if (method === 'HEAD') expect(answer.body).toBeUndefined();
          else expect(answer.body.error).toMatchObject({ code: 'METHOD_NOT_ALLOWED', details: { allow } });
        }
      }
    },
  );

  test.each(paths.filter((path) => known.has(`GET ${path}`)))(
    'HEAD %s answers as GET, without a body',
    async (path) => {
      const concrete = path.replaceAll(/:(\w+)/g, (_, name: string) => names[name as Name]);
      for (const caller of [client, anyone]) {
        const [head, get] = [await caller('HEAD', concrete), await caller('GET', concrete)];
        expect({ status: head.status, body: head.body }).toEqual({ status: get.status, body: undefined });
        for (const name of ['content-type', 'cache-control', 'www-authenticate'])
          expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
    },
  );
});

const JUNK = [
  'x',
  '0',
  '-1',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  '%00',
  '%0a',
  '%20',
  '%25',
  '%2F',
  '%2e%2e%2f%2e%2e',
  '%5c',
  '%23',
  '%3f',
  '%27%20or%201=1--',
  '%7B%22$ne%22:1%7D',
  'ORG%23x',
  '*',
  '%F0%9F%8E%89',
  '%C3%A9',
  '%ED%A0%80',
  '%FF%FE',
  '%zz',
  '%',
  '%E0%A4%A',
  '00000000-0000-0000-0000-00000000000g',
  '7d444840-9dc0-11d1-0245-5ffdce74fad2',
  '7d4448409dc011d1b2455ffdce74fad2',
  '%7B7d444840-9dc0-11d1-b245-5ffdce74fad2%7D',
  'run_',
  'run_x',
  `run_${'z'.repeat(40)}`,
  'a'.repeat(101),
  'a'.repeat(8_000),
];

describe('a path parameter that can name nothing is 404, never more', () => {
  const rows = contracts.flatMap((contract) =>
    namesTakenBy(contract)
      .filter((name) => contract.path.includes(`:${name}`))
      .map((name) => [contract.id, name, contract] as const),
  );

  test.each(rows)('%s with junk as %s', async (_, name, contract) => {
    for (const junk of JUNK) {
      const { method, path, body } = requestTo(contract, { ...names, [name]: junk });
      const answer = await client(method, path, body);
      expect({ junk, status: answer.status }).toEqual({ junk, status: 404 });
      expectNotFound(answer);
    }
  });
});

describe('odd paths and queries', () => {
  test.each([
    '/v1/projects/../../health',
    '/v1/./projects',
    '/v1/projects/%',
    '/v1/projects;x=1',
    '/v1/projects%3Fpage=1',
    '/v1\\projects',
    '/v1/projects/%e9',
    '//v1/projects',
    `/${'a/'.repeat(2_000)}`,
  ])('%s is 404 with the envelope', async (path) => {
    const { status, text } = await rawGet(path);
    expect(status).toBe(404);
    expect(errorEnvelopeSchema.parse(JSON.parse(text)).error.code).toBe('NOT_FOUND');
  });

  test.each([
    '?',
    '?&&&',
    '?=',
    '?=1',
    '?%zz=%zz',
    '?__proto__=1&constructor=2',
    '?page=1&__proto__[page]=x',
    `?x=${'y'.repeat(8_000)}`,
    '?%00=%00',
    '?a=1&a=2&a=3',
  ])('%s on a list changes nothing', async (query) => {
    const plain = await client('GET', '/v1/projects');
    const answer = await client('GET', `/v1/projects${query}`);
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: plain.body });
  });

  test.each([
    ['?pagesize=500', 'pagesize', 'pageSize'],
    ['?PAGE=0', 'PAGE', 'page'],
    ['?pageSizes=2', 'pageSizes', 'pageSize'],
  ])(
    '%s on a list is refused by its name: it would list more than intended',
    async (query, name, intended) => {
      const answer = await client('GET', `/v1/projects${query}`);
      expectInvalid(answer, name);
      expect(answer.body.error.details.issues[0].message).toContain(`use ${intended}`);
    },
  );

  test('a fragment of a percent-encoded path names what it decodes to', async () => {
    const encoded = [...names.slug].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    expect((await client('GET', `/v1/projects/${encoded}`)).status).toBe(200);
    expect((await client('GET', `/v1/%63ases/${names.caseId}`)).status).toBe(200);
  });
});

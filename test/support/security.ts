import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Contract, errorsOf } from '../../shared/contracts/base/contract.ts';
import { type Api, api } from './api.ts';
import { badCredentials } from './badCredentials.ts';
import {
  makeNames,
  type Name,
  type Names,
  namesOfNothing,
  namesTakenBy,
  type Request,
  requestTo,
} from './requests.ts';

interface Account {
  readonly key: string;
  readonly client: Api;
}

async function makeAccount(baseUrl: string): Promise<Account> {
  const { body } = await api(baseUrl)('POST', '/v1/auth/signup', { name: 'Secured' });
  const { key } = body.data.api_key;
  return { key, client: api(baseUrl, key) };
}

const VOLATILE = /^(date|connection|keep-alive|ratelimit-.*)$/;

/** All parts of an answer that a client can see. */
export async function answerTo(baseUrl: string, request: Request, authorization: string | undefined) {
  const response = await fetch(baseUrl + request.path, {
    method: request.method,
    headers: {
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  const headers = [...response.headers].filter(([name]) => !VOLATILE.test(name));
  return { status: response.status, headers, text: await response.text() };
}

/** Paths that must be missing after a resource was deleted. */
const ENDS: readonly (readonly [resource: string, path: (names: Names) => string, ended: readonly Name[]])[] =
  [
    [
      'project',
      ({ slug }) => `/v1/projects/${slug}`,
      ['slug', 'suiteSlug', 'suiteId', 'caseId', 'scorerId', 'runId'],
    ],
    // Runs of a deleted suite stay readable.
    [
      'suite',
      ({ slug, suiteSlug }) => `/v1/projects/${slug}/suites/${suiteSlug}`,
      ['suiteSlug', 'suiteId', 'caseId'],
    ],
    ['case', ({ caseId }) => `/v1/cases/${caseId}`, ['caseId']],
    ['scorer', ({ scorerId }) => `/v1/scorers/${scorerId}`, ['scorerId']],
  ];

const pick = (names: Names, taken: readonly Name[]): Partial<Names> =>
  Object.fromEntries(taken.map((name) => [name, names[name]]));

/** `test.each` that accepts an empty table. */
function eachOf<T extends string>(rows: readonly T[], title: string, run: (row: T) => Promise<void>): void {
  for (const row of rows) test(title.replace('%s', row), () => run(row));
}

/** Tests authentication and isolation on every endpoint. A new endpoint is included by its contract. */
/** What a page of another origin sends begins and ends no sign-in. */
const OF_OWN_PAGES = /^auth\/(begin|finish)SignIn$/;

/** Examples that are refused with the organisation's own key. */
const REFUSED: ReadonlyMap<string, readonly string[]> = new Map([
  // It names another one, so that this one stays.
  ['organisation/delete', ['400']],
  // Its issuer cannot be read, so that there is no sign-in.
  ['signIn/put', ['400']],
  ['signIn/get', ['404']],
  ['signIn/delete', ['404']],
  ['signIn/endSessions', ['404']],
  // No person has sent it.
  ['auth/createCliCode', ['403']],
  // The run is aborted.
  ['runs/statement', ['409']],
]);

export function describeSecurity(baseUrl: string, contracts: readonly Contract[]): void {
  let [own, other]: Account[] = [];
  let [names, theirs]: Names[] = [];
  const nothing = namesOfNothing();
  const ended = new Map<string, Names>();

  const call = (contract: Contract, named: Names, account = own) =>
    answerTo(baseUrl, requestTo(contract, named), `Bearer ${account?.key}`);

  beforeAll(async () => {
    [own, other] = await Promise.all([makeAccount(baseUrl), makeAccount(baseUrl)]);
    [names, theirs] = [await makeNames(own!.client), await makeNames(other!.client)];
    for (const [resource, path] of ENDS) {
      const doomed = await makeNames(own!.client);
      const answer = await own!.client('DELETE', path(doomed));
      if (answer.status !== 204) throw new Error(`deleting a ${resource}: ${answer.status}`);
      ended.set(resource, doomed);
    }
  });

  const rowsOf = (access: Contract['access']) =>
    contracts
      .filter((contract) => contract.access === access)
      .map((contract) => [contract.id, contract] as const);

  const takingCredentials = contracts
    .filter((contract) => errorsOf(contract).includes('UNAUTHORIZED'))
    .map((contract) => [contract.id, contract] as const);

  describe.each(rowsOf('public'))('%s, which is public,', (_, contract) => {
    test('needs no credential and minds no bad one', async () => {
      // A signature is the webhook's credential.
      const unsigned = contract.rawBody || OF_OWN_PAGES.test(contract.id) ? 400 : undefined;
      const wanted =
        contract.path === '$default' ? 404 : (unsigned ?? Number(Object.keys(contract.responses)[0]));
      // The endpoint takes a credential in place of a body.
      const takesOne = errorsOf(contract).includes('UNAUTHORIZED');
      for (const header of [...(takesOne ? [] : [undefined, 'Bearer sesame']), `Bearer ${own!.key}`]) {
        expect((await answerTo(baseUrl, requestTo(contract, names!), header)).status).toBe(wanted);
      }
    });
  });

  describe.each(takingCredentials)('%s', (_, contract) => {
    test('answers every bad credential with the same 401, whether the resource is there or not', async () => {
      const [first, ...rest] = await Promise.all(
        badCredentials(own!.key).flatMap(([title, header]) =>
          [names!, nothing].map(async (named) => ({
            title,
            ...(await answerTo(baseUrl, requestTo(contract, named), header)),
          })),
        ),
      );
      expect(JSON.parse(first!.text)).toEqual({
        error: { code: 'UNAUTHORIZED', message: expect.any(String) },
      });
      expect(first).toMatchObject({ status: 401 });
      expect(first!.headers).toContainEqual(['www-authenticate', 'Bearer']);
      for (const answer of rest) expect(answer).toEqual({ ...first, title: answer.title });
    });
  });

  describe.each(rowsOf('api_key'))('%s', (_, contract) => {
    const taken = namesTakenBy(contract);

    test('answers its own organisation', async () => {
      // Only who has been at the checkout has something to manage.
      if (contract.id === 'billing/portal') {
        await call(contracts.find(({ id }) => id === 'billing/checkout') ?? contract, names!);
      }
      const { status } = await call(contract, await makeNames(own!.client));
      // A new organisation is on the Free plan.
      const refused = REFUSED.get(contract.id);
      const answered = errorsOf(contract).includes('PLAN_REQUIRED')
        ? ['403']
        : Object.keys(contract.responses);
      const wanted = refused ?? answered;
      expect(wanted).toContain(String(status));
    });

    test('answers no more than 401 to a request that is not valid either', async () => {
      const { method, path } = requestTo(contract, nothing);
      const answer = await fetch(`${baseUrl}${path}?page=x`, {
        method,
        ...(method === 'GET' ? {} : { body: '{broken' }),
      });
      expect(answer.status).toBe(401);
    });

    eachOf(taken, "answers another organisation's %s as one that does not exist", async (name) => {
      const absent = await call(contract, { ...names!, [name]: nothing[name] });
      expect(absent.status).toBe(404);
      const { details, ...error } = JSON.parse(absent.text).error;
      expect(error).toEqual({ code: 'NOT_FOUND', message: expect.any(String) });
      expect(Object.keys(details ?? {})).toEqual(contract.id === 'runs/create' ? ['suites'] : []);
      expect(await call(contract, { ...names!, [name]: theirs![name] })).toEqual(absent);
    });

    if (taken.length > 0) {
      test("answers another organisation's names together as ones that do not exist", async () => {
        expect(await call(contract, theirs!)).toEqual(await call(contract, nothing));
      });
    }

    // The history of a deleted suite is read by its id.
    const keeps = (resource: string) => contract.id === 'history/suiteChanges' && resource === 'suite';
    const endings = ENDS.filter(
      ([resource, , gone]) => !keeps(resource) && gone.some((name) => taken.includes(name)),
    );
    eachOf(
      endings.map(([resource]) => resource),
      'answers what ended with its %s as if it had never been',
      async (resource) => {
        const [doomed, [, , gone]] = [ended.get(resource)!, endings.find(([name]) => name === resource)!];
        const absent = await call(contract, { ...doomed, ...pick(nothing, gone) });
        expect(absent.status).toBe(404);
        expect(await call(contract, doomed)).toEqual(absent);
      },
    );
  });

  test('nothing of the other organisation was read, changed or deleted by all this', async () => {
    const paths = [
      `/v1/projects/${theirs!.slug}`,
      `/v1/projects/${theirs!.slug}/suites/${theirs!.suiteSlug}`,
      `/v1/cases/${theirs!.caseId}`,
      `/v1/scorers/${theirs!.scorerId}`,
    ];
    for (const path of paths) {
      const { data } = (await other!.client('GET', path)).body;
      expect(data.updated_at).toBe(data.created_at);
    }
    for (const [path, total] of [
      ['/v1/projects', 1],
      [`/v1/projects/${theirs!.slug}/suites`, 1],
      [`/v1/projects/${theirs!.slug}/scorers`, 1],
      [`/v1/suites/${theirs!.suiteId}/cases`, 1],
      [`/v1/suites/${theirs!.suiteId}/runs`, 1],
      ['/v1/byok-keys', 1],
      ['/v1/api-keys', 2],
      ['/v1/trusted-issuers', 1],
    ] as const) {
      expect((await other!.client('GET', path)).body.pagination.total).toBe(total);
    }
  });
}

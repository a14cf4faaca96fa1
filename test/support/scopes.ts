import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Contract } from '../../shared/contracts/base/contract.ts';
import { type Api, api } from './api.ts';
import {
  makeNames,
  type Name,
  type Names,
  namesInPath,
  namesOfNothing,
  namesTakenBy,
  requestTo,
} from './requests.ts';
import { answerTo } from './security.ts';

const CREDENTIALS = ['run key', 'run token', 'bound run key', 'bound run token', 'bound key', 'bound token'];
const IN_PROJECT: readonly Name[] = ['slug', 'suiteSlug', 'suiteId', 'caseId', 'scorerId', 'runId'];
const isRun = (credential: string): boolean => credential.includes('run');
const isBound = (credential: string): boolean => credential.startsWith('bound');

interface Fixtures {
  readonly full: Api;
  /** The header of each credential. Bound credentials may use the project of `names`. */
  readonly headers: ReadonlyMap<string, string>;
  readonly names: Names;
  /** Names in another project of the same organisation. */
  readonly others: Names;
  /** Names of another organisation. */
  readonly theirs: Names;
}

async function newClient(baseUrl: string): Promise<{ full: Api; header: string }> {
  const { body } = await api(baseUrl)('POST', '/v1/auth/signup', { name: 'Scoped' });
  const { key } = body.data.api_key;
  return { full: api(baseUrl, key), header: `Bearer ${key}` };
}

async function makeFixtures(baseUrl: string): Promise<Fixtures> {
  const [{ full, header }, { full: stranger }] = [await newClient(baseUrl), await newClient(baseUrl)];
  const [names, others, theirs] = [await makeNames(full), await makeNames(full), await makeNames(stranger)];
  const headers = new Map([['full', header]]);
  for (const [title, fields] of [
    ['run', { scope: 'run' }],
    ['bound run', { scope: 'run', project: names.slug }],
    ['bound', { project: names.slug }],
  ] as const) {
    const { key } = (await full('POST', '/v1/api-keys', { name: title, ...fields })).body.data;
    const { token } = (await api(baseUrl, key)('POST', '/v1/auth/token')).body.data;
    headers.set(`${title} key`, `Bearer ${key}`).set(`${title} token`, `Bearer ${token}`);
  }
  return { full, headers, names, others, theirs };
}

/** Whether only the organisation's own credentials may use an endpoint: it concerns no project. */
const isOrganisations = (contract: Contract): boolean =>
  contract.scope !== 'run' &&
  !contract.id.startsWith('projects/') &&
  !IN_PROJECT.some((name) => contract.path.includes(`:${name}`));

/** An unknown suite is answered with those that the credential may run. */
const withoutSuites = ({ text, headers, ...answer }: Awaited<ReturnType<typeof answerTo>>) => ({
  ...answer,
  headers: headers.filter(([name]) => name !== 'content-length'),
  text: text.replace(/,"details":\{"suites":\[[^\]]*\]\}/, ''),
});

/** Tests the scopes of credentials on every endpoint. A new endpoint is included by its contract. */
export function describeScopes(baseUrl: string, contracts: readonly Contract[]): void {
  let fixtures: Fixtures;
  let playground: Fixtures;
  const nothing = namesOfNothing();
  const rows = contracts
    .filter(({ access }) => access === 'api_key')
    .map((contract) => [contract.id, contract] as const);

  const [closed] = contracts.filter(({ access, scope }) => access === 'api_key' && scope !== 'run') as [
    Contract,
  ];

  const ask = (contract: Contract, credential: string, named: Names, { headers } = fixtures) =>
    answerTo(baseUrl, requestTo(contract, named), headers.get(credential));

  /** All readable data except the last use of keys. */
  async function everything(): Promise<string[]> {
    const readable = rows.filter(([, { method }]) => method === 'GET');
    const answers = readable.flatMap(([, contract]) =>
      [fixtures.names, fixtures.others].map(async (named) => (await ask(contract, 'full', named)).text),
    );
    return (await Promise.all(answers)).map((text) => text.replaceAll(/"last_used_at":"[^"]+"/g, ''));
  }

  let before: string[];
  beforeAll(async () => {
    [fixtures, playground] = [await makeFixtures(baseUrl), await makeFixtures(baseUrl)];
    before = await everything();
  });
  afterAll(async () => {
    expect(await everything()).toEqual(before);
  });

  describe.each(rows)('%s', (_, contract) => {
    /** Names in the body are only checked if the credential's scope suffices. */
    const namesTriedBy = (credential: string): Name[] =>
      isRun(credential) && contract.scope !== 'run' ? namesInPath(contract) : namesTakenBy(contract);

    /** The names with one, or all, replaced by another's. */
    const mixed = (credential: string, other: Names): Names[] => [
      other,
      ...namesTriedBy(credential).map((name) => ({ ...fixtures.names, [name]: other[name] })),
    ];

    const askAll = (credential: string, other: Names, sender = credential) =>
      Promise.all(mixed(credential, other).map((named) => ask(contract, sender, named)));

    if (contract.scope === 'run') {
      test.each(CREDENTIALS)('opens to a %s', async (credential) => {
        const { status, text } = await ask(contract, credential, playground.names, playground);
        expect(Object.keys(contract.responses)).toContain(String(status));
        // It tells of the credential itself.
        if (contract.method !== 'GET' || contract.id === 'auth/whoami') return;
        expect(text).toBe((await ask(contract, 'full', playground.names, playground)).text);
      });
    } else {
      test.each(CREDENTIALS.filter(isRun))(
        'is closed to a %s, and says so where it may be seen',
        async (credential) => {
          const answer = await ask(contract, credential, fixtures.names);
          const hidden = isBound(credential) && isOrganisations(contract);
          expect(answer.status).toBe(hidden ? 404 : 403);
          expect(JSON.parse(answer.text)).toEqual({
            error: { code: hidden ? 'NOT_FOUND' : 'SCOPE_REQUIRED', message: expect.any(String) },
          });
          if (!hidden) expect(answer).toEqual(await ask(closed, 'run key', fixtures.names));
        },
      );
    }

    if (isOrganisations(contract)) {
      test.each(CREDENTIALS.filter(isBound))(
        'is not there for a %s, whatever it names',
        async (credential) => {
          const absent = await ask(contract, credential, nothing);
          expect(absent.status).toBe(404);
          for (const named of [fixtures.names, fixtures.others, fixtures.theirs]) {
            expect(await ask(contract, credential, named)).toEqual(absent);
          }
        },
      );
    }

    const hiders = CREDENTIALS.filter((credential) => namesTriedBy(credential).length > 0);
    if (hiders.length === 0) return;

    test.each(hiders)('answers a %s for resources of others as for missing ones', async (credential) => {
      const absent = await askAll(credential, nothing);
      expect(new Set(absent.map(({ status }) => status))).toEqual(new Set([404]));
      expect(await askAll(credential, fixtures.theirs)).toEqual(absent);
      if (isBound(credential)) expect(await askAll(credential, fixtures.others)).toEqual(absent);
      if (isBound(credential) && isOrganisations(contract)) return;
      const toAll = await askAll(credential, nothing, 'full');
      expect(toAll.map(withoutSuites)).toEqual(absent.map(withoutSuites));
    });
  });
}

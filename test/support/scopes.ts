import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Contract, errorsOf } from '../../shared/contracts/base/contract.ts';
import { covers, type Need, SCOPES, type Scope } from '../../shared/contracts/base/scopes.ts';
import { type Api, api } from './api.ts';
import {
  makeNames,
  makeNamesIn,
  type Name,
  type Names,
  namesInPath,
  namesOfNothing,
  namesTakenBy,
  requestTo,
} from './requests.ts';
import { answerTo } from './security.ts';

const LESSER = SCOPES.flatMap((scope) => (scope === 'full' ? ['bound full'] : [scope, `bound ${scope}`]));
const CREDENTIALS = LESSER.flatMap((title) => [`${title} key`, `${title} token`]);
const IN_PROJECT: readonly Name[] = [
  ...(['slug', 'suiteSlug', 'suiteId', 'caseId', 'scorerId', 'runId', 'digest'] as const),
];
const scopeOf = (credential: string): Scope => SCOPES.find((scope) => credential.includes(scope)) ?? 'full';
/** The scope "suites" suffices for jobs of trusted repositories only. */
const OF_JOBS: ReadonlySet<string> = new Set(['baselines/accept']);
const isBound = (credential: string): boolean => credential.startsWith('bound');
const neededBy = ({ id, scope = 'full' }: Contract): Need => (OF_JOBS.has(id) ? 'full' : scope);
const opensTo = (contract: Contract, credential: string): boolean =>
  covers(scopeOf(credential), neededBy(contract));

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
  for (const title of LESSER) {
    const fields = { scope: scopeOf(title), ...(isBound(title) && { project: names.slug }) };
    const { key } = (await full('POST', '/v1/api-keys', { name: title, ...fields })).body.data;
    const { token } = (await api(baseUrl, key)('POST', '/v1/auth/token')).body.data;
    headers.set(`${title} key`, `Bearer ${key}`).set(`${title} token`, `Bearer ${token}`);
  }
  return { full, headers, names, others, theirs };
}

/** Its body may name a project, whose key it is then. */
const NAMES_PROJECT = 'byokKeys/create';

/** Whether only the organisation's own credentials may use an endpoint: it concerns no project. */
const isOrganisations = (contract: Contract): boolean =>
  contract.id !== NAMES_PROJECT &&
  contract.scope !== 'run' &&
  contract.scope !== 'result' &&
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
    // Sessions are of API keys alone: test/functions/auth/sessions.test.ts.
    .filter(({ access, forBrowsers }) => access === 'api_key' && forBrowsers !== true)
    .map((contract) => [contract.id, contract] as const);

  /** Whatever it is that a scope does not suffice for, the refusal is the same. */
  const closedLike = (contract: Contract): Contract =>
    rows.map(([, other]) => other).find((other) => neededBy(other) === neededBy(contract)) ?? contract;

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
      opensTo(contract, credential) ? namesTakenBy(contract) : namesInPath(contract);

    /** The names with one, or all, replaced by another's. */
    const mixed = (credential: string, other: Names): Names[] => [
      other,
      ...namesTriedBy(credential).map((name) => ({ ...fixtures.names, [name]: other[name] })),
    ];

    const askAll = (credential: string, other: Names, sender = credential) =>
      Promise.all(mixed(credential, other).map((named) => ask(contract, sender, named)));

    const opened = CREDENTIALS.filter(
      (credential) => opensTo(contract, credential) && !(isBound(credential) && isOrganisations(contract)),
    );
    if (neededBy(contract) !== 'full') {
      test.each(opened)('opens to a %s', async (credential) => {
        const { full, names } = playground;
        const isRead = contract.method === 'GET';
        const named = isRead ? names : { ...names, ...(await makeNamesIn(full, names)) };
        const { status, text } = await ask(contract, credential, named, playground);
        // A new organisation is on the Free plan.
        const isPlans = errorsOf(contract).includes('PLAN_REQUIRED');
        // The run is aborted, and only a cleared one has a statement.
        const answers = contract.id === 'runs/statement' ? ['409'] : Object.keys(contract.responses);
        expect(isPlans ? ['403'] : answers).toContain(String(status));
        if (isPlans) expect(JSON.parse(text).error.code).toBe('PLAN_REQUIRED');
        // Its answer is about the credential itself.
        const tellsOfIt = contract.id === 'auth/whoami';
        // A key bound to a project sees that one only.
        const tellsOfAll = contract.id === 'projects/list';
        // Scope `run` sees digests that only the service can make.
        const hidesDigests = contract.id === 'history/revision' && credential.includes('run');
        if (!isRead || tellsOfIt || tellsOfAll || hidesDigests) return;
        expect(text).toBe((await ask(contract, 'full', names, playground)).text);
      });
    }

    const closed = CREDENTIALS.filter((credential) => !opensTo(contract, credential));
    if (closed.length > 0) {
      test.each(closed)('is closed to a %s: 403 where it may be seen, else 404', async (credential) => {
        const answer = await ask(contract, credential, fixtures.names);
        const hidden = isBound(credential) && isOrganisations(contract);
        expect(answer.status).toBe(hidden ? 404 : 403);
        expect(JSON.parse(answer.text)).toEqual({
          error: { code: hidden ? 'NOT_FOUND' : 'SCOPE_REQUIRED', message: expect.any(String) },
        });
        if (hidden) return;
        const unbound = `${scopeOf(credential)} key`;
        expect(answer).toEqual(await ask(closedLike(contract), unbound, fixtures.names));
      });
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

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Contract } from '../../../shared/contracts/base/contract.ts';
import { covers } from '../../../shared/contracts/base/scopes.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { type Api, type ApiAnswer, api } from '../../support/api.ts';
import { aRepository, type Claims, type Repository } from '../../support/oidc.ts';
import { type Names, namesOfNothing, requestTo } from '../../support/requests.ts';
import { makeKey } from '../apiKeys/organisation.ts';
import { expectToken, type Keyless, startKeyless } from '../auth/keyless.ts';
import { PUSHER, type Pushing, pushing, workflowRef } from '../auth/pushing.ts';

/** What changes no suite, case or scorer. Whatever else a credential of scope `suites` may send has to be refused here. */
const NO_BAR: ReadonlySet<string> = new Set([
  'runs/create',
  'judgeChecks/start',
  'scorers/try',
  'suites/try',
  'baselines/accept',
  'auth/createSession',
  'auth/createCliCode',
  'auth/deleteSession',
]);
/** What it makes has no owner yet. */
const MAKES: ReadonlySet<string> = new Set(['suites/create', 'suites/createFromTemplate', 'scorers/create']);

const sent = contracts.filter(
  ({ id, access, method, scope }) =>
    access === 'api_key' && method !== 'GET' && covers('suites', scope ?? 'full') && !NO_BAR.has(id),
);
const rows = (of: readonly Contract[]) => of.map((contract) => [contract.id, contract] as const);
const writes = rows(sent.filter(({ id }) => !MAKES.has(id)));
const makers = rows(sent.filter(({ id }) => MAKES.has(id)));

let keyless: Keyless;
beforeAll(async () => {
  keyless = await startKeyless();
});
afterAll(() => keyless.stop());

const PATH = '/v1/projects/bot/suites/returns/definition';
const definition = (pass_threshold: number, says = '30 days') => ({
  version: 1,
  suite: 'returns',
  pass_threshold,
  scorers: { says: { type: 'contains', config: { values: [says] } } },
  cases: [{ key: 'window', scorer: 'says', input: {} }],
});
const codeOf = ({ status, body }: ApiAnswer) => [status, body?.error?.code];

let pushed: Pushing;
let names: Names;

const jobOf = async (claims: Claims, repository?: Repository): Promise<Api> =>
  api(keyless.service.baseUrl, expectToken(await pushed.ask(claims, repository)));

async function strangersJob(run_id = '99'): Promise<Api> {
  const other = aRepository();
  await pushed.org.trust(other, PUSHER);
  return jobOf({ run_id, ...workflowRef(other) }, other);
}

/** Who may send all of them, but for what the project keeps to scope `full`. */
async function suitesKey(): Promise<Api> {
  return api(keyless.service.baseUrl, (await makeKey(pushed.org.client, { scope: 'suites' })).key);
}

/** All that is asked of a bar. */
async function barNow() {
  const answers = [PATH, `/v1/suites/${names.suiteId}/cases`, `/v1/scorers/${names.scorerId}`].map((path) =>
    pushed.org.client('GET', path),
  );
  return (await Promise.all(answers)).map(({ status, body }) => ({ status, data: body.data }));
}

/** The contract's example, about the suite that the job 71 has pushed. A push that makes its bar weaker. */
function send(client: Api, contract: Contract): Promise<ApiAnswer> {
  const { method, path, body } = requestTo(contract, names);
  const forced = { definition: definition(0.5), dry_run: false, allow_weaker: true };
  return client(method, path, contract.id === 'definitions/put' ? { ...body, ...forced } : body);
}

beforeEach(async () => {
  pushed = await pushing(keyless);
  const { client } = pushed.org;
  const owner = await jobOf({ run_id: '71' });
  expect((await owner('PUT', PATH, { definition: definition(0.8) })).status).toBe(200);
  const suiteId: string = (await client('GET', '/v1/projects/bot/suites/returns')).body.data.id;
  const [one] = (await client('GET', `/v1/suites/${suiteId}/cases`)).body.data;
  names = {
    ...namesOfNothing(),
    slug: 'bot',
    suiteSlug: 'returns',
    suiteId,
    caseId: one.id,
    scorerId: one.scorer_id,
  };
});

describe.each(writes)('%s', (_, contract) => {
  test('is refused to a job of another repository than the one whose job pushed the suite', async () => {
    const [stranger, before] = [await strangersJob(), await barNow()];
    const refused = await send(stranger, contract);
    expect(codeOf(refused)).toEqual([403, 'OWNED_ELSEWHERE']);
    const { name, id } = pushed.repository;
    expect(refused.body.error.details).toEqual({ repository: name, repository_id: id });
    expect(await barNow()).toEqual(before);
  });

  test('is refused to a job that is older than the newest one that pushed the suite, and open to that one', async () => {
    const [old, before] = [await jobOf({ run_id: '70' }), await barNow()];
    const refused = await send(old, contract);
    expect(codeOf(refused)).toEqual([409, 'STALE_PUSH']);
    expect(refused.body.error.details).toEqual({ run_id: '71' });
    expect(await barNow()).toEqual(before);
    expect((await send(await jobOf({ run_id: '71' }), contract)).status).toBeLessThan(300);
  });

  test('is kept to the scope full where the project requires it, and open to API keys of scope suites else', async () => {
    const [{ client }, keeper, before] = [pushed.org, await suitesKey(), await barNow()];
    await client('PATCH', '/v1/projects/bot', { weaker_pushes: 'full' });
    expect(codeOf(await send(keeper, contract))).toEqual([403, 'SCOPE_REQUIRED']);
    expect(await barNow()).toEqual(before);
    await client('PATCH', '/v1/projects/bot', { weaker_pushes: 'suites' });
    expect((await send(keeper, contract)).status).toBeLessThan(300);
  });
});

test.each(makers)('%s, which makes something new, changes nothing that belongs to others', async (...row) => {
  const [stranger, before] = [await strangersJob(), await barNow()];
  expect((await send(stranger, row[1])).status).toBe(201);
  const [definition_, ...others] = await barNow();
  // A new scorer of the project is part of each suite's version.
  expect({ ...definition_?.data, definition_version: 0 }).toEqual({
    ...before[0]?.data,
    definition_version: 0,
  });
  expect(others).toEqual(before.slice(1));
});

describe('a scorer', () => {
  const changing: readonly (readonly [string, object?])[] = [
    ['PATCH', { config: { values: ['e'] } }],
    ['DELETE'],
  ];

  test.each(changing)(
    'without an owner that a suite of a repository uses takes no %s of another one',
    async (...sent) => {
      const [method, body] = sent;
      const { client } = pushed.org;
      const { id } = (await client('POST', '/v1/projects/bot/scorers', SCORER)).body.data;
      const made = { name: 'By hand', input: {}, scorer_id: id, is_active: false };
      await client('POST', `/v1/suites/${names.suiteId}/cases`, made);
      const refused = await (await strangersJob())(method, `/v1/scorers/${id}`, body);
      expect(codeOf(refused)).toEqual([403, 'OWNED_ELSEWHERE']);
      expect(refused.body.error.message).toContain('is used by the suite "returns"');
      expect((await (await jobOf({ run_id: '72' }))(method, `/v1/scorers/${id}`, body)).status).toBeLessThan(
        300,
      );
    },
  );

  test('that no suite of a repository uses is changed by any job', async () => {
    const { id } = (await pushed.org.client('POST', '/v1/projects/bot/scorers', SCORER)).body.data;
    const stranger = await strangersJob();
    for (const sent of changing) {
      expect((await stranger(sent[0], `/v1/scorers/${id}`, sent[1])).status).toBeLessThan(300);
    }
  });

  test('that a suite uses is moved by no job older than the one that pushed the suite, be it by pushing another one', async () => {
    const second = { ...definition(0.9, 'thirty'), suite: 'second' };
    const sent = { definition: second, allow_weaker: true };
    const path = PATH.replace('returns', 'second');
    const refused = await (await jobOf({ run_id: '70' }))('PUT', path, sent);
    expect(codeOf(refused)).toEqual([409, 'STALE_PUSH']);
    expect(refused.body.error.message).toContain('"returns"');
    expect((await (await jobOf({ run_id: '72' }))('PUT', path, sent)).status).toBe(200);
  });
});

const SCORER = { name: 'By hand', type: 'contains', config: { values: ['30 days'] } };

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import '../../support/seed.ts';
import { placeOfRun } from '../../../shared/domain/runs/ids.ts';
import { runKey, suiteHeadKey } from '../../../shared/storage/table/keys.ts';
import { type Api, api } from '../../support/api.ts';
import { makeCase, makeScorer, makeSuite } from '../../support/builders.ts';
import { expectInvalid } from '../../support/expectations.ts';
import type { Claims } from '../../support/oidc.ts';
import { expectToken, type Keyless, startKeyless } from '../auth/keyless.ts';
import { type Pushing, pushing, trustGates, workflowRef } from '../auth/pushing.ts';
import { type Gate, makeGate } from './gate.ts';

let keyless: Keyless;
beforeAll(async () => {
  keyless = await startKeyless();
});
afterAll(() => keyless.stop());

async function newGate(): Promise<Gate> {
  const gate = await makeGate(keyless.service.baseUrl);
  await gate.add({});
  return gate;
}

interface Suite {
  readonly client: Api;
  readonly id: string;
}

const ofGate = ({ client, suite }: Gate): Suite => ({ client, id: suite.id });
const latestOf = async ({ client, id }: Suite) =>
  (await client('GET', `/v1/suites/${id}`)).body.data.latest_run;
const runsOf = async ({ client, id }: Suite, query: string) =>
  (await client('GET', `/v1/suites/${id}/runs?${query}`)).body;
const idsOf = async (suite: Suite, query: string): Promise<string[]> =>
  (await runsOf(suite, query)).data.map(({ id }: { id: string }) => id);

const PULL = { trigger_meta: { pr: 417 } };
const FEATURE = { trigger_meta: { branch: 'feature' } };
const MAIN = { trigger_meta: { ref: 'refs/heads/main' } };

test("a pull request and another branch move no suite's state; the run names its branch or pull request", async () => {
  const gate = await newGate();
  const { id } = await gate.run('ok', MAIN);
  for (const fields of [PULL, FEATURE, { trigger_meta: { pr: {}, branch: 'main' } }]) {
    await gate.run('bad', fields);
    expect(await latestOf(ofGate(gate))).toMatchObject({
      id,
      status: 'cleared',
      branch: 'main',
      pull_request: null,
      is_default_branch: true,
    });
  }
  const { data } = await runsOf(ofGate(gate), '');
  expect(
    data.map((run: Record<string, unknown>) => [run.branch, run.pull_request, run.is_default_branch]),
  ).toEqual([
    [null, null, false],
    ['feature', null, false],
    [null, '417', false],
    ['main', null, true],
  ]);
  const read = (await gate.client('GET', `/v1/runs/${data[2].id}`)).body.data;
  expect(read).toMatchObject({ branch: null, pull_request: '417', is_default_branch: false });
});

test('a run that names nothing counts as the default branch; without one the newest of any counts, named as such', async () => {
  const gate = await newGate();
  const { id } = await gate.run('bad', PULL);
  expect(await latestOf(ofGate(gate))).toMatchObject({ id, pull_request: '417', is_default_branch: false });
  const unnamed = await gate.run('ok');
  await gate.run('bad', FEATURE);
  expect(await latestOf(ofGate(gate))).toMatchObject({
    id: unnamed.id,
    branch: null,
    pull_request: null,
    is_default_branch: true,
  });
});

test('a pending run of a pull request moves no state, and one of the default branch does', async () => {
  const gate = await newGate();
  const { id } = await gate.run('ok', MAIN);
  await gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: 'ok', async: true, ...PULL });
  expect((await latestOf(ofGate(gate))).id).toBe(id);
  const body = { suite: gate.suite.slug, output: 'ok', async: true, ...MAIN };
  const pending = (await gate.client('POST', '/v1/run', body)).body;
  expect((await latestOf(ofGate(gate))).id).toBe(pending.id);
});

test("whatever runs came, and whichever were not stored, the state is the default branch's newest run", async () => {
  const kinds = { main: MAIN, unnamed: {}, pull: PULL, feature: FEATURE };
  const runs = fc.array(
    fc.record({
      kind: fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])),
      isLost: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(runs, async (wanted) => {
      const gate = await newGate();
      const stored: { id: string; isDefault: boolean }[] = [];
      for (const { kind, isLost } of wanted) {
        const { id } = await gate.run('ok', kinds[kind]);
        if (!isLost) stored.unshift({ id, isDefault: kind === 'main' || kind === 'unnamed' });
        const { suiteId, number } = placeOfRun(id) ?? { suiteId: '', number: 0 };
        if (isLost) await keyless.service.table.delete(runKey(gate.project.org_id, suiteId, number));
      }
      const expected = stored.find(({ isDefault }) => isDefault) ?? stored[0];
      const latest = await latestOf(ofGate(gate));
      expect(latest && { id: latest.id, isDefault: latest.is_default_branch }).toEqual(expected ?? null);
    }),
    { numRuns: 15 },
  );
});

test('a refused run leaves the head as it was, so that the next run of a pull request finds the state', async () => {
  const gate = await newGate();
  const { id } = await gate.run('ok', MAIN);
  const key = suiteHeadKey(gate.project.org_id, gate.suite.slug, gate.project.id);
  const head = await keyless.service.table.get(key);
  expect(head).toMatchObject({ run_count: 1, default_run: 1 });
  await gate.run('bad', PULL);
  expect(await keyless.service.table.get(key)).toMatchObject({ run_count: 2, default_run: 1 });
  expect((await latestOf(ofGate(gate))).id).toBe(id);
});

test('a branch, and a pull request, list all of their runs, page by page; the default one also those that name none', async () => {
  const gate = await newGate();
  const all = { main: [] as string[], feature: [] as string[], pull: [] as string[] };
  for (let round = 0; round < 4; round++) {
    all.main.unshift((await gate.run('ok', MAIN)).id);
    all.main.unshift((await gate.run('ok')).id);
    all.feature.unshift((await gate.run('ok', FEATURE)).id);
    all.pull.unshift((await gate.run('ok', PULL)).id);
  }
  const suite = ofGate(gate);
  const expectPages = async (filter: string, ids: readonly string[]) => {
    expect(await idsOf(suite, filter)).toEqual(ids);
    for (let page = 1; page <= 3; page++) {
      const { data, pagination, truncated } = await runsOf(suite, `${filter}&pageSize=3&page=${page}`);
      expect(data.map(({ id }: { id: string }) => id)).toEqual(ids.slice((page - 1) * 3, page * 3));
      expect(pagination).toEqual({ page, pageSize: 3, total: ids.length, hasMore: page * 3 < ids.length });
      expect(truncated).toBe(false);
    }
  };
  await expectPages('branch=main', all.main);
  await expectPages('branch=refs/heads/feature', all.feature);
  await expectPages('pull_request=417', all.pull);
  await expectPages('pull_request=%23417', all.pull);
  await expectPages('branch=fix', []);
  await expectPages('pull_request=41', []);
});

test.each([
  ['branch=', 'branch'],
  ['pull_request=main', 'pull_request'],
  ['branch=main&pull_request=7', 'pull_request'],
])('a filter by %s is refused', async (query, field) => {
  const gate = await newGate();
  expectInvalid(await gate.client('GET', `/v1/suites/${gate.suite.id}/runs?${query}`), field);
});

/** A suite whose repository pushes it from a branch. */
async function pushedFrom(ref: string) {
  const owned = await pushing(keyless, { ref });
  await trustGates(owned.org.client, owned.repository);
  const suite = await makeSuite(owned.org.client, owned.project, { slug: 'returns' });
  await makeCase(owned.org.client, suite, await makeScorer(owned.org.client, owned.project), {
    expected: 'yes',
  });
  return { ...owned, suite: { client: owned.org.client, id: suite.id } };
}

const DEFINITION = {
  version: 1,
  suite: 'returns',
  scorers: { same: { type: 'exact_match', config: {} } },
  cases: [{ key: 'one', scorer: 'same', input: {}, expected: 'yes' }],
};

async function push({ ask, repository }: Pushing, ref: string): Promise<void> {
  const job = api(
    keyless.service.baseUrl,
    expectToken(await ask({ ref, ...workflowRef(repository, 'push.yml', ref) })),
  );
  const sent = { definition: DEFINITION, allow_weaker: true };
  expect((await job('PUT', '/v1/projects/bot/suites/returns/definition', sent)).status).toBe(200);
}

const RUN = { suite: 'returns', trigger: 'github_action' };
const SAYS_MAIN = { branch: 'main', ref: 'refs/heads/main', event: 'push' };

async function runAs({ org, repository }: Pushing, claims: Claims, output: string): Promise<string> {
  const job = api(keyless.service.baseUrl, expectToken(await org.enter(repository, claims)));
  const { status, body } = await job('POST', '/v1/run', { ...RUN, output, trigger_meta: SAYS_MAIN });
  expect(status).toBe(200);
  return body.id;
}

test.each([
  ['a pull request', { ref: 'refs/pull/7/merge', event_name: 'pull_request' }, { pull_request: '7' }],
  ['pull_request_target', { ref: 'refs/heads/main', event_name: 'pull_request_target' }, { branch: null }],
  ['an event that is not known', { ref: 'refs/heads/main', event_name: undefined }, { branch: null }],
  ['another branch', { ref: 'refs/heads/feature', event_name: 'push' }, { branch: 'feature' }],
])('a job of %s that claims to be main is not', async (_, claims, expected) => {
  const owned = await pushedFrom('refs/heads/main');
  const id = await runAs(owned, { ref: 'refs/heads/main', event_name: 'push' }, 'yes');
  const other = await runAs(owned, claims, 'no');
  expect(await latestOf(owned.suite)).toMatchObject({ id, status: 'cleared', branch: 'main' });
  const run = (await owned.org.client('GET', `/v1/runs/${other}`)).body.data;
  expect(run).toMatchObject({ ...expected, is_default_branch: false });
  expect(await idsOf(owned.suite, 'branch=main')).toEqual([id]);
});

test('the default branch is the one whose jobs push the suite, from the first push on', async () => {
  const owned = await pushedFrom('refs/heads/trunk');
  const ofMain = await runAs(owned, { ref: 'refs/heads/main', event_name: 'push' }, 'yes');
  expect((await latestOf(owned.suite)).is_default_branch).toBe(true);
  await push(owned, 'refs/heads/trunk');
  expect(await latestOf(owned.suite)).toMatchObject({ id: ofMain, branch: 'main', is_default_branch: false });
  const ofTrunk = await runAs(owned, { ref: 'refs/heads/trunk', event_name: 'push' }, 'yes');
  await runAs(owned, { ref: 'refs/heads/main', event_name: 'push' }, 'no');
  expect(await latestOf(owned.suite)).toMatchObject({
    id: ofTrunk,
    branch: 'trunk',
    is_default_branch: true,
  });
  expect(await idsOf(owned.suite, 'branch=trunk')).toEqual([ofTrunk]);
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CaseOutcome, LatestOutcome } from '../../../shared/contracts/results/caseHistory.ts';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { type Api, api, sharedServiceUrl } from '../../support/api.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { expectInvalid, expectNotFound } from '../../support/expectations.ts';
import { costOf, type EngineService, startEngineService } from '../../support/ownService.ts';
import { ended, submit } from '../../support/stage.ts';
import { fillSuite } from '../runs/filled.ts';
import { makeGate, resultsOf } from '../runs/gate.ts';
import { ALL, type Item, KEYS, makeTrust, right, type Trust } from '../runs/outputs/trust.ts';

const url = sharedServiceUrl();
const read = (client: Api, caseId: string, query = '') =>
  client('GET', `/v1/cases/${caseId}/history${query}`);
const historyOf = async (client: Api, caseId: string, query = ''): Promise<CaseOutcome[]> =>
  (await read(client, caseId, query)).body.data;

/** What the runs' results say, the newest run first. */
async function byResults({ client }: Pick<Trust, 'client'>, caseId: string, runIds: readonly string[]) {
  const of = async (run_id: string) => {
    const { created_at } = (await client('GET', `/v1/runs/${run_id}`)).body.data;
    const found = (await resultsOf(client, run_id)).find(({ case_id }) => case_id === caseId);
    if (found === undefined) return [];
    const { passed, errored, missing, score } = found;
    return [{ run_id, created_at, passed, errored, missing, score }];
  };
  return (await Promise.all(runIds.toReversed().map(of))).flat();
}

describe('the history of a case', () => {
  test('shows what the results of its runs state, the newest first, however they are stored and the suite changes', async () => {
    const trust = await makeTrust(url);
    const { client, cases } = trust;
    const ids = [(await trust.run(ALL)).id];
    ids.push((await trust.run([...right('a'), { case: 'b', output: 'no' }, { case: 'c', error: '429' }])).id);
    ids.push(await submit(client, { suite: 't', outputs: right('a', 'c') }));
    await ended(client, ids[2] ?? '');
    await trust.patchCase('a', { key: 'moved', weight: 3, is_active: false });
    const order = [cases.d, cases.c, cases.b, cases.a].map(({ id }) => id);
    await client('POST', `/v1/suites/${trust.suite.id}/cases/reorder`, { case_ids: order });
    const added = await makeCase(client, trust.suite, trust.scorer, { key: 'new', expected: 'new' });
    expect(await read(client, added.id)).toMatchObject({ body: { data: [], truncated: false } });
    ids.push(
      (await trust.run(right('b', 'new'))).id,
      (await client('POST', '/v1/run', { suite: 't', output: 'd' })).body.id,
    );
    for (const caseId of [...order, added.id])
      expect(await historyOf(client, caseId)).toEqual(await byResults(trust, caseId, ids));
    const states = (await historyOf(client, cases.c.id)).map(({ passed, errored, missing }) => [
      passed,
      errored,
      missing,
    ]);
    expect(states.slice(2)).toEqual([
      [true, false, false],
      [false, true, false],
      [true, false, false],
    ]);
    expect(await historyOf(client, cases.b.id, '?limit=2')).toEqual(
      await byResults(trust, cases.b.id, ids.slice(-2)),
    );
    // Runs that had it inactive are looked at, too.
    expect(await historyOf(client, cases.a.id, '?limit=2')).toEqual([]);
  });

  test('in the list of cases each has its latest outcome on the default branch, and since when, where it is requested', async () => {
    const { client, cases, suite, run } = await makeTrust(url);
    const latest = async () => {
      const { data } = (await client('GET', `/v1/suites/${suite.id}/cases?outcomes=latest`)).body;
      return Object.fromEntries(
        data.map(({ key, latest_outcome: one }: { key: string; latest_outcome: LatestOutcome | null }) => [
          key,
          one && [one.passed, one.run_id, one.since, one.or_longer],
        ]),
      );
    };
    expect(await latest()).toEqual({ a: null, b: null, c: null, d: null });
    const of = async (outputs: readonly Item[], trigger_meta: object = { branch: 'main' }) => {
      const { id } = await run(outputs, { trigger_meta });
      return { id, at: (await client('GET', `/v1/runs/${id}`)).body.data.created_at };
    };
    const first = await of(right('a', 'b'));
    const second = await of(right('a', 'c'));
    await of(right('d'), { pull_request: 7 });
    const third = await of(right('a', 'c'));
    expect(await latest()).toEqual({
      a: [true, third.id, first.at, false],
      b: [false, third.id, second.at, false],
      c: [true, third.id, second.at, false],
      d: [false, third.id, first.at, false],
    });
    await makeCase(client, suite, { id: cases.a.scorer_id }, { key: 'new' });
    expect((await latest()).new).toBeNull();
    const plain = (await client('GET', `/v1/suites/${suite.id}/cases`)).body.data;
    expect(plain.filter((one: object) => 'latest_outcome' in one)).toEqual([]);
    expectInvalid(await client('GET', `/v1/suites/${suite.id}/cases?outcomes=all`), 'outcomes');
  });

  test.each(['0', '91', 'x', ''])('is not of %j runs', async (limit) => {
    const { client, cases } = await shared();
    expectInvalid(await read(client, cases.a.id, `?limit=${limit}`), 'limit');
  });

  test('is read with scope read, and with no smaller one, in its project only', async () => {
    const { client, cases, project } = await shared();
    const keyOf = async (fields: object) =>
      api(url, (await client('POST', '/v1/api-keys', { name: 'A key', ...fields })).body.data.key);
    const other = (await client('POST', '/v1/projects', { name: 'Other' })).body.data;
    expect((await read(await keyOf({ scope: 'read', project: project.slug }), cases.a.id)).status).toBe(200);
    expect((await read(await keyOf({ scope: 'run' }), cases.a.id)).status).toBe(403);
    expectNotFound(await read(await keyOf({ scope: 'full', project: other.slug }), cases.a.id));
    expectNotFound(await read((await makeGate(url)).client, cases.a.id));
  });

  test('is gone with its case and its suite', async () => {
    const { client, cases, suite } = await makeTrust(url);
    expect((await client('DELETE', `/v1/cases/${cases.a.id}`)).status).toBe(204);
    expectNotFound(await read(client, cases.a.id));
    expect((await client('DELETE', `/v1/projects/trust/suites/${suite.slug}`)).status).toBe(204);
    expectNotFound(await read(client, cases.b.id));
  });

  test('is found in each of the chunks of a large run', async () => {
    const { client, suite, project } = await makeGate(url);
    const keys = Array.from({ length: 1_100 }, (_, index) => `case-${index}`);
    const definition = {
      version: 1,
      suite: suite.slug,
      pass_threshold: 0.5,
      scorers: { says: { type: 'exact_match', config: {} } },
      cases: keys.map((key) => ({ key, scorer: 'says', input: {}, expected: key })),
    };
    await client('PUT', `/v1/projects/${project.slug}/suites/${suite.slug}/definition`, { definition });
    const run = await submit(client, {
      suite: suite.slug,
      outputs: keys.map((key, index) => ({ case: key, output: index % 3 ? key : '' })),
    });
    await ended(client, run);
    for (const index of [0, 499, 500, 999, 1_000, 1_098]) {
      const [evalCase] = (await client('GET', `/v1/suites/${suite.id}/cases?key=case-${index}`)).body.data;
      expect(await historyOf(client, evalCase.id)).toMatchObject([{ run_id: run, passed: index % 3 !== 0 }]);
    }
  });

  test('ends where results of more than 4 MB would have to be read, and states it', async () => {
    const trust = await makeTrust(url);
    await Promise.all(KEYS.map((key) => trust.patchCase(key, { sample_count: 100 })));
    const samples = (key: string, run: number) =>
      Array.from({ length: 100 }, (_, index) => ({
        case: key,
        output: key,
        metadata: { note: `${run} ${index} `.padEnd(2_000, 'm') },
      }));
    const ids: string[] = [];
    for (let run = 0; run < 7; run++)
      ids.push((await trust.run(KEYS.flatMap((key) => samples(key, run)))).id);
    const { body } = await read(trust.client, trust.cases.d.id);
    expect(body.truncated).toBe(true);
    expect(body.data.length).toBeGreaterThan(2);
    expect(body.data.length).toBeLessThan(7);
    const newest = ids.slice(-body.data.length);
    expect(body.data).toEqual(await byResults(trust, trust.cases.d.id, newest));
    expect((await read(trust.client, trust.cases.d.id, '?limit=2')).body.truncated).toBe(false);
  });
});

let made: Promise<Trust> | undefined;
const shared = () => {
  made ??= makeTrust(url);
  return made;
};

describe('of runs of 100 cases the history of a case', () => {
  let service: EngineService;
  beforeAll(async () => {
    service = await startEngineService();
  });
  afterAll(() => service.stop());

  test('reads at most two units a run, and none of runs past retention', async () => {
    const gate = await makeGate(service.baseUrl);
    const scorer = await makeScorer(gate.client, gate.project);
    const ids = await fillSuite(service.table, gate, 100, (index) => ({
      name: `Case ${index}`,
      scorer_id: scorer.id,
      expected: index % 2 ? 'yes' : 'no',
    }));
    for (let run = 0; run < 30; run++) await gate.run(`yes ${run}`);
    const [first = '', middle = ''] = [ids[0], ids[50]];
    await read(gate.client, middle);
    const history = await historyOf(gate.client, middle);
    expect(history).toHaveLength(30);
    const cost = await costOf(service, () => read(gate.client, middle));
    const none = await costOf(service, () => read(gate.client, middle, '?limit=1'));
    expect(none.read).toBeLessThan(10);
    expect(cost.read - none.read).toBeLessThanOrEqual(29 * 2);
    service.clock.ms = Date.now() + 400 * DAY_MS;
    expect(await historyOf(gate.client, first)).toEqual([]);
  });
});

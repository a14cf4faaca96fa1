import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Reliability } from '../../../shared/contracts/base/reliability.ts';
import { commitStore } from '../../../shared/storage/baseline/commits.ts';
import { type Api, api } from '../../support/api.ts';
import type { Claims } from '../../support/oidc.ts';
import { expectToken, type Keyless, startKeyless } from '../auth/keyless.ts';
import { pushing, workflowRef } from '../auth/pushing.ts';

let keyless: Keyless;
beforeAll(async () => {
  keyless = await startKeyless();
});
afterAll(() => keyless.stop());

interface Sent {
  readonly claims?: Claims;
  readonly passing?: number;
  readonly fields?: object;
}

interface Judged {
  readonly client: Api;
  readonly suiteId: string;
  /** A job gates a commit: 10 cases, of which 9 have to pass. Each job is of another run of its workflow. */
  gate(event_name: string, sent?: Sent): Promise<string>;
  inForce(): Promise<Reliability>;
}

const shaOf = (name: string): string => createHash('sha1').update(name).digest('hex');
let workflowRuns = 100;

async function judged(): Promise<Judged> {
  const { org, repository } = await pushing(keyless);
  const { client } = org;
  const keys = Array.from({ length: 10 }, (_, index) => `case-${index}`);
  const definition = {
    version: 1,
    suite: 'answers',
    pass_threshold: 0.9,
    scorers: { exact: { type: 'exact_match', config: {} } },
    cases: keys.map((key) => ({ key, scorer: 'exact', input: {}, expected: 'yes' })),
  };
  const made = await client('PUT', '/v1/projects/bot/suites/answers/definition', { definition });
  if (made.status > 201) throw new Error(JSON.stringify(made.body));
  const suiteId = (await client('GET', '/v1/projects/bot/suites/answers')).body.data.id;
  await org.trust(repository);
  return {
    client,
    suiteId,
    async gate(event_name, { claims = {}, passing = 10, fields = {} } = {}) {
      workflowRuns++;
      const job = {
        ...workflowRef(repository, 'gate.yml'),
        run_id: String(workflowRuns),
        event_name,
        ...claims,
      };
      const as = api(keyless.service.baseUrl, expectToken(await org.enter(repository, job)));
      const outputs = keys.map((key, index) => ({ case: key, output: index < passing ? 'yes' : 'no' }));
      const { status, body } = await as('POST', '/v1/run', { suite: 'answers', outputs, ...fields });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.id;
    },
    inForce: async () => (await client('GET', `/v1/suites/${suiteId}/revision`)).body.data.reliability,
  };
}

const NONE = { commits: 0, disagreed: 0 };

test('a commit that a clock judged again is a pair, in the bar in force and in the list of bars', async () => {
  const { client, suiteId, gate, inForce } = await judged();
  expect(await inForce()).toBeNull();
  await gate('push', { passing: 5 });
  expect(await inForce()).toBeNull();
  await gate('schedule');
  const reliability = {
    commits_judged_again: 1,
    disagreed: 1,
    lower: null,
    upper: null,
    cleared_first: NONE,
    aborted_first: { commits: 1, disagreed: 1 },
    same_outputs: NONE,
    inconclusive: 0,
  };
  expect(await inForce()).toEqual(reliability);
  const { data } = (await client('GET', `/v1/suites/${suiteId}/revisions`)).body;
  expect(data).toMatchObject([{ reliability }]);
  await client('PATCH', '/v1/projects/bot/suites/answers', { pass_threshold: 1 });
  expect(await inForce()).toBeNull();
});

test('only the next run of a clock is the second one: neither another push, nor later clocks', async () => {
  const { gate, inForce } = await judged();
  await gate('merge_group');
  await gate('push', { passing: 5 });
  expect(await inForce()).toBeNull();
  await gate('schedule');
  await gate('schedule', { passing: 5 });
  expect(await inForce()).toMatchObject({
    commits_judged_again: 1,
    disagreed: 0,
    cleared_first: { commits: 1, disagreed: 0 },
    same_outputs: { commits: 1, disagreed: 0 },
  });
});

test('ten commits have an interval, and runs of other events, attempts, legs and credentials are in no pair', async () => {
  const { client, gate, inForce } = await judged();
  for (let commit = 0; commit < 10; commit++) {
    const claims = { sha: shaOf(`commit ${commit}`) };
    await gate('push', { claims });
    await gate('schedule', { claims, passing: commit === 3 ? 8 : 9 });
  }
  const claims = { sha: shaOf('another') };
  await gate('workflow_dispatch', { claims });
  await gate('push', { claims: { ...claims, run_attempt: '2' } });
  await gate('push', { claims, fields: { trigger_meta: { job: 'gate', leg: 'node-20' } } });
  await client('POST', '/v1/run', { suite: 'answers', project: 'bot', output: 'yes' });
  await gate('schedule', { claims });
  const reliability = await inForce();
  expect(reliability).toMatchObject({ commits_judged_again: 10, disagreed: 1, same_outputs: NONE });
  expect(reliability?.lower).toBeCloseTo(0.017876, 6);
  expect(reliability?.upper).toBeCloseTo(0.40415, 6);
});

test.each([
  ['its first', 'push', 'schedule'],
  ['its second', 'schedule', 'push'],
])('a commit that %s run of a workflow gated twice counts nowhere', async (_, twice, once) => {
  const { gate, inForce } = await judged();
  const claims = { run_id: '7' };
  if (twice === 'push') {
    await gate('push', { claims });
    await gate('schedule');
    await gate('push', { claims, passing: 5 });
  } else {
    await gate(once);
    await gate('schedule', { claims });
    await gate('schedule', { claims, passing: 5 });
  }
  await gate('schedule');
  expect(await inForce()).toBeNull();
});

test('of several legs that gate one commit, the first that a clock judges again is its pair', async () => {
  const { gate, inForce } = await judged();
  const leg = (name: string) => ({ trigger_meta: { job: 'gate', leg: name } });
  const [pushed, scheduled] = [{ run_id: '21' }, { run_id: '22' }];
  for (const name of ['a', 'b']) await gate('push', { claims: pushed, fields: leg(name) });
  await gate('schedule', { claims: scheduled, fields: leg('a') });
  await gate('schedule', { claims: scheduled, fields: leg('b'), passing: 5 });
  expect(await inForce()).toMatchObject({ commits_judged_again: 1, disagreed: 0 });
});

test('a run that is concluded twice counts once, and a bar that is not listed, or a commit of very many jobs, keeps nothing', async () => {
  const { table } = keyless.service;
  const store = commitStore(table);
  const place = {
    orgId: 'org',
    suiteId: 'suite',
    source: { provider: 'github', issuer: null, id: '1', name: 'octo/bot' },
  } as const;
  const digest = 'a'.repeat(64);
  const key = { pk: 'ORG#org#SUITE#suite', sk: `DIGEST#${digest}` };
  const count = (
    runToken: string,
    workflowRunId: string,
    isScheduled: boolean,
    sha = 'b'.repeat(40),
    gate = '01234567',
  ) =>
    store.count(
      { ...place, sha },
      {
        runToken,
        claimed: 'cleared',
        repetition: {
          suiteDigest: `sha256:${digest}`,
          gate,
          workflowRunId,
          isScheduled,
          outputs: '0'.repeat(16),
        },
      },
    );
  await count('first-token', '1', false);
  await count('second-token', '2', true);
  // Before the bar is listed, a workflow gates another commit twice.
  for (const token of ['one', 'other']) await count(token, '1', false, 'e'.repeat(40));
  expect(await table.get(key)).toBeUndefined();
  await table.put({ ...key, again: {} });
  for (let time = 0; time < 2; time++) await count('second-token', '2', true);
  for (let time = 0; time < 2; time++) await count('first-token', '1', false);
  expect(Object.values((await table.get(key))?.again as object)).toEqual(['01234567 cc= 2 second-t']);
  await count('third', '3', true, 'e'.repeat(40));
  for (const token of ['one', 'other']) await count(token, '1', false, 'f'.repeat(40));
  expect(Object.keys((await table.get(key))?.again as object)).toHaveLength(1);

  for (let run = 0; run < 1_001; run++)
    await count(`leg-${run}`, String(run), false, 'd'.repeat(40), `gate-${run}`);
  expect(await count('last', '999', false, 'd'.repeat(40), 'gate-999')).toEqual({
    runs: 1_002,
    first: 'cleared',
  });
  const commits = (await table.query({ pk: key.pk, prefix: 'COMMIT#' })).map((item) =>
    Object.keys(item).filter((name) => name.startsWith('first_')),
  );
  expect(Math.max(...commits.map(({ length }) => length))).toBe(1_000);

  const full = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x${index}`, 'cc= 1 t']));
  await table.put({ ...key, again: full });
  await count('third-token', '3', false, 'c'.repeat(40));
  await count('fourth-token', '4', true, 'c'.repeat(40));
  expect((await table.get(key))?.again).toEqual(full);
});

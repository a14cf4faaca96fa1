import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers } from '../../../shared/contracts/base/scopes.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { type Api, api } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { expectNotFound } from '../../support/expectations.ts';
import { aRepository } from '../../support/oidc.ts';
import { makeNames, requestTo } from '../../support/requests.ts';
import { expectRefused, expectToken, type Keyless, startKeyless } from './keyless.ts';

let keyless: Keyless;
beforeAll(async () => {
  keyless = await startKeyless();
});
afterAll(() => keyless.stop());

async function suiteOf(client: Api, slug: string) {
  const project = await makeProject(client, { slug });
  const suite = await makeSuite(client, project, { slug: 'gate' });
  await makeCase(client, suite, await makeScorer(client, project), { expected: 'yes' });
  return { project, suite };
}

const clientWith = (token: string): Api => api(keyless.service.baseUrl, token);
const RUN = { suite: 'gate', output: 'yes', trigger: 'github_action' };

describe("a job's token", () => {
  test('runs a gate and reads the run and its results, which say whose job it was', async () => {
    const { org, repository, registration } = await keyless.trusting();
    const { suite } = await suiteOf(org.client, 'app');
    const job_workflow_ref = 'octo-org/central/.github/workflows/gate.yml@refs/tags/v1';
    const claims = {
      actor: 'mona',
      run_id: '77',
      run_attempt: '2',
      event_name: 'pull_request',
      ref: 'refs/pull/7/merge',
      head_ref: 'feature/x',
      job_workflow_ref,
    };
    const job = clientWith(expectToken(await org.enter(repository, claims)));

    const verdict = await job('POST', '/v1/run', RUN);
    expect({ status: verdict.status, body: verdict.body }).toMatchObject({
      status: 200,
      body: { status: 'cleared', passed: true },
    });
    const created_by = {
      type: 'github_actions',
      registration_id: registration.id,
      repository: repository.name,
      repository_id: repository.id,
      repository_owner_id: repository.ownerId,
      sha: '7d444840a9c1f0b6a3b8f5f8f0f4c4a2d0c7e1ab',
      workflow: '.github/workflows/gate.yml',
      ...claims,
    };
    const { id } = verdict.body;
    for (const client of [job, org.client]) {
      expect((await client('GET', `/v1/runs/${id}`)).body.data).toMatchObject({ id, created_by });
      expect((await client('GET', `/v1/suites/${suite.id}/runs`)).body.data).toMatchObject([
        { id, created_by },
      ]);
      expect((await client('GET', `/v1/runs/${id}/results`)).body.data).toMatchObject([
        { run_id: id, passed: true },
      ]);
    }
  });

  test('states whose job it was even where the run states otherwise', async () => {
    const { org, repository } = await keyless.trusting();
    await suiteOf(org.client, 'app');
    const job = clientWith(expectToken(await org.enter(repository)));
    const forged = {
      ...RUN,
      created_by: { type: 'api_key' },
      trigger: 'api',
      trigger_meta: { actor: 'root' },
    };
    const { id } = (await job('POST', '/v1/run', forged)).body;
    expect((await job('GET', `/v1/runs/${id}`)).body.data.created_by).toMatchObject({ actor: 'octocat' });
  });

  test('does nothing else, at any endpoint', async () => {
    const { org, repository, registration } = await keyless.trusting();
    const names = await makeNames(org.client);
    const job = clientWith(expectToken(await org.enter(repository)));
    const answers = [];
    for (const contract of contracts.filter(({ access }) => access === 'api_key')) {
      const { method, path, body } = requestTo(contract, { ...names, issuerId: registration.id });
      const { status } = await job(method, path, body);
      const may = covers('run', contract.scope ?? 'full') && contract.forBrowsers !== true;
      answers.push({ id: contract.id, may, status });
    }
    expect(
      answers
        .filter(({ may }) => may)
        .map(({ id, status }) => `${id} ${status}`)
        .sort(),
    ).toEqual([
      'auth/whoami 200',
      'baselines/get 200',
      'baselines/list 200',
      'cases/inputs 200',
      'comparisons/get 200',
      'definitions/put 200',
      'history/diff 200',
      'history/revision 200',
      'history/revisions 200',
      'runs/create 200',
      'runs/get 200',
      'runs/list 200',
      'runs/results 200',
      // The run is aborted.
      'runs/statement 409',
      'suites/get 200',
      'suites/getById 200',
      'suites/revision 200',
    ]);
    expect(answers.filter(({ may, status }) => !may && status !== 403)).toEqual([]);
  });

  test('sees nothing of another organisation', async () => {
    const { org, repository } = await keyless.trusting();
    const other = await keyless.organisation();
    const theirs = await makeNames(other.client);
    const job = clientWith(expectToken(await org.enter(repository)));
    expectNotFound(await job('GET', `/v1/runs/${theirs.runId}`));
    expectNotFound(await job('GET', `/v1/runs/${theirs.runId}/results`));
    expectNotFound(await job('GET', `/v1/suites/${theirs.suiteId}/runs`));
    expectNotFound(await job('POST', '/v1/run', { ...RUN, suite: theirs.suiteSlug }), { suites: [] });
  });

  test('is bound to the one project that its registration names', async () => {
    const [org, repository] = [await keyless.organisation(), aRepository()];
    const [mine, others] = [await suiteOf(org.client, 'mine'), await suiteOf(org.client, 'others')];
    await org.trust(repository, { project: 'mine' });
    const job = clientWith(expectToken(await org.enter(repository)));

    const { body, status } = await job('POST', '/v1/run', RUN);
    expect(status).toBe(200);
    expect((await job('GET', `/v1/runs/${body.id}`)).body.data.suite_id).toBe(mine.suite.id);
    expectNotFound(await job('POST', '/v1/run', { ...RUN, project: 'others' }), { suites: ['gate'] });
    expectNotFound(await job('GET', `/v1/suites/${others.suite.id}/runs`));
    const { id } = (await org.client('POST', '/v1/run', { ...RUN, project: 'others' })).body;
    expectNotFound(await job('GET', `/v1/runs/${id}`));

    await org.client('DELETE', '/v1/projects/mine');
    await suiteOf(org.client, 'mine');
    expectNotFound(await job('POST', '/v1/run', { ...RUN, project: 'mine' }), { suites: [] });
  });

  test('ends with its registration, at once and for good', async () => {
    const { org, repository, registration } = await keyless.trusting();
    const { suite } = await suiteOf(org.client, 'app');
    const job = clientWith(expectToken(await org.enter(repository)));
    const path = `/v1/suites/${suite.id}/runs`;
    expect((await job('GET', path)).status).toBe(200);
    await org.client('DELETE', `/v1/trusted-issuers/${registration.id}`);
    expectRefused(await job('GET', path));
    expectRefused(await org.enter(repository));
    await org.trust(repository);
    expectRefused(await job('GET', path));
    expectToken(await org.enter(repository));
  });

  test('outlives a deletion of another registration of its repository', async () => {
    const { org, repository } = await keyless.trusting();
    const { suite } = await suiteOf(org.client, 'app');
    const job = clientWith(expectToken(await org.enter(repository)));
    const other = await org.trust(repository, { ref: 'refs/heads/release' });
    await org.client('DELETE', `/v1/trusted-issuers/${other.id}`);
    expect((await job('GET', `/v1/suites/${suite.id}/runs`)).status).toBe(200);
  });

  test('is good for 15 minutes and not a second longer', async () => {
    const { org, repository } = await keyless.trusting();
    const { suite } = await suiteOf(org.client, 'app');
    const { clock } = keyless.service;
    clock.ms = Date.parse('2027-01-01T00:00:00.000Z');
    try {
      const job = clientWith(expectToken(await org.enter(repository)));
      clock.ms += 899_999;
      expect((await job('GET', `/v1/suites/${suite.id}/runs`)).status).toBe(200);
      clock.ms += 1;
      expectRefused(await job('GET', `/v1/suites/${suite.id}/runs`));
    } finally {
      clock.ms = undefined;
    }
  });
});

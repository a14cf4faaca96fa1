import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { api } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { aRepository, jobClaims, type OidcIssuer, startOidcIssuer } from '../../support/oidc.ts';
import { eventually, type RunningService, startService } from '../../support/service.ts';

let issuer: OidcIssuer;
let service: RunningService;
beforeAll(async () => {
  issuer = await startOidcIssuer();
  service = await startService({ env: { GITHUB_OIDC_ISSUER: issuer.url } });
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
});

test('the service as it is started takes a job from its OIDC token to the verdict of an async run', async () => {
  const owner = api(service.baseUrl, service.apiKey);
  const project = await makeProject(owner, { slug: 'app' });
  const suite = await makeSuite(owner, project, { slug: 'gate' });
  await makeCase(owner, suite, await makeScorer(owner, project), { expected: 'yes' });
  const repository = aRepository();
  const body = { repository: repository.name, ref: 'refs/heads/main', workflow: 'gate.yml', project: 'app' };
  const registered = await owner('POST', '/v1/trusted-issuers', body);
  expect(registered.status).toBe(201);

  const oidcToken = issuer.token(jobClaims(project.org_id, repository));
  const exchanged = await api(service.baseUrl, oidcToken)('POST', '/v1/auth/token');
  expect(exchanged.status).toBe(200);
  const job = api(service.baseUrl, exchanged.body.data.token);
  const accepted = await job('POST', '/v1/run', { suite: 'gate', output: 'yes', async: true });
  expect(accepted.status).toBe(202);
  const run = async () => (await job('GET', `/v1/runs/${accepted.body.id}`)).body.data;
  await eventually(async () => (await run()).status !== 'pending');
  expect(await run()).toMatchObject({
    status: 'cleared',
    created_by: {
      type: 'github_actions',
      registration_id: registered.body.data.id,
      repository: repository.name,
    },
  });
  expect((await api(service.baseUrl, oidcToken)('POST', '/v1/auth/token')).status).toBe(401);

  const nightly = issuer.token({
    ...jobClaims(project.org_id, repository),
    event_name: 'schedule',
    run_id: '77',
  });
  const { token } = (await api(service.baseUrl, nightly)('POST', '/v1/auth/token')).body.data;
  const again = await api(service.baseUrl, token)('POST', '/v1/run', {
    suite: 'gate',
    output: 'yes',
    async: true,
  });
  expect(again.status).toBe(202);
  const judgedAgain = async () =>
    (await owner('GET', `/v1/suites/${suite.id}/revision`)).body.data.reliability;
  await eventually(async () => (await judgedAgain()) !== null);
  expect(await judgedAgain()).toMatchObject({
    commits_judged_again: 1,
    disagreed: 0,
    cleared_first: { commits: 1, disagreed: 0 },
    same_outputs: { commits: 1, disagreed: 0 },
  });

  const pusher = { ...body, scope: 'suites', ref: 'refs/heads/main', workflow: 'gate.yml' };
  expect((await owner('POST', '/v1/trusted-issuers', pusher)).status).toBe(201);
  const another = api(service.baseUrl, issuer.token(jobClaims(project.org_id, repository)));
  const forSuites = (await another('POST', '/v1/auth/token', { scope: 'suites' })).body.data.token;
  const keeper = api(service.baseUrl, forSuites);
  const path = `/v1/projects/${project.slug}/suites/gate`;
  expect((await keeper('PATCH', path, { pass_threshold: 0.9 })).status).toBe(200);
  expect((await keeper('GET', '/v1/whoami')).body.data).toMatchObject({
    scope: 'suites',
    credential: { sha: '7d444840a9c1f0b6a3b8f5f8f0f4c4a2d0c7e1ab' },
  });
});

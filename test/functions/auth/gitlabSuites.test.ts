import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Api, type ApiAnswer, api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { GITLAB_FORK, gitlabJob } from '../../support/ciJobs.ts';
import { type Claims, type OidcIssuer, startOidcIssuer } from '../../support/oidc.ts';
import { decoded } from '../../support/tokenKeys.ts';
import {
  expectLacking,
  expectRefused,
  expectToken,
  type Keyless,
  type KeylessOrganisation,
  startKeyless,
} from './keyless.ts';
import { PUSHER, SUITES, workflowRef } from './pushing.ts';

let issuer: OidcIssuer;
let other: OidcIssuer;
let keyless: Keyless;
beforeAll(async () => {
  [issuer, other] = [await startOidcIssuer(), await startOidcIssuer()];
  keyless = await startKeyless(issuer, other);
});
afterAll(async () => {
  await keyless.stop();
  await issuer.stop();
  await other.stop();
});

let org: KeylessOrganisation;
beforeEach(async () => {
  org = await keyless.organisation();
  await makeProject(org.client, { slug: 'bot' });
});

const CLAIMS = {
  project_id: '20',
  ref_path: 'refs/heads/main',
  ci_config_ref_uri: 'gitlab.example.com/my-group/my-project//.gitlab-ci.yml@refs/heads/main',
};
const trust = (by = issuer, fields: object = {}) =>
  org.client('POST', '/v1/trusted-issuers', {
    issuer: by.url,
    provider: 'gitlab',
    claims: CLAIMS,
    scope: 'suites',
    project: 'bot',
    ...fields,
  });
const ask = (claims: Claims = {}, by = issuer): Promise<ApiAnswer> =>
  keyless.exchange(by.token(gitlabJob(org.id, claims)), SUITES);

describe('a job of GitLab gets the scope suites for its project', () => {
  test.each(['push', 'web', 'schedule'])(
    'in a protected branch, by the pipeline source %s',
    async (source) => {
      expect((await trust()).status).toBe(201);
      for (const ref_protected of ['true', true]) {
        const claims = decoded(expectToken(await ask({ pipeline_source: source, ref_protected })), 1);
        expect(claims).toMatchObject({ scope: 'suites', credential: { provider: 'gitlab', subject: '20' } });
        expect(claims.project_id).toEqual(expect.any(String));
      }
    },
  );
});

describe('a job of GitLab gets no scope suites', () => {
  const SOURCES =
    /^Only jobs of a branch, of the pipeline sources push, web, schedule, get the scope "suites"/;
  const PROTECTED = /^Only jobs of a protected branch get the scope "suites": protect the branch at GitLab/;
  const NUMBER = /does not name its pipeline by number/;
  test.each<readonly [string, RegExp, Claims]>([
    ['of a merge request', SOURCES, { pipeline_source: 'merge_request_event' }],
    ['of a trigger', SOURCES, { pipeline_source: 'trigger' }],
    ['of another pipeline', SOURCES, { pipeline_source: 'pipeline' }],
    ['of the API', SOURCES, { pipeline_source: 'api' }],
    ['of a cause in other letters', SOURCES, { pipeline_source: 'Push' }],
    ['of a list of causes', SOURCES, { pipeline_source: ['push'] }],
    ['of no cause', SOURCES, { pipeline_source: undefined }],
    ['of a tag that has the ref of the branch', SOURCES, { ref_type: 'tag' }],
    ['of no kind of ref', SOURCES, { ref_type: undefined }],
    ['of an unprotected branch', PROTECTED, { ref_protected: 'false' }],
    ['of a branch that is protected in other letters', PROTECTED, { ref_protected: 'True' }],
    ['of a branch of which nothing is known', PROTECTED, { ref_protected: undefined }],
    ['of a pipeline without a number', NUMBER, { pipeline_id: undefined }],
    ['of a pipeline by name', NUMBER, { pipeline_id: '574a' }],
  ])('%s: the error names the reason', async (_, sentence, claims) => {
    expect((await trust()).status).toBe(201);
    expectLacking(await ask(claims), sentence);
  });

  test.each<readonly [string, Claims]>([
    ['of a fork', GITLAB_FORK],
    ['of a fork that has a branch of that name', { ...GITLAB_FORK, pipeline_source: 'push' }],
    [
      'of a merge request at an older server',
      { pipeline_source: 'merge_request_event', ref_path: 'refs/merge-requests/7/head' },
    ],
    ['of another branch', { ref_path: 'refs/heads/feature' }],
    ['of a branch that only begins like it', { ref_path: 'refs/heads/main2' }],
    ['of a tag', { ref_path: 'refs/tags/main', ref_type: 'tag' }],
    ['of another file', { ci_config_ref_uri: CLAIMS.ci_config_ref_uri.replace('.gitlab-ci', 'other') }],
    [
      'of the file of another branch',
      { ci_config_ref_uri: CLAIMS.ci_config_ref_uri.replace('main', 'feature') },
    ],
    ['of a file outside', { ci_config_ref_uri: null }],
    ['of another project', { project_id: '21', job_project_id: '21' }],
  ])('%s, which its registration does not fit', async (_, claims) => {
    expect((await trust()).status).toBe(201);
    expectRefused(await ask(claims));
  });

  test('of another branch, though it may run gates: the error names what to register', async () => {
    expect((await trust()).status).toBe(201);
    expect(
      (await trust(issuer, { scope: 'run', claims: { project_id: '20' }, project: undefined })).status,
    ).toBe(201);
    expectLacking(
      await ask({ ref_path: 'refs/heads/feature' }),
      /^No registration of the scope "suites" is for this job: add one that names project_id, ref_path/,
    );
  });
});

describe('equal numbers at two systems own nothing of each other:', () => {
  const PATH = '/v1/projects/bot/suites/returns/definition';
  const put = (client: Api, pass_threshold: number) =>
    client('PUT', PATH, {
      definition: {
        version: 1,
        suite: 'returns',
        pass_threshold,
        scorers: { says: { type: 'contains', config: { values: ['30 days'] } } },
        cases: [{ key: 'window', scorer: 'says', input: { q: 'How long?' } }],
      },
    });
  const clientOf = (answer: ApiAnswer) => api(keyless.service.baseUrl, expectToken(answer));
  const REPOSITORY = { name: 'my-group/my-project', id: '20', ownerId: '72' };

  async function jobs() {
    await org.trust(REPOSITORY, PUSHER);
    for (const by of [issuer, other]) expect((await trust(by)).status).toBe(201);
    const github = await keyless.exchange(org.tokenOf(REPOSITORY, workflowRef(REPOSITORY)), SUITES);
    const [one, two] = [await ask(), await ask({}, other)];
    return { github: clientOf(github), gitlab: clientOf(one), elsewhere: clientOf(two) };
  }
  const codeOf = ({ status, body }: ApiAnswer) => [status, body.error?.code];

  test('a suite that a job of GitHub pushed is its repository’s', async () => {
    const { github, gitlab } = await jobs();
    expect((await put(github, 0.8)).status).toBe(200);
    const refused = await put(gitlab, 0.9);
    expect(codeOf(refused)).toEqual([403, 'OWNED_ELSEWHERE']);
    expect(refused.body.error.message).toContain('my-group/my-project at GitHub');
    expect(refused.body.error.details).toEqual({ repository_id: '20', repository: 'my-group/my-project' });
  });

  test('a suite that a job of GitLab pushed is that project’s, at that issuer', async () => {
    const { github, gitlab, elsewhere } = await jobs();
    expect((await put(gitlab, 0.8)).status).toBe(200);
    for (const client of [github, elsewhere]) {
      const refused = await put(client, 0.9);
      expect(codeOf(refused)).toEqual([403, 'OWNED_ELSEWHERE']);
      expect(refused.body.error.message).toContain(`my-group/my-project at ${issuer.url}`);
      expect(refused.body.error.details).toEqual({
        provider: 'gitlab',
        issuer: issuer.url,
        id: '20',
        name: 'my-group/my-project',
      });
    }
    expect((await put(gitlab, 0.9)).status).toBe(200);
  });

  test('an older pipeline that is run again changes nothing', async () => {
    const { gitlab } = await jobs();
    expect((await put(gitlab, 0.8)).status).toBe(200);
    expect(codeOf(await put(clientOf(await ask({ pipeline_id: '573' })), 0.9))).toEqual([409, 'STALE_PUSH']);
    expect((await put(clientOf(await ask({ pipeline_id: '575' })), 0.9)).status).toBe(200);
  });
});

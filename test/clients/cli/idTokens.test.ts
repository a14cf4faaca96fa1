import { readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { gitlabJob } from '../../support/ciJobs.ts';
import { type Claims, type OidcIssuer, startOidcIssuer } from '../../support/oidc.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { tokenKeys } from '../../support/tokenKeys.ts';
import { startHostile } from '../sdk/hostile.ts';
import { aGate, aPlace, type Gated, type Place } from './cli.ts';

const { keys, folder } = tokenKeys(1);
let issuer: OidcIssuer;
let service: OwnService;
let gated: Gated;
let place: Place;
beforeAll(async () => {
  issuer = await startOidcIssuer();
  service = await startOwnService({ ISSUER_ALLOWLIST: issuer.place, TOKEN_KEY_FILES: String(keys[0]?.file) });
  gated = await aGate(service.baseUrl);
  await gated.gate.suites.update('bot', 'returns', { show_inputs: true });
  await gated.gate.trustedIssuers.create({
    issuer: issuer.url,
    provider: 'gitlab',
    claims: { project_id: '7' },
  });
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  place = aPlace({ EVALGATE_URL: service.baseUrl, EVALGATE_ORG: gated.orgId, EVALGATE_RETRIES: '0' });
  place.file('good.txt', 'within 30 days');
});
afterEach(() => {
  service.clock.ms = undefined;
  place.remove();
});

/** The ID token of a job of GitLab on a push to the main branch, of project 7. */
const idToken = (claims: Claims = {}): string =>
  issuer.token(gitlabJob(gated.orgId, { project_id: '7', job_project_id: '7', ...claims }));
const FILE = 'gitlab.example.com/my-group/my-project//.gitlab-ci.yml@refs/heads/main';

const RUN = ['run', 'returns', '--project', 'bot', '--output', 'good.txt'];
const exchanges = () =>
  service.log.filter(({ code, endpoint }) => code === 'request_completed' && endpoint === 'auth/token')
    .length;

test('a job without a key runs a gate by its ID token, which one command exchanges once, and the run names the job', async () => {
  const before = exchanges();
  const env = {
    EVALGATE_ID_TOKEN: idToken(),
    GITLAB_CI: 'true',
    CI_MERGE_REQUEST_IID: '12',
    CI_PIPELINE_URL: 'https://gitlab.example.com/my-group/my-project/-/pipelines/574',
  };
  const { code, stdout, stderr } = await place.cli([...RUN, '--meta', 'team=bots'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('eyJ') });
  const [id = ''] = /run_\w+/.exec(stdout) ?? [];
  const { created_by, trigger_meta } = await gated.gate.runs.get(id);
  const name = 'my-group/my-project';
  expect(created_by).toMatchObject({ type: 'ci_job', provider: 'gitlab', subject: '7', name });
  expect(trigger_meta).toEqual({ team: 'bots', pull_request: '12', run_url: env.CI_PIPELINE_URL });
  expect(exchanges() - before).toBe(1);
});

test('--id-token-env names another variable, and a candidate that `ask` runs gets neither', async () => {
  const env = { OTHER_TOKEN: idToken(), EVALGATE_ID_TOKEN: 'unused', EVALGATE_API_KEY: '' };
  const print = ['node', '-e', 'console.log(JSON.stringify(process.env))'];
  const named = ['--id-token-env', 'OTHER_TOKEN', '--project', 'bot'];
  const { code } = await place.cli([...named, 'ask', 'returns', '--out', 'out.jsonl', '--', ...print], {
    env,
  });
  expect(code).toBe(0);
  const outputs = readFileSync(path.join(place.folder, 'out.jsonl'), 'utf8');
  expect(outputs).toContain('EVALGATE_CASE');
  expect(outputs).not.toMatch(/OTHER_TOKEN|EVALGATE_ID_TOKEN/);
});

test('a login keeps the token of the job, so that several commands exchange once', async () => {
  const env = { EVALGATE_ID_TOKEN: idToken() };
  const login = await place.cli(['login', '--id-token-env', 'EVALGATE_ID_TOKEN'], { env });
  expect(login).toMatchObject({ code: 0, stderr: expect.stringMatching(/\(scope run\) until 20/) });
  const file = path.join(place.home, '.config/evalgate/credentials.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain(env.EVALGATE_ID_TOKEN);
  for (const args of [RUN, RUN, ['runs', 'returns', '--project', 'bot']])
    expect(await place.cli(args, { env })).toMatchObject({ code: 0 });
  const who = await place.cli(['whoami'], { env });
  expect(who.stdout).toMatch(/credential {2}a GitLab job of my-group\/my-project {2}until 20/);
  const doctor = await place.cli(['doctor', '--project', 'bot'], { env });
  expect(doctor).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/✓ credential {2}token until 20.*, from the login \(.*, mode 0600\)/),
  });
});

test('a kept token that has ended is named with what to do, and counts in no job with another ID token', async () => {
  const env = { EVALGATE_ID_TOKEN: idToken() };
  await place.cli(['login', '--id-token-env', 'EVALGATE_ID_TOKEN'], { env });
  const other = await place.cli(RUN, { env: { EVALGATE_ID_TOKEN: idToken({ project_id: '8' }) } });
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('is not accepted') });
  const fresh = await place.cli(['whoami'], {
    env: { EVALGATE_ID_TOKEN: idToken({ project_path: 'octo/new' }) },
  });
  expect(fresh.stdout).toContain('a GitLab job of octo/new');
  const clock = {
    now: () => Date.now() + 3_700_000,
    sleep: async () => undefined,
    after: () => () => undefined,
  };
  const late = await place.cli(RUN, { env, clock });
  expect(late).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /The login to .* ended at 20.*\n.*evalgate login --id-token-env EVALGATE_ID_TOKEN/,
    ),
  });
});

test('a login of scope suites pushes, where the job is trusted with that', async () => {
  await gated.gate.trustedIssuers.create({
    issuer: issuer.url,
    provider: 'gitlab',
    scope: 'suites',
    project: 'bot',
    claims: {
      project_id: '7',
      ref_path: 'refs/heads/main',
      ci_config_ref_uri: FILE,
    },
  });
  const env = { EVALGATE_ID_TOKEN: idToken(), GITLAB_CI: 'true' };
  const args = ['login', '--id-token-env', 'EVALGATE_ID_TOKEN', '--scope', 'suites'];
  expect(await place.cli(args, { env })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('scope suites'),
  });
  const byPull = idToken({ pipeline_source: 'merge_request_event' });
  const refused = await place.cli(args, { env: { EVALGATE_ID_TOKEN: byPull } });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('push, web, schedule') });
});

test('an ID token that is spent, or of a stranger, is named with its issuer; doctor shows its claims and spends none', async () => {
  const env = { EVALGATE_ID_TOKEN: idToken() };
  const doctor = await place.cli(['doctor', '--project', 'bot'], { env });
  expect(doctor.code).toBe(0);
  expect(doctor.stdout).toContain("✓ credential  the job's ID token, from EVALGATE_ID_TOKEN\n");
  expect(doctor.stdout).toContain(
    `! ID token  iss ${issuer.url}, aud evalgate:${gated.orgId}, sub project_path:my-group/my-project:ref_type:branch:ref:main, project_id 7, `,
  );
  expect(doctor.stdout).toMatch(/, ends 20\d\d-/);
  expect(doctor.stdout).not.toMatch(/eyJ|octocat/);
  expect(await place.cli(RUN, { env })).toMatchObject({ code: 0 });
  const again = await place.cli(RUN, { env });
  expect(again).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      `does the organisation trust ${issuer.url} with these claims, and is it new?`,
    ),
  });
  const ended = await place.cli(['doctor'], { env: { EVALGATE_ID_TOKEN: idToken({ exp: 1_000 }) } });
  expect(ended).toMatchObject({ code: 2, stdout: expect.stringContaining('✗ ID token  iss') });
});

test('no ID token goes to a service that only evalgate.yaml names, or is for another audience', async () => {
  const theirs = await startHostile();
  const env = { EVALGATE_ID_TOKEN: idToken() };
  place.file('evalgate.yaml', `version: 1\nurl: ${theirs.url}\n`);
  const named = await place.cli(RUN, { env: { ...env, EVALGATE_URL: '' } });
  expect(named).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no ID token of a job is sent there'),
  });
  for (const aud of ['https://gitlab.com', 'evalgate:other', [`evalgate:${gated.orgId}`, 'x'], undefined]) {
    const refused = await place.cli(RUN, {
      env: { EVALGATE_URL: theirs.url, EVALGATE_ID_TOKEN: idToken({ aud }) },
    });
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Request one for "evalgate:${gated.orgId}"`),
    });
  }
  expect(theirs.seen).toEqual([]);
  await theirs.stop();
});

test.each([
  [{ EVALGATE_ID_TOKEN: '' }, [], 'EVALGATE_ID_TOKEN is empty.'],
  [{ EVALGATE_ID_TOKEN: 'eyJ.x' }, [], 'EVALGATE_ID_TOKEN holds no ID token (not shown here).'],
  [
    { EVALGATE_ID_TOKEN: `egk_${'a'.repeat(24)}` },
    [],
    'EVALGATE_ID_TOKEN holds an API key (not shown here).',
  ],
  [{}, ['--id-token-env', 'OTHER'], 'OTHER is empty or not set.'],
  [{}, ['--id-token-env', 'eyJ.e.x'], '--id-token-env is no name of a variable (not shown here).'],
  [
    { OTHER: 'x', EVALGATE_API_KEY: 'egk_x' },
    ['--id-token-env', 'OTHER'],
    'Both EVALGATE_API_KEY and --id-token-env name a credential.',
  ],
])('with %j and %j the command prints what is wrong, and sends nothing', async (env, args, sentence) => {
  const { code, stderr } = await place.cli([...RUN, ...args], { env });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) });
  expect(stderr).not.toMatch(/eyJ|aaaa/);
});

test('an API key goes before an ID token that is set, too, and doctor names that', async () => {
  const env = { EVALGATE_ID_TOKEN: idToken(), EVALGATE_API_KEY: gated.apiKey };
  const who = await place.cli(['whoami', '--json'], { env });
  expect(JSON.parse(who.stdout)).toMatchObject({ credential: { type: 'api_key' } });
  const { stdout } = await place.cli(['doctor', '--project', 'bot'], { env });
  expect(stdout).toContain('EVALGATE_API_KEY goes before EVALGATE_ID_TOKEN');
});

test('trust registers an issuer with claims, whose values of one name are alternatives, and prints what its jobs need', async () => {
  const env = { EVALGATE_API_KEY: gated.apiKey };
  const trust = ['trust', '--issuer', issuer.url, '--project', 'bot'];
  const claims = [
    '--claim',
    'project_id=71',
    '--claim',
    'ref_path=refs/heads/a',
    '--claim',
    'ref_path=refs/heads/b=c',
  ];
  const made = await place.cli([...trust, '--provider', 'gitlab', '--label', 'Bot', ...claims, '--json'], {
    env,
  });
  expect(made.code).toBe(0);
  expect(JSON.parse(made.stdout)).toMatchObject({
    provider: 'gitlab',
    label: 'Bot',
    scope: 'run',
    claims: { project_id: '71', ref_path: ['refs/heads/a', 'refs/heads/b=c'] },
  });
  expect(made.stderr).toContain(`id_tokens: { EVALGATE_ID_TOKEN: { aud: "evalgate:${gated.orgId}" } }`);
  const loose = await place.cli([...trust, '--provider', 'gitlab', '--claim', 'project_path=octo/bot'], {
    env,
  });
  expect(loose).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('must name project_id or namespace_id'),
  });
});

test.each([
  [['my-group/my-project', '--issuer', 'https://gitlab.com'], '--issuer is for another system than GitHub.'],
  [['my-group/my-project', '--claim', 'a=b'], '--claim is for another system than GitHub.'],
  [['--issuer', 'https://gitlab.com', '--ref', 'refs/heads/main'], '--ref is for GitHub.'],
  [['--issuer', 'https://gitlab.com', '--claim', 'project_id'], '--claim project_id is no pair.'],
  [[], 'Neither a repository nor an issuer is named.'],
])('trust %j is refused before anything is sent', async (args, sentence) => {
  const { code, stderr } = await place.cli(['trust', ...args], {
    env: { EVALGATE_URL: 'http://127.0.0.1:9' },
  });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) });
});

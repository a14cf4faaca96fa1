import { type KeyObject, verify } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, Verifier } from '@sigstore/verify';
import { handler } from '../../../functions/runs/statement.ts';
import { api } from '../../support/api.ts';
import { gitlabJob, SHA } from '../../support/ciJobs.ts';
import { expectNotFound } from '../../support/expectations.ts';
import { startKms } from '../../support/kms.ts';
import {
  aRepository,
  type Claims,
  type OidcIssuer,
  type Repository,
  startOidcIssuer,
} from '../../support/oidc.ts';
import { startOwnService } from '../../support/ownService.ts';
import { type StatementKey, statementKeyFiles } from '../../support/statementKeys.ts';
import { type Keyless, type KeylessOrganisation, startKeylessWith } from '../auth/keyless.ts';
import { type Gate, makeGate } from './gate.ts';

const { folder, keys } = statementKeyFiles(2);
const [key, other] = keys as [StatementKey, StatementKey];
let [keyless, gitlab]: [Keyless, OidcIssuer] = [] as never;
let org: KeylessOrganisation;
let gate: Gate;
beforeAll(async () => {
  gitlab = await startOidcIssuer();
  keyless = await startKeylessWith({ STATEMENT_KEY_FILES: `${key.file},${other.file}` }, gitlab);
  org = await keyless.organisation();
  gate = await makeGate(
    keyless.service.baseUrl,
    { gates: { tags: [{ tag: 'eu', pass_threshold: 1 }] } },
    org.client,
  );
  await gate.add({}, { key: 'the-secret-case', tags: ['eu'], expected: 'a-secret-expectation' });
});
afterAll(async () => {
  await keyless.stop();
  await gitlab.stop();
  rmSync(folder, { recursive: true });
});

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
type Json = any;

const statementOf = (runId: string, client = org.client) => client('GET', `/v1/runs/${runId}/statement`);
const payloadOf = ({ dsseEnvelope }: Json): Json =>
  JSON.parse(String(Buffer.from(dsseEnvelope.payload, 'base64')));

/** Of its own, by the specifications alone. */
function isSigned({ dsseEnvelope: { payloadType, payload, signatures } }: Json, by: KeyObject): boolean {
  const body = Buffer.from(payload, 'base64');
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${body.length} `;
  return verify(
    'sha256',
    Buffer.concat([Buffer.from(head), body]),
    by,
    Buffer.from(signatures[0].sig, 'base64'),
  );
}

async function jobRun(claims: Claims = {}): Promise<Json> {
  const source = await trusted();
  const token = (await org.enter(source, claims)).body.data.token;
  const answer = await api(keyless.service.baseUrl, token)('POST', '/v1/run', {
    suite: gate.suite.slug,
    output: 'ok',
    trigger_meta: { sha: 'f'.repeat(40), repository: 'a/liar' },
  });
  expect(answer.body).toMatchObject({ status: 'cleared' });
  return { run: answer.body, repository: source };
}

let repository: Repository | undefined;
/** A repository that the organisation trusts. */
async function trusted(): Promise<Repository> {
  if (repository === undefined) {
    repository = aRepository();
    await org.trust(repository);
  }
  return repository;
}

const COMMIT = '8f2c1aa0b401fdce83e847fc9589983fc6f46bc1';

describe('the statement of a run that was cleared', () => {
  test('is signed over what the run is, by the first key, and holds no text of the suite', async () => {
    const { run, repository } = await jobRun({ event_name: 'push', sha: COMMIT, ref: 'refs/heads/main' });
    const { status, body } = await statementOf(run.id);
    expect(status).toBe(200);
    expect(isSigned(body, key.publicKey)).toBe(true);
    expect(isSigned(body, other.publicKey)).toBe(false);
    expect(body).toEqual({
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: { publicKey: { hint: key.kid }, tlogEntries: [] },
      dsseEnvelope: {
        payloadType: 'application/vnd.in-toto+json',
        payload: expect.any(String),
        signatures: [{ keyid: key.kid, sig: expect.any(String) }],
      },
    });
    const shown = (await gate.client('GET', `/v1/runs/${run.id}`)).body.data;
    const { project, suite } = gate;
    const digest = { sha256: shown.suite_digest.slice(7) };
    const name = `${project.slug}/${suite.slug}`;
    expect(payloadOf(body)).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { name: 'outputs', digest: { sha256: shown.outputs_digest.slice(7) } },
        {
          name: `git+https://${new URL(keyless.issuer.url).host}/${repository.name}`,
          digest: { gitCommit: COMMIT },
        },
      ],
      predicateType: 'https://in-toto.io/attestation/svr/v0.2',
      predicate: {
        verifier: {
          id: `urn:evalgate:local/organisations/${org.id}`,
          policies: [{ name, uri: `urn:evalgate:suite:${suite.id}`, digest }],
        },
        timeCreated: shown.completed_at,
        properties: ['EVALGATE_CLEARED'],
        evalgate: {
          runId: run.id,
          project: project.slug,
          suite: suite.slug,
          receivedAt: shown.created_at,
          barInForceSince: expect.stringMatching(/^20.+Z$/),
          baselineId: null,
          passRate: 1,
          totalCases: 1,
          passedCases: 1,
          missingCases: 0,
          erroredCases: 0,
          advisoryCases: 0,
          gates: expect.arrayContaining([{ gate: 'tag:eu', observed: 1, required: 1 }]),
          job: expect.objectContaining({
            repository: repository.name,
            ref: 'refs/heads/main',
            eventName: 'push',
          }),
        },
      },
    });
    const { barInForceSince, receivedAt } = payloadOf(body).predicate.evalgate;
    expect(barInForceSince <= receivedAt).toBe(true);
    expect(JSON.stringify(payloadOf(body))).not.toMatch(/secret|liar|"ok"/);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(16_384);
  });

  test('is accepted by a verifier of Sigstore, and refused after a change of its payload', async () => {
    const { run } = await jobRun();
    const { body } = await statementOf(run.id);
    const material = {
      certificateAuthorities: [],
      timestampAuthorities: [],
      tlogs: [],
      ctlogs: [],
      publicKey: (hint: string) => {
        expect(hint).toBe(key.kid);
        return { publicKey: key.publicKey, validFor: () => true };
      },
    };
    const verifier = new Verifier(material, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 });
    expect(() => verifier.verify(toSignedEntity(bundleFromJSON(body)))).not.toThrow();
    const lying = structuredClone(body);
    const text = String(Buffer.from(lying.dsseEnvelope.payload, 'base64')).replace(
      '"totalCases":1',
      '"totalCases":9',
    );
    lying.dsseEnvelope.payload = Buffer.from(text).toString('base64');
    expect(() => verifier.verify(toSignedEntity(bundleFromJSON(lying)))).toThrow();
  });

  test('has the same payload at each request, after the suite was renamed and deleted, too', async () => {
    const own = await makeGate(keyless.service.baseUrl, { name: 'Own 1' }, org.client);
    await own.add({});
    const { id } = await own.run('ok');
    const { payload } = (await statementOf(id)).body.dsseEnvelope;
    const address = `/v1/projects/${own.project.slug}/suites/${own.suite.slug}`;
    for (const change of [
      () => own.client('PATCH', address, { name: 'Renamed' }),
      () => own.client('DELETE', address),
    ]) {
      expect((await change()).status).toBeLessThan(300);
      expect((await statementOf(id)).body.dsseEnvelope.payload).toBe(payload);
    }
  });

  test('moves the time of the bar on with an edit of the suite, and of a scorer', async () => {
    const own = await makeGate(keyless.service.baseUrl, { name: 'Own 2' }, org.client);
    const { scorer_id } = await own.add({});
    const since = async () => {
      const { body } = await statementOf((await own.run('ok')).id);
      return payloadOf(body).predicate.evalgate.barInForceSince;
    };
    const first = await since();
    const edits = [
      [`/v1/projects/${own.project.slug}/suites/${own.suite.slug}`, { pass_threshold: 0.5 }],
      [`/v1/scorers/${scorer_id}`, { name: 'Renamed' }],
    ] as const;
    let before = first;
    for (const [path, fields] of edits) {
      keyless.service.clock.ms = keyless.nowMs() + 60_000;
      expect((await own.client('PATCH', path, fields)).status).toBe(200);
      const after = await since();
      expect(after > before).toBe(true);
      before = after;
    }
    keyless.service.clock.ms = undefined;
  });

  test('of a run with a key names neither a commit nor a job', async () => {
    const { id } = await gate.run('ok', { trigger_meta: { sha: COMMIT, repository: 'octo/bot' } });
    const { subject, predicate } = payloadOf((await statementOf(id)).body);
    expect(subject).toHaveLength(1);
    expect(predicate.evalgate.job).toBeUndefined();
  });

  test.each([
    ['push', true],
    ['pull_request', true],
    ['merge_group', true],
    ['schedule', true],
    ['workflow_dispatch', true],
    ['release', true],
    ['workflow_run', false],
    ['issue_comment', false],
    ['pull_request_target', false],
    ['repository_dispatch', false],
  ])('of a job of the event %s names its commit: %s', async (event_name, isNamed) => {
    const { run } = await jobRun({ event_name, sha: COMMIT });
    const [, ...commits] = payloadOf((await statementOf(run.id)).body).subject;
    expect(commits.map(({ digest }: Json) => digest)).toEqual(isNamed ? [{ gitCommit: COMMIT }] : []);
  });

  test.each([
    ['push', true],
    ['merge_request_event', false],
  ])('of a job of GitLab of the source %s names its commit: %s', async (pipeline_source, isNamed) => {
    await org.client('POST', '/v1/trusted-issuers', {
      issuer: gitlab.url,
      provider: 'gitlab',
      claims: { project_id: '20' },
    });
    const entered = await keyless.exchange(gitlab.token(gitlabJob(org.id, { pipeline_source })));
    const job = api(keyless.service.baseUrl, entered.body.data.token);
    const { body } = await job('POST', '/v1/run', { suite: gate.suite.slug, output: 'ok' });
    const { subject, predicate } = payloadOf((await statementOf(body.id)).body);
    const commit = { name: `git+${gitlab.url}/projects/20`, digest: { gitCommit: SHA } };
    expect(subject.slice(1)).toEqual(isNamed ? [commit] : []);
    expect(predicate.evalgate.job).toMatchObject({ provider: 'gitlab', subject: '20' });
  });
});

describe('there is no statement', () => {
  const expectNotCleared = async (id: string) =>
    expect(await statementOf(id)).toMatchObject({
      status: 409,
      body: { error: { code: 'RUN_NOT_CLEARED' } },
    });

  test('of a run that was aborted, is inconclusive or waived', async () => {
    const { id } = await gate.run('no');
    await expectNotCleared(id);
    const expires_at = new Date(keyless.nowMs() + 3_600_000).toISOString();
    const waived = await gate.client('POST', `/v1/runs/${id}/waiver`, {
      reason: 'Ada: it is wanted',
      expires_at,
    });
    expect(waived.status).toBe(201);
    await expectNotCleared(id);
    const own = await makeGate(
      keyless.service.baseUrl,
      { name: 'Few cases', gates: { min_judged_cases: 2 } },
      org.client,
    );
    await own.add({});
    const inconclusive = await own.run('ok');
    expect(inconclusive).toMatchObject({ status: 'aborted', inconclusive: true });
    await expectNotCleared(inconclusive.id);
  });

  test('of a run that does not exist, and of another organisation', async () => {
    const { id } = await gate.run('ok');
    expectNotFound(await statementOf('run_none'));
    expectNotFound(await statementOf(id, (await keyless.organisation()).client));
  });

  test('where the deployment has no key, which publishes none', async () => {
    const service = await startOwnService();
    try {
      const own = await makeGate(service.baseUrl);
      await own.add({});
      const { status, body } = await statementOf((await own.run('ok')).id, own.client);
      expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'STATEMENTS_NOT_CONFIGURED' });
      const published = await api(service.baseUrl)('GET', '/.well-known/statement-keys.json');
      expect(published).toMatchObject({ status: 200, body: { keys: [] } });
    } finally {
      await service.stop();
    }
  });
});

test('the public keys are published, the signing one first, and none of them verifies tokens', async () => {
  const anyone = api(keyless.service.baseUrl);
  const { status, body, headers } = await anyone('GET', '/.well-known/statement-keys.json');
  expect({ status, cached: headers.get('cache-control') }).toEqual({
    status: 200,
    cached: 'public, max-age=300',
  });
  const form = {
    kty: 'EC',
    crv: 'P-256',
    alg: 'ES256',
    use: 'sig',
    x: expect.any(String),
    y: expect.any(String),
  };
  expect(body).toEqual({ keys: keys.map(({ kid, pem }) => ({ ...form, kid, pem })) });
  const tokens = await anyone('GET', '/.well-known/jwks.json');
  const kids = tokens.body.keys.map(({ kid }: Json) => kid);
  expect(kids.some((kid: string) => keys.some((one) => one.kid === kid))).toBe(false);
});

test('keys may lie in KMS; after a rotation the other one signs, and earlier statements stay verified', async () => {
  const kms = await startKms();
  const [first, second] = ['alias/first', 'alias/second'].map((id) => kms.addKeyPair(id, 'ECC_NIST_P256'));
  const { id } = await gate.run('ok');
  const { runtime } = keyless.service;
  const signedBy = async (...keyIds: string[]): Promise<Json> => {
    const variables = { STATEMENT_KMS_KEY_IDS: keyIds.join(), KMS_ENDPOINT: kms.endpoint };
    const own = handler.withRuntime({ ...runtime, config: { ...runtime.config, variables } });
    const { key: credential } = (await org.client('POST', '/v1/api-keys', { name: 'k' })).body.data;
    const event = {
      headers: { authorization: `Bearer ${credential}` },
      pathParameters: { runId: id },
      rawPath: `/v1/runs/${id}/statement`,
      rawQueryString: '',
      requestContext: { http: { method: 'GET', path: '', sourceIp: '203.0.113.7' } },
    };
    const answer = await own(event as never, {} as never);
    return JSON.parse(String(answer.body));
  };
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  const before = await signedBy('alias/first', 'alias/second');
  const after = await signedBy('alias/second', 'alias/first');
  expect([first, second].map((by) => isSigned(before, by as KeyObject))).toEqual([true, false]);
  expect([first, second].map((by) => isSigned(after, by as KeyObject))).toEqual([false, true]);
  expect(after.dsseEnvelope.payload).toBe(before.dsseEnvelope.payload);
  expect(kms.calls.filter(({ operation }) => operation === 'Sign')).toHaveLength(2);
  await kms.stop();
});

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { EvalCase } from '../../../shared/contracts/cases.ts';
import { documentDigest } from '../../../shared/scoring/digest/documents.ts';
import { type Api, api, signUp } from '../../support/api.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

let service: OwnService;
let gate: Gate;
let evalCase: EvalCase;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.ms = Date.parse('2036-05-05T12:00:00.000Z');
  gate = await makeGate(service.baseUrl, { pass_threshold: 0.6 });
  evalCase = await gate.add({}, { key: 'says-ok', input: { q: 'secret question' }, expected: 'ok' });
});

const pathOf = (rest = '') => `/v1/suites/${gate.suite.id}/revisions${rest}`;
async function got(path: string, client: Api = gate.client) {
  const { status, body } = await client('GET', path);
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
}
const patched = async (path: string, body: object) =>
  expect((await gate.client('PATCH', path, body)).status).toBe(200);
const setThreshold = (pass_threshold: number) =>
  patched(`/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`, { pass_threshold });
const keyOf = async (scope: string): Promise<Api> =>
  api(service.baseUrl, (await gate.client('POST', '/v1/api-keys', { name: scope, scope })).body.data.key);
const expectMissing = async (path: string, client: Api = gate.client) => {
  const { status, body } = await client('GET', path);
  expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
  return body.error.message;
};

test('a bar is listed by its first run, once, the newest first, and stays the one whose first run it names', async () => {
  expect(await got(pathOf())).toMatchObject({ data: [], pagination: { total: 0 } });
  const first = await gate.run('ok');
  await gate.run('ok');
  service.clock.ms = (service.clock.ms ?? 0) + 60_000;
  await setThreshold(0.7);
  const second = await gate.run('ok');
  await setThreshold(0.6);
  await gate.run('ok');
  const { data, pagination } = await got(pathOf());
  expect(data).toEqual([
    {
      digest: second.suite_digest,
      first_run_id: second.id,
      first_run_at: expect.any(String),
      case_count: 1,
      pass_threshold: 0.7,
      reliability: null,
    },
    {
      digest: first.suite_digest,
      first_run_id: first.id,
      first_run_at: '2036-05-05T12:00:00.000Z',
      case_count: 1,
      pass_threshold: 0.6,
      reliability: null,
    },
  ]);
  expect(pagination).toEqual({ page: 1, pageSize: 20, total: 2, hasMore: false });
  expect((await got(pathOf('?page=2&pageSize=1'))).data).toEqual([data[1]]);
});

test('a run that is refused lists no bar', async () => {
  const refused = await gate.client('POST', '/v1/run', {
    suite: gate.suite.slug,
    output: 'ok',
    suite_digest: `sha256:${'0'.repeat(64)}`,
  });
  expect(refused.status).toBe(409);
  expect((await got(pathOf())).data).toEqual([]);
});

test('a bar is read by its digest as it was, whatever has become of the suite', async () => {
  const { suite_digest: digest } = await gate.run('ok');
  await patched(`/v1/cases/${evalCase.id}`, { threshold: 0.2, expected: 'other' });
  await patched(`/v1/scorers/${evalCase.scorer_id}`, { config: { values: ['not ok'] } });
  const { data } = await got(pathOf(`/${digest}`));
  expect(data).toEqual({
    digest,
    scoring: 1,
    pass_threshold: 0.6,
    gates: {},
    cases: [
      {
        case_id: evalCase.id,
        key: 'says-ok',
        scorer_id: evalCase.scorer_id,
        threshold: evalCase.threshold,
        weight: 1,
        must_pass: false,
        tags: [],
        advisory_until: null,
        sample_count: 1,
        sample_pass_rate: 1,
        input_digest: `sha256:${documentDigest({ q: 'secret question' })}`,
        expected_digest: `sha256:${documentDigest('ok')}`,
      },
    ],
    scorers: [
      {
        scorer_id: evalCase.scorer_id,
        key: 'a-scorer',
        type: 'contains',
        dual_sided: false,
        precision_threshold: null,
        recall_threshold: null,
        config: { mode: 'all', values: ['ok'] },
      },
    ],
  });
  expect((await got(pathOf(`/${digest.replace(':', '%3A')}`))).data).toEqual(data);
});

test('a difference names fields of the suite, and cases and scorers that were added, removed or changed', async () => {
  const removed = await gate.add({ key: 'second' }, { key: 'goes' });
  const { suite_digest: digest } = await gate.run('ok');
  expect((await got(pathOf(`/${digest}/diff`))).data).toEqual(NO_DIFFERENCE);
  await setThreshold(0.9);
  await patched(`/v1/cases/${evalCase.id}`, { threshold: 0.2, name: 'Names decide nothing', tags: ['a'] });
  await patched(`/v1/scorers/${evalCase.scorer_id}`, { config: { values: ['yes'] }, name: 'Nor do these' });
  await patched(`/v1/cases/${removed.id}`, { is_active: false });
  const scorer = await makeScorer(gate.client, gate.project, { key: 'third' });
  const added = await makeCase(gate.client, gate.suite, scorer, { key: 'comes' });
  const { data } = await got(pathOf(`/${digest}/diff`));
  expect(data).toEqual({
    suite: { pass_threshold: { from: 0.6, to: 0.9 } },
    cases: {
      added: [{ case_id: added.id, key: 'comes' }],
      removed: [{ case_id: removed.id, key: 'goes' }],
      changed: [
        {
          case_id: evalCase.id,
          key: 'says-ok',
          changes: {
            threshold: { from: evalCase.threshold, to: 0.2 },
            tags: { from: [], to: ['a'] },
          },
        },
      ],
    },
    scorers: {
      added: [{ scorer_id: scorer.id, key: 'third' }],
      removed: [{ scorer_id: removed.scorer_id, key: 'second' }],
      changed: [
        {
          scorer_id: evalCase.scorer_id,
          key: 'a-scorer',
          changes: {
            config: { from: { mode: 'all', values: ['ok'] }, to: { mode: 'all', values: ['yes'] } },
          },
        },
      ],
    },
  });
  const { suite_digest: to } = await gate.run('yes');
  expect((await got(pathOf(`/${digest}/diff?to=${to}`))).data).toEqual(data);
  expect((await got(pathOf(`/${to}/diff?to=${to}`))).data).toEqual(NO_DIFFERENCE);
});

const NO_DIFFERENCE = {
  suite: {},
  cases: { added: [], removed: [], changed: [] },
  scorers: { added: [], removed: [], changed: [] },
};

test('scope run sees that configs, inputs and expected values differ, by digits that say nothing in another suite', async () => {
  const { suite_digest: digest } = await gate.run('ok');
  await patched(`/v1/cases/${evalCase.id}`, { expected: 'yes' });
  await patched(`/v1/scorers/${evalCase.scorer_id}`, { config: { values: ['yes'] } });
  const [run, suites] = [await keyOf('run'), await keyOf('suites')];
  expect((await got(pathOf(`/${digest}`), suites)).data).toEqual((await got(pathOf(`/${digest}`))).data);
  const bar = (await got(pathOf(`/${digest}`), run)).data;
  const digits = expect.stringMatching(/^[0-9a-f]{16}$/);
  expect(bar.cases).toMatchObject([{ input_digest: digits, expected_digest: digits }]);
  expect(bar.scorers).toMatchObject([{ config: digits }]);
  const { cases, scorers } = (await got(pathOf(`/${digest}/diff`), run)).data;
  const [config, expected] = [scorers.changed[0].changes.config, cases.changed[0].changes.expected_digest];
  expect(config.from).toBe(bar.scorers[0].config);
  expect(expected).toEqual({ from: bar.cases[0].expected_digest, to: digits });
  expect(expected.to).not.toBe(expected.from);
  const twin = await makeGate(service.baseUrl, {}, gate.client);
  await twin.add({}, { input: { q: 'secret question' }, expected: 'ok' });
  const { suite_digest: other } = await twin.run('ok', { project: twin.project.slug });
  const elsewhere = (await got(`/v1/suites/${twin.suite.id}/revisions/${other}`, run)).data;
  expect(elsewhere.cases[0].expected_digest).not.toBe(bar.cases[0].expected_digest);
  expect(JSON.stringify([bar, cases, scorers])).not.toContain(documentDigest('ok'));
});

test("a digest that is malformed, never judged, or is another organisation's or a deleted suite's, is the same 404", async () => {
  const { suite_digest: digest } = await gate.run('ok');
  const unknown = `sha256:${'0'.repeat(64)}`;
  const stranger = await signUp(service.baseUrl);
  const missing = await expectMissing(pathOf(`/${unknown}`));
  expect(await expectMissing(pathOf(`/${digest}/diff?to=${unknown}`))).toBe(missing);
  await expectMissing(pathOf('/latest'));
  await expectMissing(pathOf('/sha256:12/diff'));
  const gone = await expectMissing(`/v1/suites/${gate.project.id}/revisions`);
  for (const path of [pathOf(), pathOf(`/${digest}`), pathOf(`/${digest}/diff`)])
    expect(await expectMissing(path, stranger)).toBe(gone);
  expect((await gate.client('GET', pathOf(`/${digest}/diff?to=1`))).status).toBe(400);
  const deleted = `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`;
  expect((await gate.client('DELETE', deleted)).status).toBe(204);
  for (const path of [pathOf(), pathOf(`/${digest}`), pathOf(`/${digest}/diff`)])
    expect(await expectMissing(path)).toBe(gone);
});

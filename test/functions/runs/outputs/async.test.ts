import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EvalCase } from '../../../../shared/contracts/cases.ts';
import { type Answer, verdict } from '../../../support/providers.ts';
import { type OwnStage, startOwnStage } from '../../../support/ownStage.ts';
import { ended, newClient, submit, usedRuns } from '../../../support/stage.ts';
import { SUITES } from '../../async/suites.ts';
import { makeJudgedGate } from '../../judged/gate.ts';
import { fillSuite } from '../filled.ts';
import { type Gate, makeGate, resultsOf } from '../gate.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

const TIMES = { duration_ms: 0, created_at: '', completed_at: '' };

/** A run and its results without what differs between any two runs. */
async function outcomeOf({ client }: Gate, id: string) {
  const { id: _, ...run } = await ended(client, id);
  const results = await resultsOf(client, id);
  return {
    run: { ...run, ...TIMES },
    results: results.map(({ id: __, run_id: ___, ...result }) => ({ ...result, duration_ms: 0 })),
  };
}

/** What both ways say. */
async function expectSame(gate: Gate, outputs: readonly object[], fields: object = {}) {
  const body = { suite: gate.suite.slug, outputs, ...fields };
  const answer = await gate.client('POST', '/v1/run', body);
  expect(answer.status).toBe(200);
  const sync = await outcomeOf(gate, answer.body.id);
  const queued = await submit(gate.client, body);
  expect(await outcomeOf(gate, queued)).toEqual(sync);
  return sync;
}

describe.each(Object.entries(SUITES))('outputs for a suite of %s', (_, { suite, cases, outputs }) => {
  test('have the same verdict and the same results whether their client waits or not', async () => {
    const { client, orgId } = await newClient(stage);
    const gate = await makeGate(stage.service.baseUrl, { ...suite, keep_outputs: 'all' }, client);
    const made: EvalCase[] = [];
    for (const [scorer, evalCase] of cases) made.push(await gate.add(scorer, evalCase));
    let runs = 0;
    for (let shift = 0; shift < outputs.length; shift++, runs += 2) {
      const items = made.map(({ id, key }, index) => ({
        case: index % 2 === 0 ? id : key,
        output: outputs[(index + shift) % outputs.length],
        metadata: { index, latency_ms: 3 * shift },
      }));
      await expectSame(gate, items);
    }
    expect(await usedRuns(stage, orgId)).toBe(runs);
  });
});

/** Samples, errors, missing and surplus outputs, a must-pass and an advisory case, gates and a judge. */
async function everything(): Promise<Gate> {
  const judged = await makeJudgedGate(stage, {
    count: 2,
    suite: {
      ...{ pass_threshold: 0.4, keep_outputs: 'all' },
      gates: { min_judged_cases: 2, min_lower_bound: 0.1, tags: [{ tag: 'safety', pass_threshold: 0.5 }] },
    },
    caseOf: (index) => ({ key: `judged-${index}`, sample_count: 1 + index, tags: ['safety'] }),
  });
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const advisory = { owner: 'Ann', reason: 'Being rewritten', expires_at };
  await judged.add({}, { key: 'must', must_pass: true });
  await judged.add({}, { key: 'advisory', advisory });
  await judged.add({}, { key: 'sampled', sample_count: 3, sample_pass_rate: 0.6, weight: 2 });
  await judged.add({}, { key: 'missing', input: { asked: 'what?' } });
  await judged.add({}, { key: 'off', is_active: false });
  return judged;
}

describe('samples, errors, missing, surplus, advisory and judged outputs', () => {
  const byOutput: Answer = (call, response) =>
    verdict({ score: call.user.includes('good') ? 1 : 0, reasoning: 'As told.' })(call, response);
  const of = (key: string, ...outputs: string[]) => outputs.map((output) => ({ case: key, output }));

  test('have the same verdict and the same results whether their client waits or not', async () => {
    stage.providers.always('openai', byOutput);
    const gate = await everything();
    const judged = [...of('judged-0', 'good'), ...of('judged-1', 'bad', 'good')];
    const rest = [
      ...of('must', 'ok'),
      ...of('advisory', 'no'),
      { case: 'zzz', output: '' },
      ...of('off', ''),
    ];
    const error = (key: string) => ({ case: key, error: '429' });
    const variants = [
      [...judged, ...rest, ...of('sampled', 'ok', 'no', 'ok')],
      [...judged, ...rest, ...of('sampled', 'ok', 'no'), error('sampled')],
      [...rest, ...of('sampled', 'no'), error('judged-0'), ...of('judged-1', 'good')],
      [...judged, error('must'), error('advisory'), ...of('missing', 'ok')],
      [...of('missing', 'ok')],
    ];
    const statuses = [];
    for (const items of variants) {
      const { run } = await expectSame(gate, items, { input: { lang: 'en' } });
      statuses.push([run.status, run.inconclusive]);
    }
    expect(new Set(statuses.map(String)).size).toBe(3);
  });
});

test('1,200 outputs of 2 kB are evaluated in parts, and come back as a sync run has them', async () => {
  const { client, orgId } = await newClient(stage);
  const gate = await makeGate(stage.service.baseUrl, { pass_threshold: 0.5 }, client);
  const { scorer_id } = await gate.add(
    { type: 'contains', config: { values: ['even'] } },
    { is_active: false },
  );
  const ids = await fillSuite(stage.table, gate, 1_200, (index) => ({
    ...{ name: `Case ${index}`, scorer_id, expected: null, weight: 1 + (index % 3) },
  }));
  const items = ids.map((id, index) => ({
    case: index % 2 === 0 ? id : `case-${index}`,
    output: `${index % 50 === 49 ? 'odd' : 'even'} ${index} ${'x'.repeat(2_000)}`,
  }));
  const shuffled = items.toSorted((one, other) => (one.case < other.case ? -1 : 1));
  const { run, results } = await expectSame(gate, shuffled);
  expect(run).toMatchObject({ status: 'cleared', passed_cases: 1_176, missing_cases: 0 });
  expect(results.map(({ case_id }) => case_id)).toEqual(ids);
  expect(await usedRuns(stage, orgId)).toBe(2);
});

test('a queued run is held to the digest that it names: when the suite has changed it ends without a verdict', async () => {
  const { client, orgId } = await newClient(stage);
  const gate = await makeGate(stage.service.baseUrl, { pass_threshold: 0.5 }, client);
  const { id: caseId, key } = await gate.add({});
  const revision = async () => (await client('GET', `/v1/suites/${gate.suite.id}/revision`)).body.data.digest;
  const present = await revision();
  const body = { suite: gate.suite.slug, outputs: [{ case: key, output: 'ok' }], suite_digest: present };
  expect(await ended(client, await submit(client, body))).toMatchObject({
    ...{ status: 'cleared', suite_digest: present, notices: [] },
  });
  await client('PATCH', `/v1/cases/${caseId}`, { weight: 2 });
  const answer = await client('POST', '/v1/run', { ...body, async: true });
  expect([answer.status, answer.body.error?.details]).toEqual([409, { suite_digest: await revision() }]);
  expect(await usedRuns(stage, orgId)).toBe(1);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeScorer } from '../../support/builders.ts';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { sized } from '../../support/soak.ts';
import { ended, newClient, submit, usedRuns } from '../../support/stage.ts';
import { makeJudgedGate } from '../judged/gate.ts';
import { fillSuite } from '../runs/filled.ts';
import { type Gate, makeGate, resultsOf } from '../runs/gate.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

const deleteSuite = ({ client, project, suite }: Gate) =>
  client('DELETE', `/v1/projects/${project.slug}/suites/${suite.slug}`);

const sendTo = ({ client, suite }: Gate) => submit(client, { suite: suite.slug, output: 'ok' });

async function newGate(suite: Readonly<Record<string, unknown>> = {}) {
  const { client, orgId } = await newClient(stage);
  return { ...(await makeGate(stage.service.baseUrl, suite, client)), orgId };
}

test('a suite that changes while runs are admitted: the results of a run are all of one revision', async () => {
  const gate = await newGate({ pass_threshold: 0 });
  const scorer = await makeScorer(gate.client, gate.project, {
    type: 'contains',
    config: { values: ['v0'] },
  });
  const [caseId] = await fillSuite(stage.table, gate, 601, (index) => ({
    name: `Case ${index}`,
    scorer_id: scorer.id,
    expected: null,
  }));
  const patch = async (path: string, changes: object) =>
    expect((await gate.client('PATCH', path, changes)).status).toBe(200);
  const change = async (version: number) => {
    await patch(`/v1/scorers/${scorer.id}`, { config: { values: [`v${version}`] } });
    await patch(`/v1/cases/${caseId}`, { is_active: version % 2 === 0 });
  };
  for (let version = 1; version <= sized(4, 8); version++) {
    const [id] = await Promise.all([sendTo(gate), change(version)]);
    const run = await ended(gate.client, id);
    const results = await resultsOf(gate.client, id);
    expect(results).toHaveLength(run.total_cases);
    const values = new Set(results.map(({ scorer_output }) => scorer_output.matches[0].value));
    expect(values.size).toBe(1);
    const seen = Number([...values][0].slice(1));
    expect([version - 1, version]).toContain(seen);
    // The scorer is changed first: its last version may be seen with the cases of the one before.
    const isActive = results.some(({ case_id }) => case_id === caseId);
    const possible = seen === version ? [true, false] : [seen % 2 === 0];
    expect(possible).toContain(isActive);
    expect(results).toHaveLength(isActive ? 601 : 600);
  }
});

test('suites deleted right after admission: every run ends, with all of its results or none and uncounted', async () => {
  const gates = await Promise.all(Array.from({ length: sized(6, 12) }, () => newGate()));
  await Promise.all(gates.map((gate) => gate.add({})));
  await Promise.all(
    gates.map(async (gate) => {
      const id = await sendTo(gate);
      expect((await deleteSuite(gate)).status).toBe(204);
      const run = await ended(gate.client, id);
      const results = await resultsOf(gate.client, id);
      if (run.status === 'cleared') {
        expect(results).toMatchObject([{ passed: true, score: 1 }]);
        expect(await usedRuns(stage, gate.orgId)).toBe(1);
      } else await expectAbandoned(gate, id, 1);
    }),
  );
});

/** Ended without a verdict: the gate stays closed, every case that is left says why, and nothing was counted. */
async function expectAbandoned(gate: Gate & { orgId: string }, id: string, cases: number): Promise<void> {
  expect(await ended(gate.client, id)).toMatchObject({
    status: 'aborted',
    inconclusive: true,
    fault: 'bar',
    pass_rate: 0,
    total_cases: cases,
    failed_cases: cases,
    errored_cases: cases,
    completed_at: expect.any(String),
  });
  const errors = (await resultsOf(gate.client, id)).map(
    (result: { scorer_output: unknown }) => result.scorer_output,
  );
  expect(errors).toEqual(Array(cases).fill({ error: 'EVALUATION_FAILED' }));
  expect(await usedRuns(stage, gate.orgId)).toBe(0);
}

test('runs whose messages were lost end after a sweep: as their suites were when they were accepted, or aborted where these are gone', async () => {
  const [kept, edited, emptied, deleted] = await Promise.all([newGate(), newGate(), newGate(), newGate()]);
  const cases = await Promise.all([kept, edited, emptied, deleted].map((gate) => gate.add({})));
  const judged = await makeJudgedGate(stage, { count: 2 });
  const sampled = await newGate({ keep_outputs: 'all' });
  await sampled.add({}, { key: 'a', sample_count: 2 });
  await sampled.add({}, { key: 'b' });
  stage.queue.isDown = true;
  const outputs = ['a', 'a', 'b'].map((key) => ({ case: key, output: 'ok, as sent' }));
  const sampledId = await submit(sampled.client, { suite: sampled.suite.slug, outputs });
  const gates = [kept, edited, emptied, deleted, judged];
  const ids = await Promise.all(gates.map(sendTo));
  for (const [index, gate] of gates.entries())
    expect((await gate.client('GET', `/v1/runs/${ids[index]}`)).body.data.status).toBe('pending');
  await edited.add({ config: { values: ['more'] } });
  await emptied.client('PATCH', `/v1/cases/${cases[2]?.id}`, { is_active: false });
  await deleteSuite(deleted);
  await deleteSuite(sampled);
  stage.queue.isDown = false;
  await stage.sweep();

  expect(await ended(kept.client, ids[0]!)).toMatchObject({ status: 'cleared', total_cases: 1 });
  for (const [gate, id] of [
    [edited, ids[1]!],
    [emptied, ids[2]!],
  ] as const) {
    expect(await ended(gate.client, id)).toMatchObject({ status: 'cleared', total_cases: 1 });
    expect(await resultsOf(gate.client, id)).toHaveLength(1);
  }
  await expectAbandoned(deleted, ids[3]!, 1);
  await expectAbandoned(sampled, sampledId, 2);
  expect(await ended(judged.client, ids[4]!)).toMatchObject({ status: 'cleared', passed_cases: 2 });
  for (const gate of [kept, edited, emptied, judged]) expect(await usedRuns(stage, gate.orgId)).toBe(1);
});

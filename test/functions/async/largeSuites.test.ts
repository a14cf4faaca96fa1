import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { sized } from '../../support/soak.ts';
import { ended, newClient, submit, usedRuns } from '../../support/stage.ts';
import { fillSuite } from '../runs/filled.ts';
import { makeGate, resultsOf } from '../runs/gate.ts';

/** Three chunks at least. */
const CASES = sized(1_300, 10_000);

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

test('async runs of many chunks, several at once, end with every result in order, counted once each', async () => {
  const { client, orgId } = await newClient(stage);
  const gate = await makeGate(stage.service.baseUrl, { pass_threshold: 0.5 }, client);
  const { scorer_id } = await gate.add({ type: 'exact_match', config: {} }, { is_active: false });
  const ids = await fillSuite(stage.table, gate, CASES, (index) => ({
    name: `Case ${index}`,
    scorer_id,
    expected: index % 2 === 0 ? 'even' : 'odd',
  }));
  const outputs = ['even', 'odd', 'neither'];
  const sent = await Promise.all(outputs.map((output) => submit(client, { suite: gate.suite.slug, output })));
  for (const [index, id] of sent.entries()) {
    const output = outputs[index];
    const passed_cases = output === 'neither' ? 0 : CASES / 2;
    expect(await ended(client, id)).toMatchObject({
      status: passed_cases > 0 ? 'cleared' : 'aborted',
      total_cases: CASES,
      passed_cases,
      failed_cases: CASES - passed_cases,
      errored_cases: 0,
    });
    const results = await resultsOf(client, id);
    expect(results.map(({ case_id }) => case_id)).toEqual(ids);
    expect(results.every(({ passed }, at) => passed === (output === ['even', 'odd'][at % 2]))).toBe(true);
  }
  expect(await usedRuns(stage, orgId)).toBe(sent.length);
});

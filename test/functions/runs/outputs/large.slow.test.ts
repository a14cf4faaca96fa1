import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { costOf, type EngineService, startEngineService } from '../../../support/ownService.ts';
import { type OwnStage, startOwnStage } from '../../../support/ownStage.ts';
import { firstOf, sized } from '../../../support/soak.ts';
import { ended, newClient, usedRuns } from '../../../support/stage.ts';
import { fillSuite } from '../filled.ts';
import { type Gate, makeGate, resultsOf } from '../gate.ts';

/** Three chunks at least. */
const CASES = sized(1_300, 10_000);
const LENGTH = 2_000;
const UNITS_MAX = sized(700, 3_000);

const post = ({ client, suite }: Gate, outputs: readonly object[], fields: object = {}) =>
  client('POST', '/v1/run', gzipSync(JSON.stringify({ suite: suite.slug, outputs, ...fields })), {
    'content-encoding': 'gzip',
  });

describe('up to 10,000 outputs of 2 kB in one request of gzip', () => {
  let stage: OwnStage;
  beforeAll(async () => {
    stage = await startOwnStage();
  });
  afterAll(() => stage.stop());

  test('are queued, clear, and have each result once, in the order of the cases', async () => {
    const { client, orgId } = await newClient(stage);
    const gate = await makeGate(stage.service.baseUrl, {}, client);
    const scorer = { type: 'contains', config: { values: ['yes'] } };
    const { scorer_id } = await gate.add(scorer, { is_active: false });
    const ids = await fillSuite(stage.table, gate, CASES, (index) => ({
      name: `Case ${index}`,
      scorer_id,
      expected: null,
    }));
    const outputs = ids.map((_, index) => ({
      case: `case-${index}`,
      output: `${index} yes ${'x'.repeat(LENGTH)}`,
      metadata: { index },
    }));
    const answer = await post(gate, outputs.toReversed(), { async: true });
    expect(answer.status).toBe(202);
    const run = await ended(client, answer.body.id);
    expect(run).toMatchObject({
      status: 'cleared',
      total_cases: CASES,
      passed_cases: CASES,
      missing_cases: 0,
      surplus_outputs: 0,
      verdict: { confidence: { effective_cases: CASES } },
    });
    const results = await resultsOf(client, run.id);
    expect(results.map(({ case_id }) => case_id)).toEqual(ids);
    expect(results.map(({ metadata }) => metadata.index)).toEqual(ids.map((_, index) => index));
    expect(await usedRuns(stage, orgId)).toBe(1);
  });
});

describe('a run of up to 10,000 cases that all fail, with outputs that do not compress,', () => {
  let service: EngineService;
  beforeAll(async () => {
    service = await startEngineService();
  });
  afterAll(() => service.stop());

  /** The same ones in each run of the test. */
  function* random(): Generator<number> {
    for (let state = 12_345; ; ) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      yield state / 2 ** 32;
    }
  }
  const numbers = random();
  const text = (length: number, first: number, count: number) =>
    String.fromCharCode(
      ...Array.from({ length }, () => first + Math.floor((numbers.next().value ?? 0) * count)),
    );

  test.each(
    firstOf(1, [
      ['ASCII', 500, 0x21, 94],
      ['letters of three bytes', 150, 0x0800, 0xc800],
    ] as const),
  )(`writes at most ${UNITS_MAX} units: %s`, async (_, length, first, count) => {
    const gate = await makeGate(service.baseUrl, { pass_threshold: 0 });
    const scorer = { type: 'contains', config: { values: ['no such words'] } };
    const { scorer_id } = await gate.add(scorer, { is_active: false });
    const ids = await fillSuite(service.table, gate, CASES, (index) => ({
      name: `Case ${index}`,
      scorer_id,
      expected: 'yes',
    }));
    const outputs = ids.map((id) => ({ case: id, output: text(length, first, count) }));
    const { write } = await costOf(service, async () => {
      const answer = await post(gate, outputs);
      expect([answer.status, answer.body.failed_cases ?? CASES]).toEqual([200, CASES]);
    });
    expect(write).toBeGreaterThan(CASES / 10);
    expect(write).toBeLessThanOrEqual(UNITS_MAX);
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { failure } from '../../support/providers.ts';
import { ended, submit } from '../../support/stage.ts';
import { makeJudgedGate } from '../judged/gate.ts';
import { type Gate, makeGate, resultsOf } from './gate.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

type Fields = Readonly<Record<string, unknown>>;

interface Unjudgeable {
  readonly scorer: Fields;
  readonly evalCase?: Fields;
  readonly output: string;
  readonly error: string;
}

const NESTED_FILTERS = '$..[?count($..[?count($..*) > 0]) > 0].x';
const WIDE = JSON.stringify(Array.from({ length: 1_000 }, (_, at) => ({ a: at })));

/** Wrong answers to a case that must pass, by what keeps its scorer from saying so. */
const UNJUDGEABLE: Readonly<Record<string, Unjudgeable>> = {
  'too long for similarity': {
    scorer: { type: 'similarity', config: { metric: 'levenshtein' } },
    evalCase: { expected: 'refund' },
    output: 'no '.repeat(10_000),
    error: 'SIMILARITY_TOO_LONG',
  },
  'too slow for a regex': {
    scorer: { type: 'regex', config: { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } },
    output: 'a'.repeat(60),
    error: 'REGEX_TIMEOUT',
  },
  'too heavy for json_path': {
    scorer: { type: 'json_path', config: { assertions: [{ path: NESTED_FILTERS, op: 'exists' }] } },
    output: WIDE,
    error: 'JSON_PATH_TIMEOUT',
  },
  'without the figure of a metric': {
    scorer: { type: 'metric', config: { field: 'latency_ms', max: 10 } },
    output: 'slow',
    error: 'METADATA_MISSING',
  },
};

/** The same run, answered at once and from the queue. */
async function bothWays(gate: Gate, output: string) {
  const now = await gate.run(output);
  const queued = await ended(gate.client, await submit(gate.client, { suite: gate.suite.slug, output }));
  return [now, queued];
}

test.each(Object.entries(UNJUDGEABLE))(
  'a wrong output that is %s is inconclusive by the fault of the candidate, at once and from the queue',
  async (_, { scorer, evalCase, output, error }) => {
    const gate = await makeGate(stage.service.baseUrl);
    await gate.add(scorer, { must_pass: true, ...evalCase });
    for (const run of await bothWays(gate, output)) {
      expect(run).toMatchObject({ status: 'aborted', inconclusive: true, fault: 'candidate' });
      const [result] = await resultsOf(gate.client, run.id);
      expect(result).toMatchObject({ scorer_output: { error }, errored: true, fault: 'candidate' });
    }
    const { scores, failures } = await gate.run(output);
    expect([scores[0], failures[0]]).toEqual([
      expect.objectContaining({ fault: 'candidate' }),
      expect.objectContaining({ fault: 'candidate' }),
    ]);
  },
);

test('a case that was judged has no fault, nor has a run with a verdict', async () => {
  const gate = await makeGate(stage.service.baseUrl);
  await gate.add({});
  for (const output of ['ok', 'no']) {
    for (const run of await bothWays(gate, output)) {
      expect(run).not.toHaveProperty('fault');
      for (const result of await resultsOf(gate.client, run.id)) expect(result).not.toHaveProperty('fault');
    }
  }
});

test('a scorer that was deleted, and one without what it compares with, are faults of the bar', async () => {
  const gate = await makeGate(stage.service.baseUrl);
  const { scorer_id } = await gate.add({});
  await gate.client('DELETE', `/v1/scorers/${scorer_id}`);
  await gate.add({ type: 'exact_match', config: {} });
  for (const run of await bothWays(gate, 'ok')) {
    expect(run).toMatchObject({ inconclusive: true, fault: 'bar' });
    expect((await resultsOf(gate.client, run.id)).map(({ fault }) => fault)).toEqual(['bar', 'bar']);
  }
});

describe('while a provider is down', () => {
  const DOWN = failure(503, { headers: { 'retry-after': '0' } });

  test('a run of which nothing else is wrong is inconclusive by the fault of the service', async () => {
    stage.providers.always('openai', DOWN);
    const gate = await makeJudgedGate(stage, { count: 1 });
    const run = await ended(gate.client, await submit(gate.client, { suite: gate.suite.slug, output: 'x' }));
    expect(run).toMatchObject({ inconclusive: true, fault: 'service' });
    expect(await resultsOf(gate.client, run.id)).toMatchObject([
      { scorer_output: { error: 'JUDGE_UNAVAILABLE' }, fault: 'service' },
    ]);
  });

  test.each(Object.entries(UNJUDGEABLE))(
    'an output that is %s besides is still the fault of the candidate',
    async (_, { scorer, evalCase, output }) => {
      stage.providers.always('openai', DOWN);
      const gate = await makeJudgedGate(stage, { count: 1, suite: { pass_threshold: 0.1 } });
      await gate.add(scorer, { must_pass: true, ...evalCase });
      const run = await ended(gate.client, await submit(gate.client, { suite: gate.suite.slug, output }));
      expect(run).toMatchObject({ status: 'aborted', inconclusive: true, fault: 'candidate' });
    },
  );

  test('an output that the provider refuses as a question is the fault of the candidate, not an outage', async () => {
    for (const status of [400, 413, 422]) {
      stage.providers.always('openai', failure(status));
      const gate = await makeJudgedGate(stage, { count: 1 });
      const run = await ended(
        gate.client,
        await submit(gate.client, { suite: gate.suite.slug, output: 'x' }),
      );
      expect(run).toMatchObject({ inconclusive: true, fault: 'candidate' });
    }
  });
});

test('outputs that were not sent, where a gate wants more verdicts, are the fault of the candidate', async () => {
  const gate = await makeGate(stage.service.baseUrl, {
    pass_threshold: 0.5,
    gates: { min_judged_cases: 2 },
  });
  for (const key of ['a', 'b']) await gate.add({}, { key });
  const { body } = await gate.client('POST', '/v1/run', {
    suite: gate.suite.slug,
    outputs: [{ case: 'a', output: 'ok' }],
  });
  expect(body).toMatchObject({ status: 'aborted', inconclusive: true, fault: 'candidate' });
});

test('a tag that no case has is the fault of the bar', async () => {
  const gate = await makeGate(stage.service.baseUrl, {
    gates: { tags: [{ tag: 'safety', pass_threshold: 1 }] },
  });
  await gate.add({});
  expect(await gate.run('ok')).toMatchObject({ status: 'aborted', inconclusive: true, fault: 'bar' });
});

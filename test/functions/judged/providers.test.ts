import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { envelope, verdict } from '../../support/providers.ts';
import { resultsOf } from '../runs/gate.ts';
import { ALIASES, type JudgedGate, makeJudgedGate, RUBRIC } from './gate.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterEach(() => stage.providers.reset());
afterAll(() => stage.stop());

const callsOf = ({ rawKey }: JudgedGate) => stage.providers.calls.filter(({ apiKey }) => apiKey === rawKey);

describe.each(ALIASES)('a judge of %s', (alias, provider) => {
  let gate: JudgedGate;
  beforeAll(async () => {
    gate = await makeJudgedGate(stage, {
      provider: alias,
      caseOf: () => ({ input: { hint: 'case-hint' }, expected: ['expected-Paris'], threshold: 0.75 }),
    });
  });

  test('is called with the rubric, the inputs, the expected answer and the output, with the stored key', async () => {
    await gate.run('output-Paris', { input: { question: 'run-question' } });
    const calls = callsOf(gate);
    expect(calls.map((call) => call.provider)).toEqual([provider]);
    const [call] = calls;
    expect(call?.system).toContain(RUBRIC);
    for (const part of ['output-Paris', '{"question":"run-question"}', '{"hint":"case-hint"}'])
      expect(call?.user).toContain(part);
    expect(call?.user).toContain('["expected-Paris"]');
    expect(call?.model).toMatch(provider === 'azure_openai' ? /^judge-deployment$/ : /^\w+-\S+$/);
  });

  test('clears at its threshold, and the result holds the full response, the tokens and its reason', async () => {
    stage.providers.always(provider, verdict({ score: 0.75, reasoning: 'Paris is named, after a while.' }));
    const answer = await gate.run('Paris');
    expect(answer).toMatchObject({ status: 'cleared', passed: true, pass_rate: 1, errored_cases: 0 });
    expect(answer.scores).toMatchObject([
      {
        case: 'Judged 0',
        case_id: gate.cases[0]?.id,
        key: 'judged-0',
        passed: true,
        score: 0.75,
        threshold: 0.75,
        reason: 'Paris is named, after a while.',
      },
    ]);
    const [result] = await resultsOf(gate.client, answer.id);
    const said = JSON.stringify({ reasoning: 'Paris is named, after a while.', score: 0.75 });
    expect(result).toMatchObject({
      case_id: gate.cases[0]?.id,
      score: 0.75,
      reason: answer.scores[0]?.reason,
    });
    expect(result.scorer_output).toEqual({
      raw_response: envelope(callsOf(gate)[0]!, said),
      answered_model: callsOf(gate)[0]?.model,
      usage: { input_tokens: 120, output_tokens: 30 },
      prompt_version: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  test('aborts below its threshold, which is a verdict and no error', async () => {
    stage.providers.always(provider, verdict({ score: 0.74, reasoning: 'London.' }));
    const answer = await gate.run('London');
    expect(answer).toMatchObject({ status: 'aborted', errored_cases: 0, inconclusive: false, pass_rate: 0 });
    expect(answer.failures).toMatchObject([{ case: 'Judged 0', score: 0.74, reason: 'London.' }]);
  });
});

describe('a dual-sided judge', () => {
  const sided = (thresholds: object) => ({ dual_sided: true, ...thresholds });

  test.each([
    ['both sides hold', { precision_threshold: 0.5, recall_threshold: 0.9 }, true],
    ['precision does not', { precision_threshold: 0.51, recall_threshold: 0.9 }, false],
    ['recall does not', { precision_threshold: 0.5, recall_threshold: 0.91 }, false],
    ['none is set', {}, true],
  ])(
    'scores the F1 of what the model states; with thresholds where %s',
    async (_title, thresholds, passed) => {
      const gate = await makeJudgedGate(stage, { scorer: sided(thresholds) });
      stage.providers.always('openai', verdict({ precision: 0.5, recall: 0.9 }));
      const answer = await gate.run('Paris');
      expect(answer.passed).toBe(passed);
      const [result] = await resultsOf(gate.client, answer.id);
      expect(result.score).toBeCloseTo(0.9 / 1.4, 9);
      expect(result).toMatchObject({ passed, scorer_output: { precision: 0.5, recall: 0.9 } });
    },
  );
});

test('judged and other cases of one suite count by their weights together', async () => {
  const gate = await makeJudgedGate(stage, {
    suite: { pass_threshold: 0.75 },
    caseOf: () => ({ weight: 3 }),
  });
  await gate.add({ config: { values: ['Paris'] } }, { name: 'Says Paris', weight: 1 });
  expect(await gate.run('London')).toMatchObject({ status: 'cleared', pass_rate: 0.75, passed_cases: 1 });
  stage.providers.always('openai', verdict({ score: 0 }));
  const aborted = await gate.run('Paris');
  expect(aborted).toMatchObject({ status: 'aborted', pass_rate: 0.25, inconclusive: false });
  expect(aborted.scores.map(({ case: name, passed }) => [name, passed])).toEqual([
    ['Judged 0', false],
    ['Says Paris', true],
  ]);
});

test('a response of almost 1 MB that does not compress is kept whole, and requested once', async () => {
  const gate = await makeJudgedGate(stage, { count: 2 });
  const filler = randomText(900_000);
  stage.providers.always('openai', (call, response) => {
    const answer = envelope(call, '{"reasoning":"Long.","score":1}');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...answer, model: 'the-model-that-answered', filler }));
  });
  const answer = await gate.run('Paris');
  expect(answer).toMatchObject({ status: 'cleared', passed_cases: 2 });
  for (const { scorer_output } of await resultsOf(gate.client, answer.id)) {
    expect(scorer_output.raw_response.filler === filler).toBe(true);
    expect(scorer_output.answered_model).toBe('the-model-that-answered');
  }
  expect(callsOf(gate)).toHaveLength(2);
});

test('the result of a provider that names no model names none', async () => {
  const gate = await makeJudgedGate(stage);
  stage.providers.always('openai', (call, response) => {
    const { model: _, ...answer } = envelope(call, '{"reasoning":"Short.","score":1}') as { model?: string };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  const [result] = await resultsOf(gate.client, (await gate.run('Paris')).id);
  expect(result.scorer_output).toMatchObject({ answered_model: null, usage: expect.any(Object) });
});

const randomText = (length: number): string => {
  const letters = Uint8Array.from({ length }, () => 32 + Math.floor(Math.random() * 95));
  return Buffer.from(letters).toString('latin1');
};

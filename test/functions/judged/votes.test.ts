import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { type Answer, failure, verdict } from '../../support/providers.ts';
import { resultsOf } from '../runs/gate.ts';
import { type JudgedGate, makeJudgedGate } from './gate.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());
beforeEach(() => stage.providers.reset());

const gateOf = (config: object = { votes: 3 }): Promise<JudgedGate> =>
  makeJudgedGate(stage, { config: { ...config }, caseOf: () => ({ threshold: 0.7 }) });

async function run(gate: JudgedGate, ...answers: Answer[]) {
  stage.providers.next('openai', ...answers);
  const shown = await gate.run('Paris', { judge_again: true });
  const [{ scorer_output, ...result }] = await resultsOf(gate.client, shown.id);
  return { shown, result, scorer_output, calls: stage.providers.calls.length };
}

const scored = (score: number): Answer => verdict({ score, reasoning: `It is worth ${score}.` });

test('next to the bar most of three votes decide; the result has them all, and the tokens of all', async () => {
  const { shown, result, scorer_output, calls } = await run(
    await gateOf(),
    scored(0.65),
    scored(0.8),
    scored(0.75),
  );
  expect(calls).toBe(3);
  expect(result).toMatchObject({ passed: true, score: 0.75, reason: 'It is worth 0.75.' });
  expect(scorer_output.usage).toEqual({ input_tokens: 360, output_tokens: 90 });
  const voteOf = (score: number) => ({
    score,
    passed: score >= 0.7,
    answered_model: 'gpt-5.4-mini',
    reason: `It is worth ${score}.`,
  });
  expect(scorer_output.votes).toEqual([0.65, 0.8, 0.75].map(voteOf));
  expect(shown.judge_usage).toMatchObject({ calls: 3, input_tokens: 360, output_tokens: 90 });
});

test('a clear score, and each one of a judge without votes, is the only one', async () => {
  for (const [gate, score] of [
    [await gateOf(), 0.95],
    [await gateOf({}), 0.7],
  ] as const) {
    stage.providers.reset();
    const { scorer_output, calls } = await run(gate, scored(score));
    expect([calls, 'votes' in scorer_output]).toEqual([1, false]);
  }
});

test('the error of a further vote is that of the case only where its vote would decide', async () => {
  const gate = await gateOf();
  const stands = await run(gate, scored(0.72), failure(400), scored(0.74));
  expect(stands.result).toMatchObject({ passed: true, score: 0.72, errored: false });
  expect(stands.scorer_output.votes).toHaveLength(2);
  const fails = await run(gate, scored(0.72), failure(400), scored(0.1));
  expect(fails.result).toMatchObject({ passed: false, errored: true, fault: 'candidate' });
  expect(fails.scorer_output).toMatchObject({ error: 'JUDGE_REQUEST_REJECTED', votes: [{}, {}] });
});

test('of an output that the judge answered once, silence of the judge is the doing of the candidate', async () => {
  const dead = failure(503, { headers: { 'retry-after': '0' } });
  const { shown } = await run(await gateOf(), scored(0.72), ...Array.from({ length: 8 }, () => dead));
  expect(shown).toMatchObject({ inconclusive: true, fault: 'candidate' });
});

test.each([2, 7, 0, '3'])('%j votes are refused', async (votes) => {
  await expect(gateOf({ votes })).rejects.toThrow(/votes/);
});

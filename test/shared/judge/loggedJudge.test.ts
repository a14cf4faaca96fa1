import { expect, test } from '@jest/globals';
import type {
  Judge,
  JudgeDeps,
  JudgeOutcome,
  JudgeRequest,
} from '../../../shared/domain/evaluation/judging/ports.ts';
import { toldJudge } from '../../../shared/judge/told.ts';

const request = { provider: 'openai' } as JudgeRequest;
const judgeOf = (outcome: JudgeOutcome): Judge => ({
  judge: async () => outcome,
  testKey: async () => ({ kind: 'tested', valid: true }),
});

test.each([
  [{ kind: 'verdict', score: 1 } as JudgeOutcome, 'verdict'],
  [{ kind: 'error', code: 'JUDGE_TIMEOUT', reason: 'late' } as JudgeOutcome, 'JUDGE_TIMEOUT'],
])('tells how a case ended, and changes nothing of it', async (outcome, told) => {
  const lines: string[] = [];
  const judge = toldJudge(judgeOf(outcome), (...line) => void lines.push(line.join()));
  expect(await judge.judge(request, {} as JudgeDeps)).toBe(outcome);
  expect(await judge.testKey('openai', 'key')).toEqual({ kind: 'tested', valid: true });
  expect(lines).toEqual([`openai,${told}`]);
});

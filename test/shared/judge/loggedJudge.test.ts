import { expect, test } from '@jest/globals';
import { Secret } from '../../../shared/domain/byok/secret.ts';
import type {
  Judge,
  JudgeDeps,
  JudgeOutcome,
  JudgeRequest,
} from '../../../shared/domain/evaluation/judging/ports.ts';
import { loggedJudge } from '../../../shared/judge/loggedJudge.ts';

const request = { provider: 'openai' } as JudgeRequest;
const judgeOf = (outcome: JudgeOutcome): Judge => ({
  judge: async () => outcome,
  testKey: async () => ({ kind: 'tested', valid: true }),
  retirements: async () => new Map(),
});

test.each([
  [{ kind: 'verdict', score: 1 } as JudgeOutcome, 'verdict'],
  [{ kind: 'error', code: 'JUDGE_TIMEOUT', reason: 'late' } as JudgeOutcome, 'JUDGE_TIMEOUT'],
])('the outcome of a case is logged and passed on unchanged', async (outcome, logged) => {
  const lines: string[] = [];
  const judge = loggedJudge(judgeOf(outcome), (...line) => void lines.push(line.join()));
  expect(await judge.judge(request, {} as JudgeDeps)).toBe(outcome);
  expect(await judge.testKey('openai', new Secret('key'))).toEqual({ kind: 'tested', valid: true });
  expect(lines).toEqual([`openai,${logged}`]);
});

test('a case that was not judged logs nothing: its next delivery will', async () => {
  const lines: string[] = [];
  const outcome: JudgeOutcome = { kind: 'not_judged', why: 'key_revoked' };
  const judge = loggedJudge(judgeOf(outcome), (...line) => void lines.push(line.join()));
  expect(await judge.judge(request, {} as JudgeDeps)).toBe(outcome);
  expect(lines).toEqual([]);
});

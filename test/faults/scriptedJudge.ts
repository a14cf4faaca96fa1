import type {
  Judge,
  JudgeDeps,
  JudgeOutcome,
  JudgeRequest,
  KeyTest,
} from '../../shared/domain/evaluation/judging/ports.ts';
import { Retries } from '../../shared/judge/retry.ts';
import type { Process } from './processes.ts';
import { CALL_TIMEOUT_MS, type Question, questionOf, type SimulatedProvider, scoreOf } from './provider.ts';

/** The judge's port with the real rules of repetition over scripted answers. */
export function scriptedJudge(provider: SimulatedProvider, process: Process): Judge {
  return {
    async judge(request: JudgeRequest, deps: JudgeDeps): Promise<JudgeOutcome> {
      const question = questionOf(request);
      const retries = new Retries(deps, { callTimeoutMs: CALL_TIMEOUT_MS, caseTimeoutMs: 273_000 });
      for (;;) {
        const kind = await ask(provider, process, question, deps);
        if (kind === 'verdict') return verdictFor(question);
        if (kind === 'no_slot')
          return { kind: 'error', code: 'JUDGE_CONCURRENCY_EXCEEDED', reason: 'no slot' };
        const failure = FAILURES[kind];
        const waitMs = retries.after(failure);
        if (waitMs === undefined) return { kind: 'error', code: failure.code, reason: kind };
        if (waitMs > 0) await deps.sleep(waitMs);
      }
    },
    async testKey(name: string, apiKey: string): Promise<KeyTest> {
      const kind = await provider.testKey(process, name, apiKey);
      if (kind === 'verdict' || kind === 'rejects') return { kind: 'tested', valid: kind === 'verdict' };
      return { kind: 'error', code: FAILURES[kind].code, reason: kind };
    },
  };
}

async function ask(provider: SimulatedProvider, process: Process, question: Question, deps: JudgeDeps) {
  try {
    return await deps.withSlot(() => {
      const drawn = provider.drawAnswer();
      const isRejected = provider.keys.rejected.has(question.apiKey);
      return provider.call(process, question, drawn, async () => (isRejected ? 'rejects' : drawn));
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'JUDGE_CONCURRENCY_EXCEEDED') throw error;
    return 'no_slot';
  }
}

const verdictFor = ({ evalCase }: Question): JudgeOutcome => ({
  kind: 'verdict',
  score: scoreOf(evalCase),
  reason: `because of ${evalCase}`,
  rawResponse: { said: evalCase },
  usage: { input_tokens: 10, output_tokens: 2 },
});

const FAILURES = {
  limited: { code: 'JUDGE_RATE_LIMITED', reason: '429', remedy: 'wait' },
  limited_until: {
    code: 'JUDGE_RATE_LIMITED',
    reason: '429',
    remedy: 'wait',
    headers: new Headers({ 'retry-after': '20' }),
  },
  broken: { code: 'JUDGE_UNAVAILABLE', reason: '500', remedy: 'wait' },
  hangs: { code: 'JUDGE_TIMEOUT', reason: 'silence', remedy: 'wait' },
  cut: { code: 'JUDGE_UNAVAILABLE', reason: 'half an answer', remedy: 'wait' },
  garbage: { code: 'JUDGE_UNPARSABLE', reason: 'prose', remedy: 'ask_again' },
  noise: { code: 'JUDGE_UNPARSABLE', reason: 'no JSON', remedy: 'ask_again' },
  refuses: { code: 'JUDGE_REFUSED', reason: 'refused', remedy: 'none' },
  rejects: { code: 'BYOK_KEY_REJECTED', reason: '401', remedy: 'none' },
} as const;

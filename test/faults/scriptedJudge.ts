import type {
  Judge,
  JudgeDeps,
  JudgeErrorCode,
  JudgeOutcome,
  JudgeRequest,
  KeyTest,
} from '../../shared/domain/evaluation/judging/ports.ts';
import type { NotMade } from '../../shared/domain/evaluation/slots/ports.ts';
import { Retries } from '../../shared/judge/retry.ts';
import type { Process } from './processes.ts';
import { CALL_TIMEOUT_MS, type Question, questionOf, type SimulatedProvider } from './provider.ts';

/** The judge's port with the real rules of repetition over scripted answers. */
export function scriptedJudge(provider: SimulatedProvider, process: Process): Judge {
  return {
    async judge(request: JudgeRequest, deps: JudgeDeps): Promise<JudgeOutcome> {
      const question = questionOf(request);
      const retries = new Retries(deps, { callTimeoutMs: CALL_TIMEOUT_MS, caseTimeoutMs: 273_000 });
      let lastCode: JudgeErrorCode | undefined;
      for (;;) {
        const slotted = await deps.withSlot(() => ask(provider, process, question));
        if (slotted.kind === 'not_made') return withoutCall(slotted.why, lastCode, question);
        const kind = slotted.value;
        if (kind === 'verdict') return verdictFor(question);
        const failure = FAILURES[kind];
        lastCode = failure.code;
        const waitMs = retries.after(failure);
        if (waitMs === undefined)
          return { kind: 'error', code: failure.code, reason: `${kind} because of ${question.asked}` };
        if (waitMs > 0) await deps.sleep(waitMs);
      }
    },
    async testKey(name, apiKey): Promise<KeyTest> {
      const kind = await provider.testKey(process, name, apiKey.reveal());
      if (kind === 'verdict' || kind === 'rejects') return { kind: 'tested', valid: kind === 'verdict' };
      return { kind: 'error', code: FAILURES[kind].code, reason: kind };
    },
    retirements: async () => new Map(),
  };
}

function ask(provider: SimulatedProvider, process: Process, question: Question) {
  const drawn = provider.drawAnswer();
  const isRejected = provider.keys.rejected.has(question.apiKey);
  return provider.call(process, question, drawn, async () => (isRejected ? 'rejects' : drawn));
}

function withoutCall(why: NotMade, lastCode: JudgeErrorCode | undefined, { asked }: Question): JudgeOutcome {
  if (why === 'no_slot') return { kind: 'error', code: 'JUDGE_CONCURRENCY_EXCEEDED', reason: 'no slot' };
  if (why === 'calls_exhausted' && lastCode !== undefined) {
    return { kind: 'error', code: lastCode, reason: `${lastCode} because of ${asked}` };
  }
  return { kind: 'not_judged', why };
}

const verdictFor = ({ asked, score }: Question): JudgeOutcome => ({
  kind: 'verdict',
  score,
  reason: `good or bad because of ${asked}`,
  rawResponse: { said: asked },
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

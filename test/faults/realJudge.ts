import { createJudge } from '../../shared/judge/judge.ts';
import { type JudgeSettings, judgeSettingsFromEnv } from '../../shared/judge/settings.ts';
import {
  type Answer,
  content,
  cut,
  failure,
  hang,
  type ProviderName,
  type Providers,
  raw,
  verdict,
} from '../support/providers.ts';
import { type AnswerKind, type Question, questionOf } from './provider.ts';
import type { ServiceSettings } from './settings.ts';

/** The real time that a stalled call takes. Any other call may take longer where the machine is busy. */
const STALLED_MS = 100;

/**
 * The judge itself, over HTTP to stand-ins that answer as the seed says. A call is made at its moment, one at a
 * time, and its answer travels in simulated time; its failures quote the key, as some providers' do.
 */
export function realJudge(providers: Providers): NonNullable<ServiceSettings['judge']> {
  const settings: { -readonly [Name in keyof JudgeSettings]: JudgeSettings[Name] } = judgeSettingsFromEnv(
    providers.env,
  );
  const { callTimeoutMs } = settings;
  const judge = createJudge(settings);
  return (provider, process) => ({
    judge(request, deps) {
      const question = questionOf(request);
      const answers = answersFor(question, request.apiKey.reveal());
      return judge.judge(request, {
        ...deps,
        withSlot: (call) =>
          deps.withSlot(() => {
            const kind = provider.drawAnswer();
            return provider.call(process, question, kind, async () => {
              providers.reset();
              providers.always('all', answers[kind]);
              if (kind === 'hangs') settings.callTimeoutMs = STALLED_MS;
              return call().finally(() => {
                settings.callTimeoutMs = callTimeoutMs;
              });
            });
          }),
      });
    },
    testKey: (name: ProviderName, apiKey) => judge.testKey(name, apiKey),
    retirements: async () => new Map(),
  });
}

function answersFor({ asked, score }: Question, key: string): Record<AnswerKind, Answer> {
  const message = `Incorrect request with key ${key}`;
  return {
    verdict: verdict({ score, reasoning: `The key is ${key} because of ${asked}` }),
    limited: failure(429, { message }),
    limited_until: failure(429, { message, headers: { 'retry-after': '20' } }),
    broken: failure(503, { message }),
    hangs: hang(),
    cut: cut(),
    garbage: content(`{"score": 7, "reasoning": "${key}"}`),
    noise: raw('<html>not JSON</html>', 'text/html'),
    refuses: content(`I will not judge ${key}`, 'refusal'),
  };
}

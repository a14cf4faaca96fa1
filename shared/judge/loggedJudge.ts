import type { Provider } from '../domain/byok/providers.ts';
import type { Judge } from '../domain/evaluation/judging/ports.ts';

/** `verdict`, or the code of the error. */
export type TellOutcome = (provider: Provider, outcome: string) => void;

/** The same judge, which tells how each case ended: a provider that fails is found out before its customers do. */
export const toldJudge = (judge: Judge, tell: TellOutcome): Judge => ({
  ...judge,
  async judge(request, deps) {
    const outcome = await judge.judge(request, deps);
    tell(request.provider, outcome.kind === 'verdict' ? outcome.kind : outcome.code);
    return outcome;
  },
});

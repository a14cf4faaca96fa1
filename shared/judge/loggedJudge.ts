import type { Provider } from '../domain/byok/providers.ts';
import type { Judge } from '../domain/evaluation/judging/ports.ts';

/** `outcome` is `verdict`, or the code of the error. */
export type LogOutcome = (provider: Provider, outcome: string) => void;

/** The same judge. The outcome of each case is logged, so that a failing provider is seen before customers report it. */
export const loggedJudge = (judge: Judge, logOutcome: LogOutcome): Judge => ({
  ...judge,
  async judge(request, deps) {
    const outcome = await judge.judge(request, deps);
    if (outcome.kind === 'verdict') logOutcome(request.provider, outcome.kind);
    if (outcome.kind === 'error') logOutcome(request.provider, outcome.code);
    return outcome;
  },
});

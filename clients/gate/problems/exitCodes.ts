import type { EvalgateError } from '../../sdk/index.ts';
import { type Waivable, waiverOf } from '../report/review/waiver.ts';
import { stateOf } from '../report/types.ts';

/** How a command or a step ends: only a verdict is 1, since anything else that goes wrong does not judge the candidate. */
export const EXIT = { done: 0, aborted: 1, callerMustChange: 2, noVerdict: 3, interrupted: 130 } as const;

export function exitCodeOf(run: Waivable, countsWaivers: boolean): 0 | 1 | 3 {
  const state = stateOf(run);
  if (state === 'cleared' || (countsWaivers && waiverOf(run) !== undefined)) return EXIT.done;
  return state === 'aborted' ? EXIT.aborted : EXIT.noVerdict;
}

/** 402, 408, 429 and failures of service or network name nothing that the caller could change here. */
const NOT_OF_CALLER: readonly number[] = [402, 408, 429];

export function exitCodeOfRefusal({ status, code }: EvalgateError): 2 | 3 {
  const isFailure = status === undefined || status >= 500 || NOT_OF_CALLER.includes(status);
  const isPassing = code === 'IDEMPOTENCY_IN_PROGRESS' || isOfGithub(code);
  return isFailure || isPassing ? EXIT.noVerdict : EXIT.callerMustChange;
}

/** GitHub did not give the token of the job: what it refuses is no mistake of the caller. */
export const isOfGithub = (code: string): boolean => code.startsWith('GITHUB_');

import { covers } from '../../../contracts/base/scopes.ts';
import type { Run } from '../../../contracts/runs.ts';
import { AppError } from '../../errors.ts';
import type { Principal } from '../../principal.ts';

type Hiding = Pick<Run, 'results_hidden'>;
type Scoped = Pick<Principal, 'scope'>;

export const hidesResults = ({ results_hidden }: Hiding, { scope }: Scoped): boolean =>
  results_hidden === true && !covers(scope, 'read');

export function refuseHidden(run: Hiding, principal: Scoped): void {
  if (!hidesResults(run, principal)) return;
  throw new AppError(
    'RESULTS_HIDDEN',
    'The results are hidden from credentials of scope "run", since the suite does not show them: send one of scope "read", "suites" or "full".',
  );
}

/** Every answer of a run is made by it. Of one whose results are hidden no field names a case, or a text about one. */
export function redacted<R extends Run>(run: R, principal: Scoped): R {
  if (!hidesResults(run, principal)) return run;
  const { verdict, comparison, notices } = run;
  return {
    ...run,
    // The size of a prompt that was sent again, such as for a vote, names its case.
    judge_usage: null,
    notices: notices.filter(({ code }) => code === 'RETRIED'),
    comparison: comparison && { ...comparison, newly_failing: [] },
    verdict: verdict && {
      ...verdict,
      gates: verdict.gates.map(({ gate, status, observed, required, difference, judged_cases, reason }) => ({
        gate,
        status,
        observed,
        required,
        difference,
        judged_cases,
        // That of the gate on judges names a case that they had to answer.
        ...(gate !== 'judges' && { reason }),
      })),
      flips: verdict.flips && { ...verdict.flips, case_ids: [] },
    },
  };
}

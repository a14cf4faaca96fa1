import { EXIT, exitCodeOf, exitCodeOfRefusal } from '../gate/problems/exitCodes.ts';
import { stateOf } from '../gate/report/types.ts';
import { EvalgateError, type Outcome } from '../sdk/index.ts';
import type { Inputs } from './job/inputs.ts';
import { Problem } from './problem.ts';

type Verdict = 'cleared' | 'aborted' | 'inconclusive' | 'error' | 'skipped';

/** How the step ends. */
export interface Ending {
  readonly verdict: Verdict;
  /** 0 cleared or waived, 1 aborted by the verdict and nothing else, 2 the caller must change something, 3 no verdict. */
  readonly exitCode: 0 | 1 | 2 | 3;
  readonly isFailure: boolean;
  /** Aborted, and a waiver lets it pass. */
  readonly isWaived?: boolean | undefined;
  /** The run, as soon as its id is known. */
  readonly runId?: string | undefined;
  /** The verdict's figures. */
  readonly outcome?: Outcome | undefined;
  /** In place of a verdict. Foreign words may stand in it. */
  readonly message?: string | undefined;
}

/** The verdict of a run. */
export function endingOf(outcome: Outcome, { failOn, countsWaivers }: Inputs): Ending {
  const { id: runId } = outcome;
  const exitCode = exitCodeOf(outcome, countsWaivers);
  switch (stateOf(outcome)) {
    case 'cleared':
      return { verdict: 'cleared', exitCode, isFailure: false, runId, outcome };
    case 'aborted': {
      const isWaived = exitCode === EXIT.done;
      const isFailure = !isWaived && failOn.includes('aborted');
      return { verdict: 'aborted', exitCode, isFailure, isWaived, runId, outcome };
    }
    case 'inconclusive': {
      // Else a candidate whose outputs cannot be judged, or that gives none, would open the gate.
      const isFailure = failOn.includes('inconclusive') || outcome.fault !== 'service';
      return { verdict: 'inconclusive', exitCode, isFailure, runId, outcome };
    }
    case 'pending': {
      const message = `The run is still pending: there is no verdict yet. It goes on; wait longer (input wait), or look at it with evalgate wait ${runId}.`;
      return { verdict: 'error', exitCode, isFailure: failOn.includes('error'), runId, message };
    }
    default: {
      const message = `The run has the status ${outcome.status}, which this version of the action does not know.`;
      return { verdict: 'error', exitCode, isFailure: failOn.includes('error'), runId, message };
    }
  }
}

const NO_RUNS_LEFT = 402;

/**
 * What keeps a gate from being run. Only an outage may be excused: what the caller wrote wrongly, what the service refused
 * and a month without runs left fail the step, whatever `fail-on` says.
 */
export function endingOfError(error: unknown, failOn?: Inputs['failOn'], runId?: string): Ending {
  const { message } = error as Error;
  if (error instanceof Problem) return { verdict: 'error', exitCode: 2, isFailure: true, message };
  const { status = 0 } = error as EvalgateError;
  // A page in place of an answer may be an outage.
  const isAnswer = error instanceof EvalgateError && status >= 400;
  const exitCode = isAnswer ? exitCodeOfRefusal(error) : EXIT.noVerdict;
  const isFailure =
    exitCode === EXIT.callerMustChange || status === NO_RUNS_LEFT || (failOn?.includes('error') ?? true);
  const goesOn = runId === undefined ? '' : ` The run goes on: evalgate wait ${runId}`;
  return { verdict: 'error', exitCode, isFailure, runId, message: `${message}${goesOn}` };
}

/** A pull request of a fork, whose job gets neither a token nor, as a rule, a secret: nothing can be judged. */
export function skippedFork({ onFork, apiKey, command }: Inputs): Ending {
  const what = command === 'run' ? 'The gate' : `The ${command}`;
  const key = apiKey === '' ? ': the input api-key is empty, since forks get no secrets' : '';
  const message = `${what} did not run: this is a pull request of a fork, and its job holds no API key${key}. GitHub counts a required check that is skipped as a success. docs/action.md shows how to gate forks.`;
  const isFailure = onFork === 'fail';
  return { verdict: 'skipped', exitCode: isFailure ? 3 : 0, isFailure, message };
}

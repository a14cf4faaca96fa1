import type { JobClaims } from '../files/config/jobToken.ts';
import type { Evalgate } from '../sdk/index.ts';
import type { AnsweredPlan } from './definitions/suites.ts';
import type { Job } from './job/event.ts';
import type { Inputs } from './job/inputs.ts';
import type { Settings } from './job/settings.ts';

/** What every step needs. */
export interface Ready {
  readonly inputs: Inputs;
  readonly job: Job;
  readonly settings: Settings;
}

/** What is known at the moment; the rest is not known where something fails. */
export interface Known {
  inputs?: Inputs;
  job?: Job;
  /** What GitHub says of the job, where it was asked for a token. */
  claims?: JobClaims;
  /** The service gave a token for GitHub's. */
  isLoggedIn?: boolean;
  /** Where the gate came as far as that. */
  gate?: { readonly settings: Settings; readonly client: Evalgate };
  runId?: string;
  /** What outputs name, and is no case of the suite. */
  mismatched?: readonly string[];
  /** Of all suites, once there is one of each; of a push with what was applied so far. */
  plans?: AnsweredPlan[];
  /** The baseline that was made. */
  accepted?: Awaited<ReturnType<Evalgate['baselines']['accept']>>;
}

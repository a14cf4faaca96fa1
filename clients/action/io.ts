import type { Environment } from '../sdk/transport/environment.ts';
import type { readSuites } from './definitions/suites.ts';

/** Of the process, which holds what the runner of GitHub Actions says. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What the step takes from its process beside the variables. A test brings its own. */
export interface Io {
  /** Where relative paths begin. */
  readonly cwd: string;
  /** Writes into the log of the job. */
  readonly write: (text: string) => void;
  /** Network and clock. */
  readonly environment: Omit<Environment, 'variable'>;
  /** Loads schemas and scorers, which runs of a gate do without. */
  readonly loadSuites: () => Promise<{ readonly readSuites: typeof readSuites }>;
  /** Called as soon as it is known how the step ends: reports follow. */
  readonly onExitCode: (exitCode: number) => void;
}

import { durationMs } from '../../../sdk/index.ts';
import { countOf, waitOf } from '../../input/options.ts';
import type { Io } from '../../io.ts';
import { reportTargets } from '../../output/reports.ts';
import { Problem } from '../../problem.ts';
import type { HowToWrite } from './outputsFile.ts';

export interface AskOptions extends HowToWrite {
  readonly out: string;
  readonly jobs: string;
  readonly timeout: string;
  readonly run?: boolean;
  readonly meta?: readonly string[];
  readonly wait: string;
  readonly report?: readonly string[];
  readonly waivers: boolean;
}

const JOBS_MAX = 64;
/** Of timers. */
const TIMEOUT_MAX_MS = 86_400_000;

/** What is wrong with the command line, before anything is asked. */
export function checked(io: Io, command: readonly string[], options: AskOptions): [number, number] {
  const example = 'Such as evalgate ask returns -- python answer.py';
  if (command.length === 0) throw new Problem('Which command answers?', example);
  if (options.resume && options.overwrite) throw new Problem('Give either --resume or --overwrite.');
  if (!options.run && (options.report || options.meta || !options.waivers)) {
    throw new Problem('--report, --meta and --no-waivers are about a run.', 'Add --run, or leave them out.');
  }
  reportTargets(io, options.report ?? []);
  waitOf(options.wait);
  return [countOf('--jobs', options.jobs, JOBS_MAX), timeoutOf(options.timeout)];
}

function timeoutOf(given: string): number {
  try {
    const ms = durationMs(given);
    if (ms > 0 && ms <= TIMEOUT_MAX_MS) return ms;
  } catch {
    // Said below.
  }
  throw new Problem(`--timeout ${given} is no duration of up to 24h.`, 'Such as --timeout 90s or 15m');
}

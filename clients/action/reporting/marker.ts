import { createHash } from 'node:crypto';
import type { Job } from '../job/event.ts';

/** Which comment this is, in its first line. Steps and labels are hashed, so that no name ends the HTML comment. */
export interface Marker {
  /** The step of the workflow's job, whichever leg of a matrix. */
  readonly step: string;
  /** What the comment is about: the suite, and the value of the input `comment-key`. */
  readonly label: string;
  /** The number of the leg. */
  readonly leg: number;
  /** Counts within one workflow. */
  readonly run: number;
  readonly attempt: number;
}

const MARKER =
  /^<!-- evalgate ([0-9a-f]{16})([0-9a-f]{12})([0-9a-f]{4}) run=(\d{1,15})\.(\d{1,15}) sha=[0-9a-f]* -->/;
const LEG_DIGITS = 4;

const hashOf = (length: number, ...names: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, length);

/** A gate and a plan of one step each have a comment of their own. */
export const markerOf = (
  { repository, workflowFile, workflow, id, step, leg, runNumber, attempt }: Job,
  command: string,
  label: readonly string[],
): Marker => ({
  step: hashOf(16, repository, workflowFile || workflow, id, step, command),
  label: hashOf(12, ...label),
  leg: leg.index,
  run: runNumber,
  attempt,
});

export const markerLine = ({ step, label, leg, run, attempt }: Marker, sha: string): string =>
  `<!-- evalgate ${step}${label}${leg.toString(16).padStart(LEG_DIGITS, '0')} run=${run}.${attempt} sha=${sha.replace(/[^0-9a-f]/g, '')} -->`;

export function readMarker(body: string): Marker | undefined {
  const [, step, label, leg, run, attempt] = MARKER.exec(body) ?? [];
  if (step === undefined || label === undefined || leg === undefined) return undefined;
  return { step, label, leg: Number.parseInt(leg, 16), run: Number(run), attempt: Number(attempt) };
}

/** Below 0: `one` is of an earlier run or attempt than `other`. */
export const compareRuns = (one: Marker, other: Marker): number =>
  one.run - other.run || one.attempt - other.attempt;

import type { OwnComment } from './comment.ts';
import { compareRuns, type Marker } from './marker.ts';

export interface Choosing {
  /** Whether no other job of a run has this step and leg. A workflow that others call may be called twice by one. */
  readonly isSole: boolean;
  /** How many legs the matrix has, where it is known. */
  readonly legs: number | undefined;
  /** Of a plan: what the same step writes again in one run says the same. */
  readonly isPlan: boolean;
}

/** What becomes of the comments that there are. */
export interface Choice {
  /** A later run has reported its verdict already: this one is not about the newest commit. */
  readonly isOutdated: boolean;
  /** The comment that is written over. Without one there is a new comment. */
  readonly replaces: OwnComment | undefined;
  /** The comment is of this run already, by a step of this job that GitHub names alike: its content is kept. */
  readonly isJoined: boolean;
  readonly isKnown: boolean;
  /** Deleted afterwards. */
  readonly removes: readonly OwnComment[];
}

/**
 * GitHub changes a comment without a condition: two jobs that choose the same one hide a verdict. So a job writes over a
 * comment only where no other job of this run can choose it. Else it writes a new one, and deletes those of runs before,
 * which no job changes any more.
 */
export function chooseComment(
  jobMarker: Marker,
  comments: readonly OwnComment[],
  choosing: Choosing,
): Choice {
  const { isSole, legs, isPlan } = choosing;
  const ofLeg = comments.filter(({ marker }) => marker.leg === jobMarker.leg);
  const alike = ofLeg.filter(({ marker }) => marker.label === jobMarker.label);
  const isOutdated = (isSole ? ofLeg : alike).some(({ marker }) => compareRuns(marker, jobMarker) > 0);
  const isOfEarlierRun = ({ marker }: OwnComment): boolean => marker.run < jobMarker.run;
  const before = alike.find(({ marker }) => compareRuns(marker, jobMarker) < 0);
  if (!isSole) {
    return {
      isOutdated,
      replaces: undefined,
      isJoined: false,
      isKnown: before !== undefined,
      removes: ofLeg.filter(isOfEarlierRun),
    };
  }
  const now = alike.find(({ marker }) => compareRuns(marker, jobMarker) === 0);
  // In an earlier run the suite had another name, or the leg another suite.
  const replaces = now ?? before ?? ofLeg.find(isOfEarlierRun);
  const isGone = ({ marker }: OwnComment): boolean => legs !== undefined && marker.leg >= legs;
  const removes = comments.filter((comment) => isGone(comment) && isOfEarlierRun(comment));
  return {
    isOutdated,
    replaces,
    isJoined: now !== undefined && !isPlan,
    isKnown: replaces !== undefined,
    removes,
  };
}

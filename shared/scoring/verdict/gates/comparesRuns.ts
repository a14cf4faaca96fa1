import type { Gates } from '../../../contracts/gates.ts';

/** Whether a gate of the suite compares runs with its baseline. */
export const comparesRuns = ({ max_newly_failing, regression }: Gates): boolean =>
  max_newly_failing !== undefined || regression !== undefined;

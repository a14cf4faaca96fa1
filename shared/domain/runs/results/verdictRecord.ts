import type { VerdictRecord } from '../ports.ts';

/** Of a pending run, and of one that nothing was judged of. */
export const NO_RECORD: VerdictRecord = {
  suite_digest: null,
  outputs_digest: null,
  missing_cases: 0,
  advisory_cases: 0,
  advisory_failed_cases: 0,
  judge_usage: null,
  surplus_outputs: 0,
  surplus: [],
  pass_threshold: null,
  notices: [],
  isSingle: false,
  compared: null,
  waived: null,
  kept: null,
};

import { BODY_BYTES_MAX } from '../../../shared/contracts/base/bodyLimits.ts';
import { CASES_MAX } from '../../../shared/contracts/cases.ts';

interface Size {
  readonly assertions: number;
  readonly cases: number;
  /** Of the cases as they are sent. */
  readonly bytes: number;
  /** Of the variables of all tests. */
  readonly inputBytes: number;
}

const ASSERTIONS_MAX = 100_000;
const INPUT_BYTES_MAX = 64 * 1_024 * 1_024;

/** Why a config cannot become one suite. */
export function whyTooLarge({ assertions, cases, bytes, inputBytes }: Size): string | undefined {
  if (cases > CASES_MAX) return `makes more than ${CASES_MAX} cases`;
  if (assertions > ASSERTIONS_MAX) return `has more than ${ASSERTIONS_MAX} assertions`;
  if (bytes > BODY_BYTES_MAX) return 'makes a suite of more than 6 MB';
  return inputBytes > INPUT_BYTES_MAX ? 'has more than 64 MB of variables' : undefined;
}

import type { Notice } from '../../../contracts/runDetails.ts';
import { AppError, invalidField } from '../../errors.ts';
import { isAllAdvisory } from '../../suites/bar/rules.ts';
import type { CachedSuite } from '../cachedSuite.ts';
import type { Submission } from '../outputs/submission.ts';

const ALL_ADVISORY =
  'has advisory cases only, and a gate that checks nothing must not clear: end the advisory of one first';

/** The 400 for a suite that gates nothing. */
export const allAdvisory = () => invalidField('suite', ALL_ADVISORY);

/** Of a run whose suite gates nothing any more. */
export const ALL_ADVISORY_NOTICE: Notice = {
  code: 'OUTPUTS_REFUSED',
  message: `The suite ${ALL_ADVISORY}.`,
};

/** 400 for a suite that gates nothing, 409 for another one than the client means. */
export function refuseSuite(suite: CachedSuite, { suite_digest }: Submission, startedAtMs: number): void {
  if (suite.caseCount === 0) {
    throw invalidField(
      'suite',
      'has no active case, and a gate that checks nothing must not clear: add one first',
    );
  }
  if (isAllAdvisory(suite, startedAtMs)) throw allAdvisory();
  const { digest } = suite;
  // A suite that is too large to be read here is compared when its run is planned.
  if (suite_digest === undefined || digest === undefined || suite_digest === digest) return;
  throw new AppError(
    'SUITE_CHANGED',
    'The suite is not the one that suite_digest names: look at what changed, then send its present digest.',
    { suite_digest: digest },
  );
}

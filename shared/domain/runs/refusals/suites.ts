import { AppError, invalidField } from '../../errors.ts';
import type { SuiteRevision } from '../../suites/chains/suiteRevision.ts';
import type { DigestOfSuite } from '../../suites/digests/knownDigests.ts';
import { isAllAdvisory } from '../../suites/gates/rules.ts';
import type { Submission } from '../outputs/submission.ts';

/** The 400 for a suite that gates nothing. */
export const allAdvisory = () =>
  invalidField(
    'suite',
    'has advisory cases only, and a gate that checks nothing must not clear: end the advisory of one first',
  );

/** 400 for a suite that gates nothing, 409 for another one than the client means. */
export async function refuseSuite(
  { digestOfSuite }: { readonly digestOfSuite: DigestOfSuite },
  suiteRevision: SuiteRevision,
  { suite_digest }: Submission,
  startedAtMs: number,
): Promise<void> {
  if (suiteRevision.sums.active === 0) {
    throw invalidField(
      'suite',
      'has no active case, and a gate that checks nothing must not clear: add one first',
    );
  }
  if (isAllAdvisory(suiteRevision.sums, startedAtMs)) throw allAdvisory();
  if (suite_digest === undefined) return;
  const { digest } = await digestOfSuite(suiteRevision);
  if (suite_digest === digest) return;
  throw new AppError(
    'SUITE_CHANGED',
    'The suite has changed: it no longer has the digest in suite_digest. Look at what changed, then send its present digest.',
    { suite_digest: digest },
  );
}

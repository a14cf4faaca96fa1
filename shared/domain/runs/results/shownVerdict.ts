import type { Run } from '../../../contracts/runs.ts';
import { verdictDetail } from '../../../scoring/verdict/detail.ts';
import { shownComparison } from '../baseline/comparedRun.ts';
import type { VerdictRecord } from '../ports.ts';

type Figures = Pick<Run, 'suite_id' | 'status' | 'pass_rate'>;
type Internal = 'kept' | 'compared' | 'isSingle' | 'waived';

/** What a run says of its verdict, from what it keeps. Its waiver lies elsewhere. */
export function shownVerdict(
  { suite_id, status, pass_rate }: Figures,
  { kept, compared, isSingle: _, waived: __, ...record }: VerdictRecord,
): Pick<Run, keyof Omit<VerdictRecord, Internal> | 'verdict' | 'baseline_id' | 'comparison'> {
  const { pass_threshold, surplus, notices } = record;
  const isKnown = status !== 'pending' && kept !== null && pass_threshold !== null;
  return {
    ...record,
    ...shownComparison(suite_id, compared),
    surplus: [...surplus],
    notices: [...notices],
    verdict: isKnown ? verdictDetail({ status, pass_rate }, pass_threshold, kept) : null,
  };
}

import type { Run } from '../../../contracts/runs.ts';
import { verdictDetail } from '../../../scoring/verdict/detail.ts';
import type { VerdictRecord } from '../ports.ts';

type Figures = Pick<Run, 'status' | 'pass_rate'>;

/** What a run says of its verdict, from what it keeps. */
export function shownVerdict(
  { status, pass_rate }: Figures,
  { kept, ...record }: VerdictRecord,
): Pick<Run, keyof Omit<VerdictRecord, 'kept'> | 'verdict'> {
  const { pass_threshold, surplus, notices } = record;
  const isKnown = status !== 'pending' && kept !== null && pass_threshold !== null;
  return {
    ...record,
    surplus: [...surplus],
    notices: [...notices],
    verdict: isKnown ? verdictDetail({ status, pass_rate }, pass_threshold, kept) : null,
  };
}

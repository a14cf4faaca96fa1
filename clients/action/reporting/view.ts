import { labelOf } from '../../gate/report/results.ts';
import type { Report, ReportedResult } from '../../gate/report/types.ts';
import type { Job } from '../job/event.ts';
import type { Inputs } from '../job/inputs.ts';
import type { Ending } from '../outcome.ts';

/** The gate's end as it is reported. */
export interface View {
  readonly job: Job;
  readonly suite: string;
  readonly ending: Ending;
  /** The address of the run's page. */
  readonly page: string | undefined;
  /** Where there is a verdict. */
  readonly report: Report | undefined;
  /** Reasons and outputs are left out of it, since strangers can read it. */
  readonly isKeysOnly: boolean;
}

export const isKeysOnly = ({ details }: Inputs, { isPrivate }: Job): boolean =>
  details === 'keys' || (details === 'auto' && !isPrivate);

/** Keys, scores, gates, and the codes of errors. */
export const withoutReasons = (report: Report): Report => ({
  ...report,
  run: { ...report.run, waiver: report.run.waiver ? { ...report.run.waiver, reason: '' } : null },
  results: report.results.map((result) => ({
    case_id: result.case_id,
    case_name: labelOf(result),
    key: result.key,
    passed: result.passed,
    score: result.score,
    threshold: result.threshold,
    missing: result.missing,
    advisory: result.advisory,
    // They are not shown: they say which cases would flip the run.
    weight: result.weight ?? null,
    tags: result.tags ?? [],
    ...(result.errored !== undefined && { errored: result.errored }),
    ...(result.must_pass !== undefined && { must_pass: result.must_pass }),
    ...(result.samples && { samples: result.samples.map(({ passed }) => ({ passed })) }),
    reason: codeOf(result),
  })),
});

/** What stands in place of the reason. The service's codes are capital letters; a model may write anything. */
function codeOf({ missing, errored, scorer_output }: ReportedResult): string {
  if (missing) return 'none was sent';
  if (errored !== true) return '';
  const code = scorer_output?.error;
  return typeof code === 'string' && /^[A-Z_]{1,64}$/.test(code) ? code : 'see the run';
}

import type { Run } from '../../../sdk/index.ts';
import { type ReportedRun, stateOf } from '../types.ts';
import { joined, plain, say, type Words } from '../words.ts';
import { credentialWords } from './credential.ts';

type Waiver = NonNullable<Run['waiver']>;

export type Waivable = Pick<ReportedRun, 'status' | 'inconclusive' | 'waiver'>;

/** The waiver in force of a run that its verdict aborted. Of what has no verdict there is none. */
export const waiverOf = (run: Waivable): Waiver | undefined =>
  stateOf(run) === 'aborted' && run.waiver?.active === true ? run.waiver : undefined;

/** Without a reason where it is not shown. */
export function waiverWords({ waived_by, expires_at, reason }: Waiver): Words {
  const who = credentialWords(waived_by);
  const until = joined(
    [plain('aborted, waived by '), who, say` until ${withoutMilliseconds(expires_at)}`],
    '',
  );
  return reason === '' ? until : joined([until, say`${reason}`], ': ');
}

const withoutMilliseconds = (instant: string): string => instant.replace(/\.\d{1,9}Z$/, 'Z');

import type { Credential } from '../../../contracts/base/credentials.ts';
import type { Notice } from '../../../contracts/runDetails.ts';
import { isJob, sourceOf } from '../../principal.ts';
import type { Said } from '../../reliability/reliability.ts';
import type { CommitStore } from './ports.ts';

/** Two runs of a commit are a run and its repetition. */
const NOTICED_FROM = 3;

interface JudgedCommit {
  readonly orgId: string;
  readonly suiteId: string;
  readonly createdBy: Credential;
  readonly runToken: string;
  readonly status: string;
  readonly inconclusive: boolean;
  readonly triggerMeta: Readonly<Record<string, unknown>>;
  readonly suiteDigest: string | null;
  readonly outputsDigest: string | null;
  /** The token of the current baseline. */
  readonly baseline: string | null;
}

export const saidBy = ({ status, inconclusive }: Pick<JudgedCommit, 'status' | 'inconclusive'>): Said =>
  inconclusive ? 'inconclusive' : status === 'cleared' ? 'cleared' : 'aborted';

/** Says of a job's run that the suite has judged its commit before, from the third run on. */
export async function retriedNotices(
  { commits }: { readonly commits: CommitStore },
  judged: JudgedCommit,
): Promise<Notice[]> {
  const { orgId, suiteId, createdBy, runToken } = judged;
  if (!isJob(createdBy) || createdBy.sha === undefined) return [];
  const { sha } = createdBy;
  const { repetitionOf } = await import('../../reliability/repetition.ts');
  const { runs, first } = await commits.count(
    { orgId, suiteId, source: sourceOf(createdBy), sha },
    { runToken, claimed: saidBy(judged), repetition: repetitionOf(judged) },
  );
  if (runs < NOTICED_FROM) return [];
  const message = `This suite has judged the commit ${sha.slice(0, 12)} ${runs} times with this run, and the first run was ${first}.`;
  return [{ code: 'RETRIED', message, runs, first }];
}

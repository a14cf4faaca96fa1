import type { Credential } from '../../../contracts/base/credentials.ts';
import type { Notice } from '../../../contracts/runDetails.ts';
import type { Run } from '../../../contracts/runs.ts';
import { isJob, sourceOf } from '../../principal.ts';
import { saidBy } from '../../reliability/said.ts';
import type { SuiteRevision } from '../../suites/chains/suiteRevision.ts';
import type { CommitStore } from './ports.ts';

/** Two runs of a commit are a run and its repetition. */
const NOTICED_FROM = 3;

interface JudgedCommit {
  readonly orgId: string;
  readonly suiteId: string;
  readonly createdBy: Credential;
  readonly runToken: string;
  readonly triggerMeta: Readonly<Record<string, unknown>>;
  readonly suiteRevision: Pick<SuiteRevision, 'baseline' | 'settings'>;
  readonly verdict: Pick<
    Run,
    'status' | 'inconclusive' | 'suite_digest' | 'outputs_digest' | 'advisory_cases'
  >;
}

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
    { runToken, claimed: saidBy(judged.verdict), repetition: repetitionOf(judged) },
  );
  if (runs < NOTICED_FROM) return [];
  const message = `This suite has judged the commit ${sha.slice(0, 12)} ${runs} times with this run, and the first run was ${first}.`;
  return [{ code: 'RETRIED', message, runs, first }];
}

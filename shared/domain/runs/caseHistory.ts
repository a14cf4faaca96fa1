import type { CaseOutcome } from '../../contracts/results/caseHistory.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { retainedSince } from '../retention/retention.ts';
import { liveCaseRow } from '../suites/access/live.ts';
import type { Revisions } from '../suites/chains/chains.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import type { SuiteHead } from '../suites/stored.ts';
import { CLOCKS_DIFFER_MS_MAX, timestamp } from '../time.ts';

export interface CaseHistory {
  readonly data: CaseOutcome[];
  readonly truncated: boolean;
}

export interface RequestedHistory {
  /** Of the case. */
  readonly number: number;
  /** Where its results lie within those of a run, as a share: a guess, by which less is read. */
  readonly place: number;
  /** Older runs are gone, or had no such case. */
  readonly since: string;
  readonly limit: number;
}

export interface CaseHistoryStore {
  /** Of the newest runs of the suite that have ended. */
  outcomes(orgId: string, head: SuiteHead, requested: RequestedHistory): Promise<CaseHistory>;
}

interface Deps extends Ambient {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Revisions;
  readonly caseHistories: CaseHistoryStore;
}

export async function historyOfCase(
  deps: Deps,
  principal: Principal,
  caseId: string,
  { limit }: Pick<RequestedHistory, 'limit'>,
): Promise<CaseHistory> {
  const { member, position, present, head } = await liveCaseRow(deps, principal, caseId, 'read');
  const retained = retainedSince(principal, deps.now());
  // Of a clock that was behind the case's.
  const possible = timestamp(Date.parse(member.row.created_at) - CLOCKS_DIFFER_MS_MAX);
  return deps.caseHistories.outcomes(principal.orgId, head, {
    number: member.number,
    place: position / present.count,
    since: retained > possible ? retained : possible,
    limit,
  });
}

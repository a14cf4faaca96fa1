import type { EvalCase } from '../../contracts/cases.ts';
import type { CaseOutcome, LatestOutcome } from '../../contracts/results/caseHistory.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { retainedSince } from '../retention/retention.ts';
import { numberIn } from '../revisions/ids.ts';
import { liveCaseRow, liveSuiteInForce } from '../suites/access/live.ts';
import type { Revisions } from '../suites/chains/chains.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import type { SuiteHead } from '../suites/stored.ts';
import { CLOCKS_DIFFER_MS_MAX, timestamp } from '../time.ts';

export interface CaseHistory {
  readonly data: CaseOutcome[];
  readonly truncated: boolean;
}

/** Cases of a suite, and where to look for them. */
export interface PlacedCases {
  readonly numbers: ReadonlySet<number>;
  /** Where their results lie within those of a run, as a share: a guess, by which less is read. */
  readonly place: number;
  /** Older runs are gone, or had no such case. */
  readonly since: string;
}

export interface CaseHistoryStore {
  /** Of one case, in the newest runs of the suite that have ended. */
  outcomes(
    orgId: string,
    head: SuiteHead,
    requested: PlacedCases & { readonly limit: number },
  ): Promise<CaseHistory>;
  /** By the numbers of the cases; a case that none of the runs had is left out. */
  latest(orgId: string, head: SuiteHead, requested: PlacedCases): Promise<ReadonlyMap<number, LatestOutcome>>;
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
  { limit }: { readonly limit: number },
): Promise<CaseHistory> {
  const { member, position, present, head } = await liveCaseRow(deps, principal, caseId, 'read');
  const retained = retainedSince(principal, deps.now());
  // Of a clock that was behind the case's.
  const possible = timestamp(Date.parse(member.row.created_at) - CLOCKS_DIFFER_MS_MAX);
  return deps.caseHistories.outcomes(principal.orgId, head, {
    numbers: new Set([member.number]),
    place: position / present.count,
    since: retained > possible ? retained : possible,
    limit,
  });
}

type CaseWithOutcome = EvalCase & { readonly latest_outcome: LatestOutcome | null };

/** The cases of a page, each with how it fared lately. */
export async function casesWithOutcomes(
  deps: Omit<Deps, 'newId'>,
  principal: Principal,
  suiteId: string,
  { items, total }: Page<EvalCase>,
): Promise<Page<CaseWithOutcome>> {
  const { head } = await liveSuiteInForce(deps, principal, suiteId, 'read');
  const numberOf = ({ id }: EvalCase): number => numberIn(id) ?? 0;
  const latest = await deps.caseHistories.latest(principal.orgId, head, {
    numbers: new Set(items.map(numberOf)),
    place: (items[0]?.sort_order ?? 0) / Math.max(1, total),
    since: retainedSince(principal, deps.now()),
  });
  return {
    items: items.map((one) => ({ ...one, latest_outcome: latest.get(numberOf(one)) ?? null })),
    total,
  };
}

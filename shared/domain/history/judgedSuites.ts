import type { PageQuery } from '../../contracts/base/common.ts';
import type { JudgedBar, ShownBar } from '../../contracts/history/history.ts';
import { pageOf } from '../pageOf.ts';
import type { Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { reliabilityOf } from '../reliability/reliability.ts';
import { liveSuiteInForce } from '../suites/access/live.ts';
import { suiteChain } from '../suites/chains/chains.ts';
import {
  caseOfSuite,
  type HistoryDeps,
  judgedFields,
  judgedSuite,
  openSuite,
  scorerOfSuite,
  usedScorers,
} from './judgedSuite.ts';
import type { JudgedDigest } from './ports.ts';

/** The bars that runs of a suite were judged by, the newest first. */
export async function judgedSuites(
  deps: Omit<HistoryDeps, 'chains'>,
  principal: Principal,
  suiteId: string,
  query: PageQuery,
): Promise<Page<JudgedBar>> {
  const { head } = await liveSuiteInForce(deps, principal, suiteId, 'result');
  const all = await deps.digests.all(suiteChain(principal.orgId, head));
  const place = ({ first_run_at, digest }: JudgedDigest): string => `${first_run_at} ${digest}`;
  const { items, total } = pageOf(
    all.toSorted((a, b) => (place(a) < place(b) ? 1 : -1)),
    query,
  );
  return { items: items.map(shownBar), total };
}

function shownBar({ revisions: _, scoring: __, repeated, ...shown }: JudgedDigest): JudgedBar {
  return { ...shown, reliability: reliabilityOf(repeated) };
}

export async function suiteOfDigest(
  deps: HistoryDeps,
  principal: Principal,
  { suiteId, digest }: { readonly suiteId: string; readonly digest: string },
): Promise<ShownBar> {
  const opened = await openSuite(deps, principal, suiteId);
  const judged = await judgedSuite(deps, opened, digest);
  const cases = (await judged.suite.ordered()).filter(({ member }) => member.row.is_active);
  const used = new Set(usedScorers(judged));
  const scorers = (await judged.project.members()).filter(({ row }) => used.has(row.id));
  const configs = await judged.project.texts(scorers.map(({ number }) => number));
  return {
    digest,
    ...judgedFields(judged),
    cases: cases.map(({ member }) => caseOfSuite(member, opened.shows)),
    scorers: scorers.map((scorer) => scorerOfSuite(scorer, configs.get(scorer.number), opened.shows)),
  };
}

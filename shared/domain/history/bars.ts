import type { PageQuery } from '../../contracts/base/common.ts';
import type { ShownBar } from '../../contracts/history/history.ts';
import { pageOf } from '../pageOf.ts';
import type { Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { liveSuiteInForce } from '../suites/access/live.ts';
import { suiteChain } from '../suites/chains/chains.ts';
import { type BarDeps, barCase, barFields, barScorer, judgedBar, openSuite, usedScorers } from './barAt.ts';
import type { JudgedBar } from './ports.ts';

/** The bars that runs of a suite were judged by, the newest first. */
export async function judgedBars(
  deps: Omit<BarDeps, 'chains'>,
  principal: Principal,
  suiteId: string,
  query: PageQuery,
): Promise<Page<Omit<JudgedBar, 'revisions' | 'scoring'>>> {
  const { head } = await liveSuiteInForce(deps, principal, suiteId, 'result');
  const all = await deps.bars.all(suiteChain(principal.orgId, head));
  const place = ({ first_run_at, digest }: JudgedBar): string => `${first_run_at} ${digest}`;
  const { items, total } = pageOf(
    all.toSorted((a, b) => (place(a) < place(b) ? 1 : -1)),
    query,
  );
  return { items: items.map(({ revisions: _, scoring: __, ...bar }) => bar), total };
}

export async function barOfDigest(
  deps: BarDeps,
  principal: Principal,
  { suiteId, digest }: { readonly suiteId: string; readonly digest: string },
): Promise<ShownBar> {
  const opened = await openSuite(deps, principal, suiteId);
  const bar = await judgedBar(deps, opened, digest);
  const cases = (await bar.suite.ordered()).filter(({ member }) => member.row.is_active);
  const used = new Set(usedScorers(bar));
  const scorers = (await bar.project.members()).filter(({ row }) => used.has(row.id));
  const configs = await bar.project.texts(scorers.map(({ number }) => number));
  return {
    digest,
    ...barFields(bar),
    cases: cases.map(({ member }) => barCase(member, opened.shows)),
    scorers: scorers.map((scorer) => barScorer(scorer, configs.get(scorer.number), opened.shows)),
  };
}

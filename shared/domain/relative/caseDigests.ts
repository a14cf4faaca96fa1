import type { BarCase } from '../../scoring/verdict/relative/baseline.ts';
import type { NameJudge } from '../suites/bar/judgeIdentity.ts';
import { rulesOf } from '../suites/bar/rules.ts';
import { digestOfCase, digestOfScorer } from '../suites/bar/suiteDigest.ts';
import type { CaseRow } from '../suites/chains/members.ts';
import type { SuiteAt } from '../suites/chains/suiteAt.ts';

/** By the ids of scorers. One that was deleted has none. */
export type ScorerDigests = Readonly<Record<string, string>>;

/** Of the largest configs: a function of 256 MB can't hold those of all scorers of a project. */
const SCORERS_AT_ONCE = 50;

export async function scorerDigests(at: SuiteAt, nameJudge: NameJudge): Promise<ScorerDigests> {
  const ids = [...(await at.scorerRows()).keys()];
  const digests: [string, string][] = [];
  for (let from = 0; from < ids.length; from += SCORERS_AT_ONCE) {
    const scorers = await at.scorers(new Set(ids.slice(from, from + SCORERS_AT_ONCE)));
    for (const [id, scorer] of scorers) digests.push([id, digestOfScorer(scorer, nameJudge)]);
  }
  return Object.fromEntries(digests);
}

/** The rows of a block are the same objects in all revisions that name it. */
const known = new WeakMap<CaseRow, { readonly scorer: string | null; readonly digest: string }>();

function digestOf(row: CaseRow, scorer: string | null): string {
  const before = known.get(row);
  if (before !== undefined && before.scorer === scorer) return before.digest;
  const digest = digestOfCase({ ...row, ...rulesOf(row) }, scorer);
  known.set(row, { scorer, digest });
  return digest;
}

export const barCases = (rows: readonly CaseRow[], scorers: ScorerDigests): BarCase[] =>
  rows.map((row) => ({
    id: row.id,
    weight: row.weight,
    digest: digestOf(row, scorers[row.scorer_id] ?? null),
  }));

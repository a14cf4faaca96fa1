import { documentDigest } from '../../../scoring/digest/documents.ts';
import { neededOf } from '../../../scoring/engine/samples.ts';
import type { BarCase } from '../../../scoring/verdict/baseline/baseline.ts';
import type { CaseRow } from '../../suites/chains/members.ts';
import type { SuiteRevision } from '../../suites/chains/suiteRevision.ts';
import type { NameJudge } from '../../suites/digests/judgeIdentity.ts';
import { digestOfScorer } from '../../suites/digests/suiteDigester.ts';

/** By the ids of scorers. One that was deleted has none. */
export type ScorerDigests = Readonly<Record<string, string>>;

/** Of the largest configs: a function of 256 MB can't hold those of all scorers of a project. */
const SCORERS_AT_ONCE = 50;

export async function scorerDigests(
  suiteRevision: SuiteRevision,
  nameJudge: NameJudge,
): Promise<ScorerDigests> {
  const ids = [...(await suiteRevision.scorerRows()).keys()];
  const digests: [string, string][] = [];
  for (let from = 0; from < ids.length; from += SCORERS_AT_ONCE) {
    const scorers = await suiteRevision.scorers(new Set(ids.slice(from, from + SCORERS_AT_ONCE)));
    for (const [id, scorer] of scorers) digests.push([id, digestOfScorer(scorer, nameJudge)]);
  }
  return Object.fromEntries(digests);
}

/** What decides the outcome of a case. How it counts, and its names, are left out. */
type DecidingFields = Pick<
  CaseRow,
  'input_digest' | 'expected_digest' | 'threshold' | 'sample_count' | 'sample_pass_rate'
>;

function digestOf(row: DecidingFields, scorer: string | null): string {
  const { input_digest, expected_digest, threshold, sample_count, sample_pass_rate } = row;
  const needed = neededOf({ sampleCount: sample_count, samplePassRate: sample_pass_rate });
  return documentDigest([scorer, input_digest, expected_digest, threshold, sample_count, needed]);
}

type PairedRow = DecidingFields & Pick<CaseRow, 'id' | 'weight' | 'scorer_id'>;

export const digestedCases = (rows: readonly PairedRow[], scorers: ScorerDigests): BarCase[] =>
  rows.map((row) => ({
    id: row.id,
    weight: row.weight,
    digest: digestOf(row, scorers[row.scorer_id] ?? null),
  }));

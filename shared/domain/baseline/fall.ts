import type { Gates } from '../../contracts/gates.ts';
import { compare } from '../../scoring/verdict/baseline/compare.ts';
import { MIN_COMPARABLE } from '../../scoring/verdict/baseline/comparison.ts';
import { worstDifference } from '../../scoring/verdict/baseline/worstDifference.ts';
import { AppError } from '../errors.ts';
import { type PairCases, suiteThen } from '../runs/baseline/against.ts';
import type { AcceptedReader } from '../runs/baseline/ports.ts';
import type { Revisions, SuiteChain } from '../suites/chains/chains.ts';
import type { StoredSuite } from '../suites/stored.ts';
import { mean } from './notices.ts';
import type { RunOutcomes } from './runOutcomes.ts';

/** How far jobs may lower what a person accepted, where the suite has no gate that says it. */
const MIN_DROP = 0.02;
/** Differences are rounded to twelve digits. */
const ROUNDING = 1e-11;

interface Deps {
  readonly baselines: AcceptedReader;
  readonly pairCases: PairCases;
  readonly chains: Revisions;
}

const wouldFall = (why: string, details: object): AppError =>
  new AppError(
    'BASELINE_WOULD_FALL',
    `${why} The baseline that is there stays: let a person accept these runs with a key of scope "full".`,
    { ...details },
  );

interface Limits {
  readonly min_drop: number;
  readonly min_comparable: number;
}

const saidBy = ({ regression, min_comparable }: Gates): Limits => ({
  min_drop: regression?.min_drop ?? MIN_DROP,
  min_comparable: min_comparable ?? MIN_COMPARABLE,
});

/** The stricter of what the suite says and what it said when a person accepted: a push may not widen them for a while. */
const limitsOf = (now: Limits, then: Limits): Limits => ({
  min_drop: Math.min(now.min_drop, then.min_drop),
  min_comparable: Math.max(now.min_comparable, then.min_comparable),
});

/** Where it is not what the suite says now. */
const whoseLimit = (decides: number, now: number): string =>
  decides === now ? '' : `, by the bar of the runs that were accepted then (the suite has ${now} now)`;

/**
 * 409 for runs that lie below what a credential of scope `full` accepted last: many small falls, each below what a test
 * sees, must not add up. Cases that cannot be compared hide none.
 */
export async function refuseFall(
  { baselines, pairCases, chains }: Deps,
  runs: readonly RunOutcomes[],
  {
    chain,
    suite,
    anchor,
  }: { readonly chain: SuiteChain; readonly suite: StoredSuite; readonly anchor: string },
): Promise<void> {
  const accepted = await baselines.accepted(chain, anchor);
  if (accepted === undefined) throw wouldFall('What a person accepted last can no longer be read.', {});
  const differences: number[] = [];
  const [first] = runs;
  const then =
    first === undefined
      ? suite.gates
      : (await suiteThen({ chains }, first.suiteRevision, accepted.revisions)).settings.gates;
  const now = saidBy(suite.gates);
  const { min_drop, min_comparable } = limitsOf(now, saidBy(then));
  for (const { suiteRevision, kind, run, cases } of runs) {
    const against = await pairCases({ suiteRevision, kind, suiteDigest: run.suite_digest ?? '' }, accepted);
    const { comparable, coverage } = compare(cases, { gates: { min_comparable } }, against);
    if (!comparable)
      throw wouldFall(
        `Too little of ${run.id} can be compared with what a person accepted last: ${coverage} of the weight, and it takes ${min_comparable}${whoseLimit(min_comparable, now.min_comparable)}.`,
        { coverage, min_comparable },
      );
    differences.push(worstDifference(cases, against));
  }
  const difference = mean(differences);
  if (difference >= -min_drop - ROUNDING) return;
  throw wouldFall(
    `The pass rate of these runs differs by ${difference} over all cases of what a person accepted last, and may fall by ${min_drop}${whoseLimit(min_drop, now.min_drop)}.`,
    { difference, min_drop },
  );
}

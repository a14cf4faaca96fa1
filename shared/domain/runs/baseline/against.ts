import type { Against, OutputKind, Pairing } from '../../../scoring/verdict/baseline/baseline.ts';
import { BoundedCache } from '../../caches/boundedCache.ts';
import { type Revisions, revisionsNamed } from '../../suites/chains/chains.ts';
import { SuiteRevision } from '../../suites/chains/suiteRevision.ts';
import type { NameJudge } from '../../suites/digests/judgeIdentity.ts';
import { digestedCases, scorerDigests } from './caseDigests.ts';
import type { AcceptedRuns } from './ports.ts';

/** A run that has been judged, as far as its baseline depends on it. */
export interface JudgedRun {
  readonly suiteRevision: SuiteRevision;
  readonly suiteDigest: string;
  readonly kind: OutputKind;
}

interface Known {
  readonly pairing: Pairing;
  readonly cases: number;
}

/** Cases of all pairings that a function keeps. */
const KNOWN_CASES_MAX = 40_000;

interface Deps {
  readonly chains: Revisions;
  readonly nameJudge: NameJudge;
}

/** How the cases of runs and baselines belong together. What the same revisions read never changes. */
export type PairCases = (run: JudgedRun, accepted: AcceptedRuns) => Promise<Against>;

export function createPairCases({ chains, nameJudge }: Deps): PairCases {
  const known = new BoundedCache<Known>({ maxSize: KNOWN_CASES_MAX, sizeOf: ({ cases }) => cases + 1 });
  return async (run, accepted) => {
    const { kind: runKind, suiteDigest, suiteRevision } = run;
    if (suiteDigest === accepted.suiteDigest && suiteRevision.isByNumber)
      return { runKind, baseline: accepted, pairing: 'by_place' };
    // The same bar has another digest where other judges were asked.
    const name = `${suiteRevision.chain.orgId}/${suiteRevision.chain.id} ${suiteRevision.revisions} ${accepted.revisions} ${accepted.suiteDigest}`;
    const pairing =
      known.get(name)?.pairing ?? (await pairedById({ chains, nameJudge }, suiteRevision, accepted));
    if (pairing !== 'by_place')
      known.set(name, { pairing, cases: pairing.run.length + pairing.baseline.length });
    return { runKind, baseline: accepted, pairing };
  };
}

/** The bar of a run's suite at another moment. */
export const suiteThen = (
  { chains }: Pick<Deps, 'chains'>,
  suiteRevision: SuiteRevision,
  revisions: string,
): Promise<SuiteRevision> =>
  SuiteRevision.read(chains, { ...suiteRevision.place, revisions: revisionsNamed(revisions) });

async function pairedById(
  deps: Deps,
  suiteRevision: SuiteRevision,
  accepted: AcceptedRuns,
): Promise<Pairing> {
  const then = await suiteThen(deps, suiteRevision, accepted.revisions);
  const [now, before] = [await suiteRevision.activeCases(), await then.byNumber()];
  return {
    run: digestedCases(
      now.map(({ member }) => member.row),
      await scorerDigests(suiteRevision, deps.nameJudge),
    ),
    baseline: digestedCases(
      before.map(({ row }) => row),
      accepted.scorers,
    ),
  };
}

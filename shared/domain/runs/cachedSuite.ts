import { isJudged, prepareSuite } from '../../scoring/engine/engine.ts';
import type { PreparedSuite } from '../../scoring/types.ts';
import { type Gating, gatingOf } from '../suites/bar/rules.ts';
import type { CaseCounts, SuiteBar, SuiteToRun } from '../suites/ports.ts';
import { type ResolvedSuite, revisionOf } from '../suites/resolveSuite.ts';

export interface CachedSuite extends Gating {
  /** The revision of suite and scorers that it was made of. */
  readonly revision: string;
  /** Undefined for a suite that no function scores at once, and for one that was only counted. */
  readonly prepared: PreparedSuite | undefined;
  /** Undefined for a suite that was only counted. */
  readonly loaded: LoadedSuite | undefined;
  /** Undefined where it is not known without the cases. */
  readonly digest: string | undefined;
  readonly caseCount: number;
  /** Outputs that a model judges. */
  readonly judgedCases: number;
  /** Outputs that cases take beyond one each. */
  readonly extraOutputs: number;
  readonly bytes: number;
}

export interface LoadedSuite {
  readonly bar: SuiteBar;
  readonly digest: string;
  readonly cases: SuiteToRun['cases'];
}

const CASE_BYTES = 300;

interface FromPack extends Pick<Gating, 'firstAdvisoryEnd'> {
  readonly digest: string;
}

export const countedOnly = (at: ResolvedSuite, counts: CaseCounts, pack?: FromPack): CachedSuite => ({
  revision: revisionOf(at),
  prepared: undefined,
  loaded: undefined,
  digest: pack?.digest,
  gatingCases: counts.gating,
  firstAdvisoryEnd: pack?.firstAdvisoryEnd ?? null,
  caseCount: counts.cases,
  judgedCases: counts.judged,
  extraOutputs: counts.extraOutputs,
  bytes: CASE_BYTES,
});

export async function toCached(suite: SuiteToRun, at: ResolvedSuite, digest: string): Promise<CachedSuite> {
  const scorers = new Map(suite.cases.map(({ scorer }) => [scorer?.id, scorer]));
  const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
  const { passThreshold, gates, keepOutputs, cases } = suite;
  const judgedCases = cases.reduce(
    (sum, { scorer, sample_count }) => sum + (isJudged(scorer) ? sample_count : 0),
    0,
  );
  return {
    revision: revisionOf(at),
    prepared: suite.isTooLarge || judgedCases > 0 ? undefined : await prepareSuite(suite),
    loaded: { bar: { passThreshold, gates, keepOutputs }, digest, cases },
    digest,
    ...gatingOf(cases),
    caseCount: cases.length,
    judgedCases,
    extraOutputs: cases.reduce((sum, { sample_count }) => sum + sample_count - 1, 0),
    bytes:
      suite.cases.reduce(
        (sum, { name, expected, inputText = '' }) =>
          sum + CASE_BYTES + name.length + lengthOf(expected) + inputText.length,
        0,
      ) + [...scorers.values()].reduce((sum, scorer) => sum + CASE_BYTES + lengthOf(scorer?.config), 1),
  };
}

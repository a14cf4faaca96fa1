import { foldVerdict, gatedCase, judgeCases } from '../../scoring/engine/engine.ts';
import { isAdvisory } from '../suites/gates/rules.ts';
import type { SuiteSettings } from '../suites/ports.ts';
import { carriedWaiver } from './baseline/carriedWaiver.ts';
import { keptWith, type RunBaseline } from './baseline/comparedRun.ts';
import type { RunDigests, StoredWaiver } from './baseline/ports.ts';
import type { SampledCases } from './outputs/sampledCases.ts';
import type { FinishedRun } from './ports.ts';
import { shownCase } from './results/caseResults.ts';
import type { Excerptible } from './results/excerpts.ts';
import { expiringAdvisories } from './results/notices.ts';
import type { ScorableSuite } from './suiteCache.ts';

/** All that decides how a run ends. */
export interface RunToScore {
  readonly suite: ScorableSuite;
  readonly settings: SuiteSettings;
  /** Advisories end by it. */
  readonly createdAt: string;
  readonly sampled: SampledCases & {
    /** By the place of the case, one for each sample. */
    readonly digests: readonly (readonly string[])[];
    /** Every case sees the one output that was sent. */
    readonly isSingle: boolean;
  };
  readonly digests: RunDigests;
  /** Of the suite's digest. */
  readonly digestName: string;
  readonly baseline: RunBaseline | null;
  /** Of runs with the same digests, the newest first. */
  readonly waivers: readonly StoredWaiver[];
}

export interface ScoredRun {
  readonly verdict: Omit<FinishedRun['run'], 'duration_ms' | 'trigger' | 'trigger_meta' | 'created_by'>;
  /** In the order of the suite's cases. */
  readonly cases: readonly Excerptible[];
}

/** Scores a suite without judges. It reads and stores nothing: the same run has the same verdict. */
export function scoreRun(run: RunToScore, now: () => number): ScoredRun {
  const { suite, settings, createdAt, sampled, digests, baseline, waivers } = run;
  const createdAtMs = Date.parse(createdAt);
  const judged = judgeCases({ ...suite, samples: sampled.samples }, now);
  const advisory = suite.cases.map((evalCase) => isAdvisory(evalCase, createdAtMs));
  const gated = judged.map(({ evalCase, result }, index) =>
    gatedCase(evalCase, result, advisory[index] === true),
  );
  const { kept, compared, ...figures } = foldVerdict(gated, settings, baseline?.against);
  return {
    verdict: {
      ...figures,
      suite_digest: digests.suite,
      outputs_digest: digests.outputs,
      judge_usage: null,
      kept,
      isSingle: sampled.isSingle,
      compared: keptWith(baseline, compared),
      waived: carriedWaiver(waivers, { createdAt, ...figures }, gated),
      surplus: sampled.surplus,
      surplus_outputs: sampled.surplusOutputs,
      pass_threshold: settings.passThreshold,
      notices: expiringAdvisories(suite.cases, createdAtMs),
    },
    cases: judged.map((one, index) => shownCase(one, sampled.digests[index] ?? [], advisory[index] === true)),
  };
}

import { isJudged, prepareSuite, scoreSuite } from '../../scoring/engine/engine.ts';
import type { CaseResult } from '../../scoring/kit/types.ts';
import { foldedCase, gatedCase, judgedOutcome, sampleDigests } from '../runs/results/caseResults.ts';
import {
  EXCERPTS_BYTES_MAX,
  type Excerpted,
  type Excerptible,
  shownTrace,
  sourceOf,
  withExcerpts,
} from '../runs/results/excerpts.ts';
import { splitResults } from '../runs/results/join.ts';
import type { PlannedCase } from '../suites/chains/plannedCase.ts';
import type { SuiteRevision } from '../suites/chains/suiteRevision.ts';
import type { ChunkPlan, Evaluation } from './evaluation.ts';
import type { JudgedSample } from './ports.ts';
import { type SampledGroup, withJudged } from './samples.ts';

/** A few failures of a large suite are shown whole. */
const CHUNK_EXCERPTS_BYTES = 200_000;

/** The results of a group, and what their excerpts are taken of. They hold nothing else of its outputs. */
export async function groupResults(
  { run }: Evaluation,
  group: SampledGroup,
  { judged, now }: { readonly judged: ReadonlyMap<number, JudgedSample>; readonly now: () => number },
): Promise<Excerptible[]> {
  const scored = withJudged(await scoreDeterministic(group, now), judged, group.firstPlace);
  const results = group.cases.map(async (planned, index): Promise<Excerptible> => {
    const samples = group.samples[index] ?? [];
    const sent = { samples, digests: sampleDigests(planned, samples), scored: scored[index] ?? [] };
    const { result, sample } = foldedCase(planned, sent, Date.parse(run.created_at));
    return {
      result,
      sample: sample && {
        output: sourceOf(sample.output),
        input: sourceOf(sample.input),
        ...(isJudged(planned.scorer) && { judgedInput: sourceOf(sample.input) }),
        shownTrace: sample.trace && (await shownTrace(sample.trace)),
      },
    };
  });
  return Promise.all(results);
}

/** The results of a chunk, with its share of the run's excerpts, or a few. */
export function chunkResults(
  suite: Pick<SuiteRevision, 'textsOf'>,
  plan: ChunkPlan,
  cases: readonly Excerptible[],
): Promise<Excerpted[]> {
  return withExcerpts(cases, {
    keep: plan.keepOutputs,
    bytesMax: Math.max(CHUNK_EXCERPTS_BYTES, (EXCERPTS_BYTES_MAX * cases.length) / plan.totalCases),
    readTexts: (ids) => suite.textsOf(ids),
  });
}

/** As they are stored, and as the verdict is folded from them. */
export const storedChunk = (excerpted: readonly Excerpted[], cases: readonly PlannedCase[]) => ({
  results: splitResults(excerpted, cases),
  cases: excerpted.map(({ result }, index) => ({
    ...gatedCase(result),
    ...(isJudged(cases[index]?.scorer ?? null) && { judged: judgedOutcome(result) }),
  })),
});

async function scoreDeterministic(
  { cases, samples }: SampledGroup,
  now: () => number,
): Promise<CaseResult[][]> {
  const compiled = await prepareSuite({ passThreshold: 1, cases });
  const scored = scoreSuite(compiled, { outputsOf: (index) => samples[index] ?? [], now });
  // A text that quotes an output may be a slice, which holds the whole of it.
  return JSON.parse(JSON.stringify(scored));
}

import { isJudged, prepareSuite, scoreSuite } from '../../scoring/engine.ts';
import type { CaseResult } from '../../scoring/types.ts';
import type { Sample } from '../runs/outputs/submission.ts';
import type { ScoredCase } from '../runs/ports.ts';
import { foldedCase, sampleDigests } from '../runs/results/caseResults.ts';
import { EXCERPTS_BYTES_MAX, withExcerpts } from '../runs/results/excerpts.ts';
import type { EvaluateDeps } from './deps.ts';
import type { ChunkPlan, Evaluation, PlannedCase } from './evaluation.ts';

interface ScoredChunk {
  readonly cases: readonly PlannedCase[];
  readonly samples: readonly (readonly Sample[])[];
  readonly scored: readonly (readonly CaseResult[])[];
}

/** The results of a chunk, with its share of the run's excerpts. */
export function chunkResults(
  { caseInputs }: Pick<EvaluateDeps, 'caseInputs'>,
  { orgId, run }: Evaluation,
  plan: ChunkPlan,
  { cases, samples, scored }: ScoredChunk,
): Promise<ScoredCase[]> {
  const judged = cases.map((planned, index) => {
    const own = samples[index] ?? [];
    const sent = { samples: own, digests: sampleDigests(planned, own), scored: scored[index] ?? [] };
    return {
      ...foldedCase(planned, sent, Date.parse(run.created_at)),
      expected: planned.expected,
      // Only the inputs that judges read are in a plan.
      input: isJudged(planned.scorer) ? JSON.stringify(planned.input) : undefined,
    };
  });
  return withExcerpts(judged, {
    keep: plan.keepOutputs,
    bytesMax: (EXCERPTS_BYTES_MAX * cases.length) / plan.totalCases,
    readInputs: (ids) => caseInputs.inputs(orgId, run.suite_id, ids, run.created_at),
  });
}

export async function scoreDeterministic(
  cases: readonly PlannedCase[],
  samples: ScoredChunk['samples'],
  now: () => number,
): Promise<CaseResult[][]> {
  const compiled = await prepareSuite({ passThreshold: 1, cases });
  return scoreSuite(compiled, { outputsOf: (index) => samples[index] ?? [], now });
}

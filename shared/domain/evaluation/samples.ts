import type { CaseResult } from '../../scoring/types.ts';
import { inSentOrder, type PlacedOutput } from '../runs/outputs/blocks.ts';
import { namesOf } from '../runs/outputs/matching.ts';
import { type Sample, sampleOf } from '../runs/outputs/submission.ts';
import type { Evaluation, PlannedCase } from './evaluation.ts';
import type { EvaluationStore } from './ports.ts';

/** What is to be evaluated is kept for three days. */
export class Expired extends Error {
  constructor() {
    super('What was to be evaluated has expired');
  }
}

interface ChunkOfCases {
  readonly chunk: number;
  readonly cases: readonly PlannedCase[];
}

/** What was sent for the cases of a chunk, by their place in it. Blocks are read one after the other. Throws `Expired`. */
export async function samplesOfChunk(
  { evaluations }: { readonly evaluations: Pick<EvaluationStore, 'payload' | 'outputBlock'> },
  evaluation: Evaluation,
  { chunk, cases }: ChunkOfCases,
): Promise<readonly (readonly Sample[])[]> {
  const payload = await evaluations.payload(evaluation);
  if (payload === undefined) throw new Expired();
  const { output, input } = payload;
  if (output !== undefined) {
    const same = [sampleOf({ output }, input)];
    return cases.map(() => same);
  }
  const byCase = new Map<string, PlacedOutput[]>(cases.map(({ id }) => [id, []]));
  const named = namesOf(cases);
  for (const block of evaluation.plan?.outputs.blocks[chunk] ?? []) {
    const items = await evaluations.outputBlock(evaluation, block);
    if (items === undefined) throw new Expired();
    for (const item of items) byCase.get(named(item.case)?.id ?? '')?.push(item);
  }
  return cases.map(({ id }) => inSentOrder(byCase.get(id) ?? []).map((item) => sampleOf(item, input)));
}

/** `judged` by the place of a sample among all of the chunk. */
export function withJudged(
  scored: readonly (readonly CaseResult[])[],
  judged: ReadonlyMap<number, CaseResult>,
): CaseResult[][] {
  let place = 0;
  return scored.map((samples) => samples.map((result) => judged.get(place++) ?? result));
}

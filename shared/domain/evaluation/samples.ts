import { namesOf } from '../../scoring/engine/matching.ts';
import type { CaseResult } from '../../scoring/kit/types.ts';
import { inSentOrder, type PlacedOutput } from '../runs/outputs/blocks.ts';
import { type Sample, sampleOf } from '../runs/outputs/submission.ts';
import type { PlannedCase } from '../suites/chains/plannedCase.ts';
import type { Evaluation } from './evaluation.ts';
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

/** Cases of a chunk that follow each other, with what was sent for each. */
export interface SampledGroup {
  readonly cases: readonly PlannedCase[];
  readonly samples: readonly (readonly Sample[])[];
  /** The place of the first sample among all of the chunk. */
  readonly firstPlace: number;
  /** Verdicts of earlier runs are not taken. */
  readonly judgesAgain: boolean;
}

/** The cases of a chunk, group after group, so that only the outputs of one are in memory. Throws `Expired`. */
export async function* sampledGroups(
  { evaluations }: Deps,
  evaluation: Evaluation,
  { chunk, cases }: ChunkOfCases,
): AsyncGenerator<SampledGroup> {
  const payload = await evaluations.payload(evaluation);
  if (payload === undefined) throw new Expired();
  const { output, trace, input, blocks, judge_again: judgesAgain = false } = payload;
  if (blocks === undefined) {
    const same = [sampleOf({ output, trace }, input)];
    yield { cases, samples: cases.map(() => same), firstPlace: 0, judgesAgain };
    return;
  }
  const groups = evaluation.plan?.outputs.groups[chunk];
  if (groups === undefined) throw new Error(`The plan of run ${evaluation.run.id} has no chunk ${chunk}`);
  let firstPlace = 0;
  for (const [first, count, blocks] of groups) {
    const casesOfGroup = cases.slice(first, first + count);
    const sent = await outputsOf({ evaluations }, evaluation, casesOfGroup, blocks);
    const samples = sent.map((items) => inSentOrder(items).map((item) => sampleOf(item, input)));
    yield { cases: casesOfGroup, samples, firstPlace, judgesAgain };
    firstPlace += samples.reduce((sum, { length }) => sum + length, 0);
  }
}

interface Deps {
  readonly evaluations: Pick<EvaluationStore, 'payload' | 'outputBlock'>;
}

/** Block by block: of each only the outputs of these cases are kept. */
async function outputsOf(
  { evaluations }: Deps,
  evaluation: Evaluation,
  cases: readonly PlannedCase[],
  blocks: readonly number[],
): Promise<readonly (readonly PlacedOutput[])[]> {
  const byCase = new Map<string, PlacedOutput[]>(cases.map(({ id }) => [id, []]));
  const named = namesOf(cases);
  for (const block of blocks) {
    const items = await evaluations.outputBlock(evaluation, block);
    if (items === undefined) throw new Expired();
    for (const item of items) byCase.get(named(item.case)?.id ?? '')?.push(item);
  }
  return cases.map(({ id }) => byCase.get(id) ?? []);
}

/** `judged` by the place of a sample among all of the chunk. */
export function withJudged(
  scored: readonly (readonly CaseResult[])[],
  judged: ReadonlyMap<number, { readonly result: CaseResult }>,
  firstPlace = 0,
): CaseResult[][] {
  let place = firstPlace;
  return scored.map((samples) => samples.map((result) => judged.get(place++)?.result ?? result));
}

import type { OutputItem } from '../../../shared/contracts/outputs.ts';
import type { SentOutput } from '../../../shared/scoring/kit/types.ts';
import { readItemTrace } from '../read/traces.ts';
import type { CaseFields } from '../resolve/cases.ts';

/** One output that all cases see, or outputs of their own. */
export type Submission =
  | { readonly output: string; readonly outputs?: undefined }
  | { readonly output?: undefined; readonly outputs: readonly OutputItem[] };

/** Why the service would answer 400, as it says it. */
export interface Refusal {
  readonly path: string;
  readonly message: string;
}

export interface Samples {
  /** By the place of the case, in the order sent. None for a case without an output. */
  readonly samples: readonly (readonly SentOutput[])[];
  readonly surplus: readonly string[];
  readonly surplusOutputs: number;
}

const SURPLUS_NAMED_MAX = 20;

type SampledCase = Pick<CaseFields, 'key' | 'sample_count'>;

/** What each active case is judged on. */
export function samplesOf(
  cases: readonly SampledCase[],
  submission: Submission,
): Samples | { readonly refused: Refusal } {
  return submission.outputs === undefined
    ? sameForAll(cases, submission.output)
    : ofEach(cases, submission.outputs);
}

function sameForAll(cases: readonly SampledCase[], output: string): ReturnType<typeof samplesOf> {
  const several = cases.find(({ sample_count }) => sample_count > 1);
  if (several !== undefined) {
    const { key, sample_count } = several;
    return refuse('output', `is one, and the case "${key}" takes ${sample_count}: send outputs`);
  }
  const same = [{ output }];
  return { samples: cases.map(() => same), surplus: [], surplusOutputs: 0 };
}

function ofEach(cases: readonly SampledCase[], outputs: readonly OutputItem[]): ReturnType<typeof samplesOf> {
  const samples = new Map(
    cases.map(({ key, sample_count }) => [key, { most: sample_count, sent: [] as SentOutput[] }]),
  );
  const surplus = new Set<string>();
  let surplusOutputs = 0;
  for (const [index, item] of outputs.entries()) {
    const own = samples.get(item.case);
    if (own === undefined) {
      surplusOutputs++;
      if (surplus.size < SURPLUS_NAMED_MAX) surplus.add(item.case);
    } else if (own.sent.length >= own.most) {
      const most = `at most ${own.most} (its sample_count)`;
      return refuse(`outputs.${index}`, `is one more than the case "${item.case}" takes: ${most}`);
    } else own.sent.push(sentOutput(item));
  }
  if (surplusOutputs === outputs.length) return refuse('outputs', 'name no active case of the suite');
  return {
    samples: cases.map(({ key }) => samples.get(key)?.sent ?? []),
    surplus: [...surplus],
    surplusOutputs,
  };
}

const refuse = (path: string, message: string) => ({ refused: { path, message } });

function sentOutput(item: OutputItem): SentOutput {
  const { output, error, metadata } = item;
  const read = readItemTrace(item);
  const trace = read?.ok ? { trace: read.trace } : {};
  if (error !== undefined) return { error, ...trace };
  return { output: output ?? (read?.ok ? read.output : undefined), metadata, ...trace };
}

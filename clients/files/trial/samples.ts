import type { OutputItem } from '../../../shared/contracts/outputs.ts';
import {
  matchOutputs,
  type RefusedOutputs,
  refusedSingleOutput,
} from '../../../shared/scoring/engine/matching.ts';
import type { SentOutput } from '../../../shared/scoring/kit/types.ts';
import { readItemTrace } from '../read/traces.ts';
import type { CaseFields } from '../resolve/cases.ts';

/** One output that all cases see, or outputs of their own. */
export type Submission =
  | { readonly output: string; readonly outputs?: undefined }
  | { readonly output?: undefined; readonly outputs: readonly OutputItem[] };

export interface Samples {
  /** By the place of the case, in the order sent. None for a case without an output. */
  readonly samples: readonly (readonly SentOutput[])[];
  readonly surplus: readonly string[];
  readonly surplusOutputs: number;
}

type SampledCase = Pick<CaseFields, 'key' | 'sample_count'>;

/** What each active case is judged on. */
export function samplesOf(
  cases: readonly SampledCase[],
  { output, outputs }: Submission,
): Samples | RefusedOutputs {
  const all = cases.map(({ key, sample_count }) => ({ id: key, key, sampleCount: sample_count }));
  if (outputs === undefined) {
    const same = [{ output }];
    return refusedSingleOutput(all) ?? { samples: cases.map(() => same), surplus: [], surplusOutputs: 0 };
  }
  // Only the service knows ids.
  const byKey = new Map(all.map((one) => [one.key, one]));
  const matched = matchOutputs(all, outputs, (name) => byKey.get(name));
  if ('refused' in matched) return matched;
  const { byCase, surplus, surplusOutputs } = matched;
  return {
    samples: cases.map(({ key }) => (byCase.get(key) ?? []).map(sentOutput)),
    surplus,
    surplusOutputs,
  };
}

function sentOutput(item: OutputItem): SentOutput {
  const { output, error, metadata } = item;
  const read = readItemTrace(item);
  const trace = read?.ok ? { trace: read.trace } : {};
  if (error !== undefined) return { error, ...trace };
  return { output: output ?? (read?.ok ? read.output : undefined), metadata, ...trace };
}

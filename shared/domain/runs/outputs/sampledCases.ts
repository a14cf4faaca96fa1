import { type AddressedCase, matchOutputs, refusedSingleOutput } from '../../../scoring/engine/matching.ts';
import { invalidField } from '../../errors.ts';
import { type CaseRules, isAdvisory } from '../../suites/gates/rules.ts';
import { allAdvisory } from '../refusals/suites.ts';
import { type Sample, type Submission, sampleOf } from './submission.ts';

export interface SampledCases {
  /** By the place of the case; none for a case without an output. */
  readonly samples: readonly (readonly Sample[])[];
  readonly surplus: readonly string[];
  readonly surplusOutputs: number;
}

type RuledCase = CaseRules & { readonly id: string };

export const addressed = ({ id, key, sample_count }: RuledCase): AddressedCase => ({
  id,
  key,
  sampleCount: sample_count,
});

/** What each case is judged on. Throws 400 for outputs that do not fit the suite. */
export function samplesOf(
  cases: readonly RuledCase[],
  { output, trace, outputs, input }: Submission,
  createdAtMs: number,
): SampledCases {
  if (cases.every((evalCase) => isAdvisory(evalCase, createdAtMs))) throw allAdvisory();
  const all = cases.map(addressed);
  if (outputs === undefined) {
    const mismatched = refusedSingleOutput(all);
    if (mismatched !== undefined) throw invalidField(mismatched.refused.path, mismatched.refused.message);
    const same = [sampleOf({ output, trace }, input)];
    return { samples: cases.map(() => same), surplus: [], surplusOutputs: 0 };
  }
  const matched = matchOutputs(all, outputs);
  if ('refused' in matched) throw invalidField(matched.refused.path, matched.refused.message);
  const { byCase, surplus, surplusOutputs } = matched;
  const samples = cases.map(({ id }) => (byCase.get(id) ?? []).map((item) => sampleOf(item, input)));
  return { samples, surplus, surplusOutputs };
}

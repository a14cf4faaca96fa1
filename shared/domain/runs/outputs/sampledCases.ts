import { invalidField } from '../../errors.ts';
import { type CaseRules, isAdvisory } from '../../suites/gates/rules.ts';
import { allAdvisory } from '../refusals/suites.ts';
import { type AddressedCase, matchOutputs, refuseSingleOutput } from './matching.ts';
import { type Sample, type Submission, sampleOf } from './submission.ts';

export interface SampledCases {
  /** By the place of the case; none for a case without an output. */
  readonly samples: readonly (readonly Sample[])[];
  readonly surplus: readonly string[];
  readonly surplusOutputs: number;
}

type RuledCase = CaseRules & { readonly id: string };

export const addressed = (evalCase: RuledCase, createdAtMs: number): AddressedCase => ({
  id: evalCase.id,
  key: evalCase.key,
  sampleCount: evalCase.sample_count,
  gating: !isAdvisory(evalCase, createdAtMs),
});

/** What each case is judged on. Throws 400 for outputs that do not fit the suite. */
export function samplesOf(
  cases: readonly RuledCase[],
  { output, trace, outputs, input }: Submission,
  createdAtMs: number,
): SampledCases {
  const all = cases.map((evalCase) => addressed(evalCase, createdAtMs));
  if (!all.some(({ gating }) => gating)) throw allAdvisory();
  if (outputs === undefined) {
    refuseSingleOutput(all);
    const same = [sampleOf({ output, trace }, input)];
    return { samples: cases.map(() => same), surplus: [], surplusOutputs: 0 };
  }
  const matched = matchOutputs(all, outputs);
  if ('refused' in matched) throw invalidField(matched.refused.path, matched.refused.message);
  const { byCase, surplus, surplusOutputs } = matched;
  const samples = cases.map(({ id }) => (byCase.get(id) ?? []).map((item) => sampleOf(item, input)));
  return { samples, surplus, surplusOutputs };
}

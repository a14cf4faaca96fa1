import { invalidField } from '../../errors.ts';
import { type CaseRules, isAdvisory } from '../../suites/rules.ts';
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

/** Throws 400 for a suite that gates nothing. */
function refuseAllAdvisory(cases: readonly Pick<AddressedCase, 'gating'>[]): void {
  if (cases.some(({ gating }) => gating)) return;
  throw invalidField(
    'suite',
    'has advisory cases only, and a gate that checks nothing must not clear: end the advisory of one first',
  );
}

/** What each case is judged on. Throws 400 for outputs that do not fit the suite. */
export function samplesOf(
  cases: readonly RuledCase[],
  { output, outputs, input }: Submission,
  createdAtMs: number,
): SampledCases {
  const all = cases.map((evalCase) => addressed(evalCase, createdAtMs));
  refuseAllAdvisory(all);
  if (outputs === undefined) {
    refuseSingleOutput(all);
    const same = [sampleOf({ output }, input)];
    return { samples: cases.map(() => same), surplus: [], surplusOutputs: 0 };
  }
  const { byCase, surplus, surplusOutputs } = matchOutputs(all, outputs);
  const samples = cases.map(({ id }) => (byCase.get(id) ?? []).map((item) => sampleOf(item, input)));
  return { samples, surplus, surplusOutputs };
}

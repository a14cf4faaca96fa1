import type { EvalCase } from '../../../contracts/cases.ts';

/** The digests of a case's documents, which are kept where the documents are not. */
export interface CaseDocuments {
  readonly input_digest: string;
  readonly expected_digest: string;
}

/** What decides, beside its score, how a case counts in the verdict. */
export interface CaseRules
  extends Pick<EvalCase, 'key' | 'tags' | 'must_pass' | 'sample_count' | 'sample_pass_rate'> {
  /** Until then the case gates nothing; null for a case that gates. */
  readonly advisory_until: string | null;
}

type Ruled = Omit<CaseRules, 'advisory_until'> & Pick<EvalCase, 'advisory'>;

export const rulesOf = (evalCase: Ruled): CaseRules => ({
  key: evalCase.key,
  tags: evalCase.tags,
  must_pass: evalCase.must_pass,
  sample_count: evalCase.sample_count,
  sample_pass_rate: evalCase.sample_pass_rate,
  advisory_until: evalCase.advisory?.expires_at ?? null,
});

/** By the time at which the run was created. */
export const isAdvisory = ({ advisory_until }: Pick<CaseRules, 'advisory_until'>, createdAtMs: number) =>
  advisory_until !== null && createdAtMs < Date.parse(advisory_until);

/** Of the sums of a suite: whether it gates nothing. By the time at which the run was created. */
export const isAllAdvisory = (
  { gating, firstAdvisoryEnd }: { readonly gating: number; readonly firstAdvisoryEnd: string | null },
  createdAtMs: number,
): boolean => gating === 0 && isAdvisory({ advisory_until: firstAdvisoryEnd }, createdAtMs);

/** What a case says of them, and of examples, that says nothing. */
export const PLAIN_RULES = {
  examples: { pass: [], fail: [] },
  tags: [],
  must_pass: false,
  advisory: null,
  sample_count: 1,
  sample_pass_rate: 1,
} satisfies Partial<EvalCase>;

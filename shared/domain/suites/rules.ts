import type { EvalCase } from '../../contracts/cases.ts';
import { documentDigest } from '../../scoring/digest/documents.ts';

/** The digests of a case's documents, which are kept where the documents are not. */
export interface CaseDocuments {
  readonly input_digest: string;
  readonly expected_digest: string;
}

export const documentsOf = ({ input, expected }: Pick<EvalCase, 'input' | 'expected'>): CaseDocuments => ({
  input_digest: documentDigest(input),
  expected_digest: documentDigest(expected),
});

/** What decides, beside its score, how a case counts in the verdict. */
export interface CaseRules
  extends CaseDocuments,
    Pick<EvalCase, 'key' | 'tags' | 'must_pass' | 'sample_count' | 'sample_pass_rate'> {
  /** Until then the case gates nothing; null for a case that gates. */
  readonly advisory_until: string | null;
}

export const rulesOf = (evalCase: EvalCase, documents: CaseDocuments): CaseRules => ({
  ...documents,
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

const NO_DOCUMENTS = documentsOf({ input: {}, expected: null });

/** Those of a case that says nothing about them. */
export const plainRules = (key: string): CaseRules => ({
  ...NO_DOCUMENTS,
  ...{ key, tags: [], must_pass: false, sample_count: 1, sample_pass_rate: 1, advisory_until: null },
});

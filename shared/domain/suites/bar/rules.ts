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

/** Whether a suite gates anything. */
export interface Gating {
  /** Active cases without an advisory. */
  readonly gatingCases: number;
  /** When the first advisory of an active case ends, or has ended. Null where none is known. */
  readonly firstAdvisoryEnd: string | null;
}

export const gatingOf = (cases: readonly Pick<CaseRules, 'advisory_until'>[]): Gating =>
  cases.map(({ advisory_until }) => advisory_until).reduce<Gating>(withAdvisoryEnd, NO_GATING);

export const NO_GATING: Gating = { gatingCases: 0, firstAdvisoryEnd: null };

export function withAdvisoryEnd(
  { gatingCases, firstAdvisoryEnd: first }: Gating,
  end: string | null,
): Gating {
  if (end === null) return { gatingCases: gatingCases + 1, firstAdvisoryEnd: first };
  return { gatingCases, firstAdvisoryEnd: first === null || end < first ? end : first };
}

/** Known for certain: false where it is not known. By the time at which the run was created. */
export const isAllAdvisory = ({ gatingCases, firstAdvisoryEnd }: Gating, createdAtMs: number): boolean =>
  gatingCases <= 0 && isAdvisory({ advisory_until: firstAdvisoryEnd }, createdAtMs);

/** What a case says of them that says nothing. */
export const PLAIN_RULES = {
  ...{ tags: [], must_pass: false, advisory: null, sample_count: 1, sample_pass_rate: 1 },
} satisfies Partial<EvalCase>;

/** Those of a case that says nothing about them. */
export const plainRules = (key: string): CaseRules => ({
  ...{ key, tags: [], must_pass: false, sample_count: 1, sample_pass_rate: 1, advisory_until: null },
});

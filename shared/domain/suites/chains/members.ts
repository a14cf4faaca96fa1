import type { EvalCase, Examples } from '../../../contracts/cases.ts';
import { documentDigest } from '../../../scoring/digest/documents.ts';
import { isJudged } from '../../../scoring/engine/judged.ts';
import type { Requested } from '../../revisions/blocks.ts';
import { type CaseDocuments, PLAIN_RULES } from '../gates/rules.ts';
import type { StoredScorer, StoredSuite } from '../stored.ts';

/** A case without its texts: what is read of all cases of a suite at once. */
export type CaseRow = Omit<EvalCase, 'suite_id' | 'sort_order' | keyof CaseTexts> & CaseDocuments;
export interface CaseTexts extends Pick<EvalCase, 'description' | 'input' | 'expected'> {
  /** Left out, or null, of a case without any. */
  readonly examples?: Examples | null;
}

/** `sort_order`: its place in the suite's order, from 0. */
export const caseOf = (
  { input_digest: _, expected_digest: __, ...row }: CaseRow,
  texts: CaseTexts,
  place: Pick<EvalCase, 'suite_id' | 'sort_order'>,
): EvalCase => ({ ...row, ...texts, examples: texts.examples ?? PLAIN_RULES.examples, ...place });

const hasExamples = ({ examples: { pass, fail } }: Pick<EvalCase, 'examples'>): boolean =>
  pass.length + fail.length > 0;

/** In a fixed order of fields: all rows of a suite have the same. */
export function requestedCase(
  evalCase: Omit<EvalCase, 'sort_order'>,
): Required<Requested<CaseRow, CaseTexts>> {
  const { id, key, name, scorer_id, threshold, weight, is_active, description, input, expected } = evalCase;
  const { tags, must_pass, advisory, sample_count, sample_pass_rate, created_at, updated_at } = evalCase;
  return {
    row: {
      id,
      key,
      name,
      scorer_id,
      threshold,
      weight,
      is_active,
      tags,
      must_pass,
      advisory,
      sample_count,
      sample_pass_rate,
      created_at,
      updated_at,
      input_digest: documentDigest(input),
      expected_digest: documentDigest(expected),
    },
    texts: {
      description,
      input,
      expected,
      ...(hasExamples(evalCase) && { examples: evalCase.examples }),
    },
  };
}

/** A scorer without its config. What is not known is null, so that all rows have the same fields. */
export type ScorerRow = Omit<
  StoredScorer,
  'project_id' | 'project_slug' | 'config' | 'made_by_push' | 'pushed_at' | 'owner'
> & {
  readonly made_by_push: boolean;
  readonly pushed_at: string | null;
  readonly owner: NonNullable<StoredScorer['owner']> | null;
  /** Of the config of a judge with more than one: a run's share of the backlog depends on it. */
  readonly votes?: number | null;
};
export type ScorerTexts = Pick<StoredScorer, 'config'>;

export const scorerOf = (
  { made_by_push, pushed_at, owner, votes: _, ...row }: ScorerRow,
  texts: ScorerTexts,
  place: Pick<StoredScorer, 'project_id' | 'project_slug'>,
): StoredScorer => ({
  ...row,
  ...texts,
  ...place,
  ...(made_by_push && { made_by_push }),
  ...(pushed_at !== null && { pushed_at }),
  ...(owner !== null && { owner }),
});

export function requestedScorer(scorer: StoredScorer): Required<Requested<ScorerRow, ScorerTexts>> {
  const { id, key, name, type, dual_sided, precision_threshold, recall_threshold } = scorer;
  const { version, created_at, updated_at, config } = scorer;
  const { made_by_push = false, pushed_at = null, owner = null } = scorer;
  return {
    row: {
      id,
      key,
      name,
      type,
      dual_sided,
      precision_threshold,
      recall_threshold,
      made_by_push,
      pushed_at,
      owner,
      version,
      created_at,
      updated_at,
      ...(typeof config.votes === 'number' && { votes: config.votes }),
    },
    texts: { config },
  };
}

/** How many of the cases that an organisation may have open for judges an output of the scorer counts as. */
export const openCasesOf = (scorer: ScorerRow | undefined): number =>
  isJudged(scorer ?? null) ? ((scorer?.votes ?? 1) + 1) / 2 : 0;

/** What a revision says of a suite itself. */
export interface SuiteFields {
  readonly suite: StoredSuite;
  readonly sums: SuiteSums;
}

/** What a revision of a project's scorers says beside them. */
export interface ProjectFields {
  readonly edits: number;
}

/** Over a suite's cases. */
export interface SuiteSums {
  readonly cases: number;
  readonly active: number;
  /** Active ones without an advisory, live or past. */
  readonly gating: number;
  /** Outputs that active ones take. */
  readonly outputs: number;
  /** Of the texts of active ones, as JSON. */
  readonly bytes: number;
  /** When the first advisory of an active one ends, or has ended. */
  readonly firstAdvisoryEnd: string | null;
  /** By the ids of scorers: the outputs of their active cases, and how many cases they have. */
  readonly uses: Readonly<Record<string, readonly [outputs: number, cases: number]>>;
}

export const NO_SUMS: SuiteSums = {
  cases: 0,
  active: 0,
  gating: 0,
  outputs: 0,
  bytes: 0,
  firstAdvisoryEnd: null,
  uses: {},
};

interface Counted {
  readonly row: CaseRow;
  readonly bytes: number;
}

/** `counted`: by 1 or -1. Ends of advisories are not taken off: see `sumsAfter`. */
function withCase(sums: SuiteSums, { row, bytes }: Counted, by: 1 | -1): SuiteSums {
  const { is_active, advisory, sample_count, scorer_id } = row;
  const active = is_active ? by : 0;
  const [outputs, cases] = sums.uses[scorer_id] ?? [0, 0];
  const { [scorer_id]: _, ...otherUses } = sums.uses;
  const end = by === 1 && is_active ? (advisory?.expires_at ?? null) : null;
  return {
    cases: sums.cases + by,
    active: sums.active + active,
    gating: sums.gating + (advisory === null ? active : 0),
    outputs: sums.outputs + active * sample_count,
    bytes: sums.bytes + active * bytes,
    firstAdvisoryEnd: earlier(sums.firstAdvisoryEnd, end),
    uses:
      cases + by === 0
        ? otherUses
        : { ...otherUses, [scorer_id]: [outputs + active * sample_count, cases + by] },
  };
}

const earlier = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one;

export const sumsOf = (cases: readonly Counted[]): SuiteSums =>
  cases.reduce((sums, one) => withCase(sums, one, 1), NO_SUMS);

/** `all`: the cases after the edit, read only where the first advisory that ends may be another one. */
export async function sumsAfter(
  sums: SuiteSums,
  { before, after }: { readonly before: readonly Counted[]; readonly after: readonly Counted[] },
  all: () => Promise<readonly Counted[]>,
): Promise<SuiteSums> {
  const first = sums.firstAdvisoryEnd;
  const losesFirst = before.some(({ row }) => row.is_active && row.advisory?.expires_at === first);
  if (first !== null && losesFirst) return sumsOf(await all());
  const rest = before.reduce((sum, one) => withCase(sum, one, -1), sums);
  return after.reduce((sum, one) => withCase(sum, one, 1), rest);
}

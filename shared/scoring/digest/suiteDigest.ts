import { asSha256, documentDigest, type Sha256 } from './documents.ts';

/** Raised when the same scorer, output and case come to another outcome than before, or results to another verdict. */
export const SCORING_VERSION = 1;
/** Raised when the documents below get another form. */
const FORMAT = 1;

export interface DigestedScorer {
  readonly type: string;
  /** With defaults. */
  readonly config: unknown;
  readonly dual_sided: boolean;
  readonly precision_threshold: number | null;
  readonly recall_threshold: number | null;
}

/** What decides, beside its scorer, how a judge judges. */
export interface DigestedJudge {
  readonly provider: string;
  /** Undefined where neither scorer nor deployment names one. */
  readonly model: string | undefined;
  readonly prompt_version: string;
}

export interface DigestedCase {
  readonly key: string;
  readonly inputDigest: string;
  readonly expectedDigest: string;
  readonly threshold: number;
  readonly weight: number;
  readonly must_pass: boolean;
  readonly tags: readonly string[];
  readonly advisory: { readonly expires_at: string } | null;
  readonly sample_count: number;
  readonly sample_pass_rate: number;
  /** Null for a deleted scorer. */
  readonly scorerDigest: string | null;
}

export interface DigestedBar {
  readonly passThreshold: number;
  readonly gates: object;
}

/** `judge` for judged scorers only. 64 hexadecimal digits. */
export function scorerDigest(scorer: DigestedScorer, judge?: DigestedJudge): string {
  const { type, config, dual_sided, precision_threshold, recall_threshold } = scorer;
  return documentDigest({
    type,
    config,
    dual_sided,
    ...withoutNulls({ precision_threshold, recall_threshold }),
    ...(judge && {
      judge: { provider: judge.provider, model: judge.model, prompt_version: judge.prompt_version },
    }),
  });
}

/** 64 hexadecimal digits. */
export function caseDigest(evalCase: DigestedCase): string {
  const { key, threshold, weight, must_pass, advisory, sample_count, sample_pass_rate } = evalCase;
  return documentDigest({
    key,
    input: evalCase.inputDigest,
    expected: evalCase.expectedDigest,
    threshold,
    weight,
    must_pass,
    tags: evalCase.tags.toSorted(),
    advisory: advisory && { expires_at: advisory.expires_at },
    sample_count,
    sample_pass_rate,
    scorer_digest: evalCase.scorerDigest,
  });
}

/** Of a suite's active cases, in any order. */
export function suiteDigest(
  { passThreshold, gates }: DigestedBar,
  cases: readonly (readonly [id: string, caseDigest: string])[],
): Sha256 {
  return asSha256(
    documentDigest({
      format: FORMAT,
      scoring: SCORING_VERSION,
      pass_threshold: passThreshold,
      gates: withoutNulls(gates),
      cases: cases.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    }),
  );
}

const withoutNulls = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

import { documentDigest } from '../digest/documents.ts';
import type { ScaleLevel } from '../kit/definition.ts';
import { withoutInvisible } from '../kit/invisible.ts';

/** All that a judge's verdict depends on. */
export interface AskedQuestion {
  readonly prompt_version: string;
  readonly provider: string;
  /** With the endpoint, where a customer names it. */
  readonly model: string | undefined;
  readonly dual_sided: boolean;
  readonly votes: number;
  readonly rubric: string;
  readonly scale: readonly ScaleLevel[] | undefined;
  readonly run_input: object;
  readonly case_input: object;
  readonly expected: unknown;
  readonly output: string;
}

/** How near a vote is to them decides whether another one is asked for. */
export interface Thresholds {
  readonly threshold: number;
  readonly precision_threshold: number | null;
  readonly recall_threshold: number | null;
}

/**
 * Equal for equal questions: 64 lower-case hexadecimal digits. Undefined for a text with half a surrogate pair, which has
 * no digest.
 */
export function questionDigest(question: AskedQuestion, thresholds: Thresholds): string | undefined {
  const { scale = null, expected = null, votes } = question;
  try {
    const output = seen(question.output);
    return documentDigest({ ...question, output, scale, expected, ...(votes > 1 && thresholds) });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Characters that the judge does not see make no other question. */
const seen = (output: string): string => (output.isWellFormed() ? withoutInvisible(output) : output);

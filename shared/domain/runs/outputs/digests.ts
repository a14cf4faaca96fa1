import { outputsDigest, singleOutputDigest } from '../../../scoring/engine/engine.ts';
import type { Submission } from './submission.ts';

interface DigestedCase {
  readonly result: { readonly case_id: string };
  /** Of its samples, in the order sent. */
  readonly digests: readonly string[];
}

/** Of all that was judged. */
export function digestOfOutputs(
  cases: readonly DigestedCase[],
  { output, input }: Pick<Submission, 'output' | 'input'>,
): string {
  if (output !== undefined) return singleOutputDigest(output, input);
  return outputsDigest(
    cases.flatMap(({ result, digests }) =>
      digests.map((digest, sample) => [result.case_id, sample, digest] as const),
    ),
  );
}

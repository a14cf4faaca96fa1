import { outputsDigest, singleOutputDigest } from '../../../scoring/engine/engine.ts';
import type { Submission } from './submission.ts';

interface DigestedCase {
  readonly result: { readonly case_id: string };
  /** Of its samples, in the order sent. */
  readonly digests: readonly string[];
}

/** Of all that was judged. `readsTrace`: the scorer of some case does. */
export function digestOfOutputs(
  cases: readonly DigestedCase[],
  { output, trace, outputs, input }: Submission,
  readsTrace: boolean,
): string {
  if (outputs === undefined) return singleOutputDigest(output, input, readsTrace ? trace : undefined);
  return outputsDigest(
    cases.flatMap(({ result, digests }) =>
      digests.map((digest, sample) => [result.case_id, sample, digest] as const),
    ),
  );
}

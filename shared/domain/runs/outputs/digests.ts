import { outputsDigest, singleOutputDigest } from '../../../scoring/engine/engine.ts';
import type { Submission } from './submission.ts';

/** Of all that was judged. `digests`: of the samples of each case, in the order sent. `readsTrace`: the scorer of some case does. */
export function digestOfOutputs(
  cases: readonly { readonly id: string }[],
  digests: readonly (readonly string[])[],
  { output, trace, outputs, input }: Submission,
  readsTrace: boolean,
): string {
  if (outputs === undefined) return singleOutputDigest(output, input, readsTrace ? trace : undefined);
  return outputsDigest(
    cases.flatMap(({ id }, index) =>
      (digests[index] ?? []).map((digest, sample) => [id, sample, digest] as const),
    ),
  );
}

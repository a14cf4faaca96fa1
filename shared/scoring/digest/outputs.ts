import { asSha256, digestWithInput, documentDigest, type Sha256 } from './documents.ts';

const RESULT_DIGITS = 16;

type Said = { readonly output: string } | { readonly error: string };

/** An output as a run has it: the item's place among those of its case counts from 0 in the order they were sent. */
export type DigestedOutput = readonly [caseId: string, sample: number, outputDigest: string];

/**
 * 64 hexadecimal digits. `input`: the item's own, or the run's; it must not change afterwards. `metadata` where a
 * scorer of the case reads it; that of an error is not read.
 */
export function outputDigest(said: Said, input: object, metadata?: object): string {
  if ('error' in said) return digestWithInput({ error: said.error }, input, []);
  return digestWithInput(said.output, input, metadata === undefined ? [] : [metadata]);
}

/** The digest in a result, of the full ones of its samples in any order: 16 hexadecimal digits. */
export function resultDigest(outputDigests: readonly string[]): string {
  const [only, ...others] = outputDigests;
  const full = only !== undefined && others.length === 0 ? only : documentDigest(outputDigests.toSorted());
  return full.slice(0, RESULT_DIGITS);
}

/** Of all outputs of a run, in any order. A case without an output has no entry. */
export const outputsDigest = (outputs: readonly DigestedOutput[]): Sha256 =>
  asSha256(documentDigest(outputs.toSorted(inOrder)));

/** Of a run whose one output every case sees. */
export const singleOutputDigest = (output: string, input: object): Sha256 =>
  asSha256(outputDigest({ output }, input));

function inOrder([oneCase, oneSample]: DigestedOutput, [otherCase, otherSample]: DigestedOutput): number {
  if (oneCase === otherCase) return oneSample - otherSample;
  return oneCase < otherCase ? -1 : 1;
}

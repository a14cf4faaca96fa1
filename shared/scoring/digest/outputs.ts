import type { Trace } from '../kit/trace.ts';
import { digested } from './call.ts';
import { asSha256, digestWithInput, documentDigest, type Sha256 } from './documents.ts';

const RESULT_DIGITS = 16;

/** Which output is not known has a digest of its own. */
type Said = { readonly output: string | undefined } | { readonly error: string };

/** An output as a run has it: the item's place among those of its case counts from 0 in the order they were sent. */
export type DigestedOutput = readonly [caseId: string, sample: number, outputDigest: string];

/** What a scorer of the case reads beside the output. */
interface ReadBeside {
  /** That of an error is not read. */
  readonly metadata?: object | undefined;
  readonly trace?: Trace | undefined;
}

/** 64 hexadecimal digits. `input`: the item's own, or the run's; it must not change afterwards. */
export function outputDigest(sent: Said, input: object, { metadata, trace }: ReadBeside = {}): string {
  const isError = 'error' in sent;
  const read = isError ? undefined : metadata;
  const rest = trace === undefined ? [] : [read ?? null, trace.map(digested)];
  const beside = trace === undefined && read !== undefined ? [read] : rest;
  return digestWithInput(isError ? { error: sent.error } : (sent.output ?? null), input, beside);
}

/** The digest in a result, of the full ones of its samples in any order: 16 hexadecimal digits. */
export function resultDigest(outputDigests: readonly string[]): string {
  const [only, ...otherDigests] = outputDigests;
  const full =
    only !== undefined && otherDigests.length === 0 ? only : documentDigest(outputDigests.toSorted());
  return full.slice(0, RESULT_DIGITS);
}

/** Of all outputs of a run, in any order. A case without an output has no entry. */
export const outputsDigest = (outputs: readonly DigestedOutput[]): Sha256 =>
  asSha256(documentDigest(outputs.toSorted(inOrder)));

/** Of a run whose one output every case sees. */
export const singleOutputDigest = (output: string | undefined, input: object, trace?: Trace): Sha256 =>
  asSha256(outputDigest({ output }, input, { trace }));

function inOrder([oneCase, oneSample]: DigestedOutput, [otherCase, otherSample]: DigestedOutput): number {
  if (oneCase === otherCase) return oneSample - otherSample;
  return oneCase < otherCase ? -1 : 1;
}

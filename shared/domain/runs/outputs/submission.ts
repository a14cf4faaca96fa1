import type { Trace } from '../../../scoring/kit/trace.ts';
import type { SentOutput } from '../../../scoring/kit/types.ts';
import { invalidField } from '../../errors.ts';
import type { PlacedOutput } from './blocks.ts';
import type { Candidate } from './candidate.ts';
import type { ReadItem } from './traces.ts';

/** What a request asks a verdict on: one output that all cases see, or outputs of their own. */
export interface Submission {
  readonly output?: string | undefined;
  /** Of the one output. */
  readonly trace?: Trace | undefined;
  readonly outputs?: readonly ReadItem[] | undefined;
  /** What was asked. The input of an item takes its place. */
  readonly input: Record<string, unknown>;
  /** Judges are asked, whatever the suite remembers. */
  readonly judge_again?: boolean | undefined;
  /** The bar that the client means. */
  readonly suite_digest?: string | undefined;
}

/** The digest of each output covers its input: a second of processor time at most. */
const DIGESTED_INPUT_BYTES_MAX = 256 * 1_024 * 1_024;

/** 400 for an input that so many outputs share that their digests would take all of a function's time. */
export function refuseLargeSharedInput({ outputs = [], input }: Submission): void {
  const sharing = outputs.filter((item) => item.input === undefined).length;
  if (sharing === 0 || sharing * Buffer.byteLength(JSON.stringify(input)) <= DIGESTED_INPUT_BYTES_MAX) return;
  throw invalidField(
    'input',
    `is shared by ${sharing} outputs, 256 MB in all at most: send a smaller one, or an input with the outputs that need it`,
  );
}

/** A submission that will be judged later. */
export interface AdmittedSubmission extends Omit<Submission, 'suite_digest'> {
  readonly outputs?: readonly PlacedOutput[] | undefined;
}

/** What is kept of a submission while its run is pending. */
export type Payload = Pick<Submission, 'output' | 'trace' | 'input' | 'judge_again'> & {
  /** How many blocks of outputs there are; undefined for one output. */
  readonly blocks?: number | undefined;
};

/** One output of a case, or why there is none, with the input that it answers. */
export type Sample = SentOutput & {
  readonly input: Record<string, unknown>;
  readonly metadata?: Record<string, unknown> | undefined;
};

export function sampleOf(
  { output, error, input, metadata, trace }: Omit<ReadItem, 'case'>,
  runInput: Record<string, unknown>,
): Sample {
  const sent = error === undefined ? { output } : { error };
  return { ...sent, input: input ?? runInput, metadata, ...(trace && { trace }) } as Sample;
}

/** What a judge is shown. Undefined where no output is known. */
export const candidateOf = ({ output, input }: Sample): Candidate | undefined =>
  output === undefined ? undefined : { output, input };

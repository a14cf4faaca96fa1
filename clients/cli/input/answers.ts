import type { OutputItem } from '../../sdk/index.ts';
import { type CheckItems, type OutputLines, readOutput, readOutputs } from '../../suites/read/outputs.ts';
import type { Problems } from '../../suites/read/problems.ts';
import type { Io } from '../io.ts';
import { oneOf } from './options.ts';
import { placeOf, sourceOf } from './readText.ts';

export interface AnswerOptions {
  readonly output?: string;
  readonly outputs?: string;
}

/** What the candidate answered: one output, or outputs with their lines. */
export type Answers =
  | { readonly output: string; readonly outputs?: undefined; readonly file?: undefined }
  | { readonly output?: undefined; readonly outputs: readonly OutputItem[]; readonly file: OutputLines };

/** Of `--output` or `--outputs`. Undefined where it cannot be had: `problems` say why. */
export async function readAnswers(
  io: Io,
  options: AnswerOptions,
  problems: Problems,
  check?: CheckItems,
): Promise<Answers | undefined> {
  const { output, outputs } = oneOf(options);
  if (outputs !== undefined) {
    const file = readOutputs(placeOf(outputs), await sourceOf(io, outputs), problems, check);
    return { outputs: file.items, file };
  }
  const text = readOutput(placeOf(output), await sourceOf(io, output), problems);
  return text === undefined ? undefined : { output: text };
}
